#include "harness/journal/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <optional>
#include <string_view>
#include <system_error>

#include "harness/error.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::journal {
namespace {

std::string host_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
    std::string plain;
    for (const char c : std::string_view(name.data())) plain += c > ' ' && c < 127 && c != '"' && c != '\\' ? c : '?';
    return plain;
}

std::string read_small(int fd) {
    std::array<char, 1024> text{};
    const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
    return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : std::string();
}

std::string read_small_file(const std::string& path) {
    const loop::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    return file.open() ? read_small(file.get()) : std::string();
}

// Clock ticks from the boot to the start of a process: tells a process from a later one with its number.
std::string start_of(long pid) {
    const std::string status = read_small_file(fmt::format("/proc/{}/stat", pid));
    std::size_t at = status.rfind(')');  // the name before it may hold anything
    for (int field = 2; field < 22 && at != std::string::npos; ++field) at = status.find(' ', at + 1);
    if (at == std::string::npos) return "";
    return status.substr(at + 1, status.find(' ', at + 1) - at - 1);
}

struct Holder {
    std::string host;
    std::string pid;
    std::string start;
};

std::string text_of(const Holder& holder) {
    return fmt::format("{{\"format\":\"assay.lock/1\",\"host\":\"{}\",\"pid\":{},\"start\":\"{}\"}}\n", holder.host,
                       holder.pid, holder.start);
}

Holder ourselves() {
    return {host_name(), std::to_string(::getpid()), start_of(::getpid())};
}

std::string between(const std::string& text, std::string_view before, std::string_view ends) {
    const std::size_t at = text.find(before);
    if (at == std::string::npos) return "";
    const std::size_t from = at + before.size();
    return text.substr(from, text.find_first_of(ends, from) - from);
}

Holder holder_in(const std::string& text) {
    return {between(text, "\"host\":\"", "\""), between(text, "\"pid\":", ",}"), between(text, "\"start\":\"", "\"")};
}

// Whether the holder is a process of this host that no longer runs.
bool is_gone(const Holder& holder) {
    long pid = 0;
    const char* end = holder.pid.data() + holder.pid.size();
    if (holder.host != host_name() || std::from_chars(holder.pid.data(), end, pid).ptr != end || pid <= 0) return false;
    if (::kill(static_cast<pid_t>(pid), 0) != 0) return errno == ESRCH;
    return !holder.start.empty() && holder.start != start_of(pid);
}

[[noreturn]] void refuse(const std::string& path, const std::string& text, std::string_view what_to_do) {
    const Holder holder = holder_in(text);
    const std::string who = holder.pid.empty() ? std::string("another process")
                                               : fmt::format("process {} on host {}", holder.pid, holder.host);
    throw Error(fmt::format("'{}' is held by {}: {}", path, who, what_to_do));
}

bool put(int fd, std::string_view text) {
    return ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

loop::FileDescriptor create_exclusively(const std::string& path) {
    return loop::FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

// Moves a left-behind file out of the way. False where another process was faster.
bool move_away(const std::string& path, const std::string& expected) {
    const std::string aside = fmt::format("{}.{}", path, ::getpid());
    if (::rename(path.c_str(), aside.c_str()) != 0) return false;
    const bool same = read_small_file(aside) == expected;
    // What was moved may be the file of a process that took over meanwhile: give it its name back.
    if (!same && ::link(aside.c_str(), path.c_str()) != 0) {}
    ::unlink(aside.c_str());
    return same;
}

}  // namespace

struct Lock::Parts {
    loop::FileDescriptor file;  // locked with flock
    std::string held;           // or: the file to remove

    ~Parts() {
        if (file.open() && ::ftruncate(file.get(), 0) != 0) {}  // only its words; closing releases the lock
        if (!held.empty()) ::unlink(held.c_str());
    }

    // False where the file system has no flock.
    bool lock_with_flock(const std::string& path) {
        loop::FileDescriptor opened(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
        if (!opened.open()) {
            throw Error(fmt::format("cannot open the lock '{}': {}", path, std::generic_category().message(errno)));
        }
        int result = 0;
        do {
            result = ::flock(opened.get(), LOCK_EX | LOCK_NB);
        } while (result != 0 && errno == EINTR);
        if (result == 0) {
            file = std::move(opened);
            const std::string text = text_of(ourselves());
            if (::ftruncate(file.get(), 0) != 0 || !put(file.get(), text)) {}  // a full disk: locked all the same
            return true;
        }
        if (errno == EWOULDBLOCK) refuse(path, read_small(opened.get()), "wait until it ends, or name another folder");
        if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return false;
        throw Error(fmt::format("cannot lock '{}': {}", path, std::generic_category().message(errno)));
    }

    void lock_with_file(const std::string& path) {
        const std::string advice =
            fmt::format("wait until it ends, or name another folder; where it is gone, remove '{}'", path);
        for (int attempt = 0; attempt < 3; ++attempt) {
            if (const auto created = create_exclusively(path); created.open()) {
                held = path;
                if (!put(created.get(), text_of(ourselves()))) {}
                return;
            }
            if (errno != EEXIST) {
                throw Error(fmt::format("cannot create the lock '{}': {}", path, std::generic_category().message(errno)));
            }
            const std::string text = read_small_file(path);
            if (!is_gone(holder_in(text))) refuse(path, text, advice);
            move_away(path, text);
        }
        refuse(path, read_small_file(path), advice);
    }
};

Lock::Lock(const std::string& path, Way way) : parts_(std::make_unique<Parts>()) {
    if (way == Way::automatic && parts_->lock_with_flock(path)) return;
    parts_->lock_with_file(path + ".held");
}
Lock::~Lock() = default;
Lock::Lock(Lock&&) noexcept = default;
Lock& Lock::operator=(Lock&&) noexcept = default;

}  // namespace assay::journal
