#include "harness/journal/writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include "harness/error.hpp"
#include "harness/journal/frame.hpp"
#include "harness/loop/file_descriptor.hpp"

namespace assay::journal {
namespace {

std::string words_of(int error) { return std::generic_category().message(error); }

// Threads inherit the mask of the one that starts them.
class BlockedSignals {
public:
    BlockedSignals() noexcept {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t before_{};
};

}  // namespace

struct Writer::Parts {
    explicit Parts(Options given) : options(std::move(given)), seq(options.next_seq), offset(options.whole_bytes) {}

    Options options;
    loop::FileDescriptor file;

    // The writing thread's own.
    std::int64_t seq;
    std::int64_t offset;  // end of the last whole record

    std::mutex mutex;
    std::condition_variable to_write;  // the queue has something, or `ending`
    std::condition_variable to_sync;   // settled > synced, or `all_written`
    std::condition_variable progress;  // for flush()
    std::deque<Entry> queue;
    std::int64_t appended = 0;  // records, since the start
    std::int64_t settled = 0;   // of those: written or refused
    std::int64_t synced = 0;    // of those: durable (or given up)
    int waiting_for_sync = 0;   // calls of flush() that want it now
    bool ending = false;
    bool all_written = false;  // the writing thread has ended
    bool closed = false;

    std::atomic<std::int64_t> bytes_waiting{0};
    std::atomic<std::int64_t> written{0};
    std::atomic<std::int64_t> refused{0};
    std::atomic<bool> failed{false};

    std::thread writing;
    std::thread syncing;

    void open();
    void write_until_end();
    void sync_until_end();
    void write_one(Entry& entry, std::string& payload, std::string& line);
    [[nodiscard]] int write_whole(std::string_view line);
    void fail(std::string message, int error);
};

void Writer::Parts::open() {
    file = loop::FileDescriptor(
        ::open(options.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
    struct stat status {};
    if (!file.open() || ::fstat(file.get(), &status) != 0) {
        throw Error(fmt::format("cannot open '{}' for writing: {}", options.path, words_of(errno)));
    }
    if (!S_ISREG(status.st_mode)) {
        throw Error(fmt::format("cannot write '{}': expected a regular file", options.path));
    }
    if (status.st_size != options.whole_bytes && ::ftruncate(file.get(), options.whole_bytes) != 0) {
        throw Error(fmt::format("cannot cut '{}' back to {} bytes: {}", options.path, options.whole_bytes, words_of(errno)));
    }
}

// 0, or the errno that stopped it.
int Writer::Parts::write_whole(std::string_view line) {
    while (!line.empty()) {
        const ssize_t put = ::write(file.get(), line.data(), line.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return errno;
        if (put == 0) return ENOSPC;
        line.remove_prefix(static_cast<std::size_t>(put));
    }
    return 0;
}

void Writer::Parts::fail(std::string message, int error) {
    if (failed.exchange(true)) return;
    if (options.failed) options.failed({std::move(message), error});
}

void Writer::Parts::write_one(Entry& entry, std::string& payload, std::string& line) {
    if (failed) {
        ++refused;
        return;
    }
    payload.clear();
    line.clear();
    entry.payload(payload);
    append_line(line, seq, payload);
    if (const int error = write_whole(line); error != 0) {
        ++refused;
        const bool cut = ::ftruncate(file.get(), offset) == 0;
        fail(fmt::format("cannot write '{}': {}; the records in it are whole{}; make room, then go on with the same --out",
                         options.path, words_of(error),
                         cut ? "" : " (a torn line behind them is cut off when it is opened again)"),
             error);
        return;
    }
    const Written place{seq, offset, static_cast<std::int64_t>(line.size())};
    ++seq;
    offset += place.length;
    ++written;
    if (entry.written) entry.written(place);
}

void Writer::Parts::write_until_end() {
    std::string payload;
    std::string line;
    std::unique_lock lock(mutex);
    for (;;) {
        to_write.wait(lock, [&] { return !queue.empty() || ending; });
        if (queue.empty()) return;
        {
            Entry entry = std::move(queue.front());
            queue.pop_front();
            lock.unlock();
            write_one(entry, payload, line);
            bytes_waiting -= entry.bytes;
        }
        lock.lock();
        ++settled;
        to_sync.notify_one();
        progress.notify_all();
    }
}

void Writer::Parts::sync_until_end() {
    std::unique_lock lock(mutex);
    for (;;) {
        to_sync.wait(lock, [&] { return settled > synced || all_written; });
        if (settled == synced) return;
        // Records that come close together share a sync.
        to_sync.wait_for(lock, options.sync_after,
                         [&] { return all_written || (waiting_for_sync > 0 && queue.empty() && settled == appended); });
        const std::int64_t covered = settled;
        lock.unlock();
        int error = 0;
        while (!failed && ::fdatasync(file.get()) != 0) {
            error = errno;
            if (error == EINTR) continue;
            fail(fmt::format("cannot make '{}' durable: {}; its last records may not survive a power failure",
                             options.path, words_of(error)),
                 error);
        }
        lock.lock();
        synced = covered;
        progress.notify_all();
    }
}

Writer::Writer(Options options) : parts_(std::make_unique<Parts>(std::move(options))) {
    parts_->open();
    const BlockedSignals blocked;
    parts_->writing = std::thread([parts = parts_.get()] { parts->write_until_end(); });
    parts_->syncing = std::thread([parts = parts_.get()] { parts->sync_until_end(); });
}

Writer::~Writer() { close(); }

bool Writer::append(Entry entry) {
    Parts& parts = *parts_;
    {
        const std::lock_guard lock(parts.mutex);
        if (parts.ending || parts.failed) {
            ++parts.refused;
            return false;
        }
        parts.bytes_waiting += entry.bytes;
        parts.queue.push_back(std::move(entry));
        ++parts.appended;
    }
    parts.to_write.notify_one();
    return true;
}

bool Writer::flush() {
    Parts& parts = *parts_;
    std::unique_lock lock(parts.mutex);
    if (parts.closed) return !parts.failed;
    const std::int64_t wanted = parts.appended;
    ++parts.waiting_for_sync;
    parts.to_sync.notify_one();
    parts.progress.wait(lock, [&] { return parts.synced >= wanted; });
    --parts.waiting_for_sync;
    return !parts.failed;
}

bool Writer::close() {
    Parts& parts = *parts_;
    {
        const std::lock_guard lock(parts.mutex);
        if (parts.closed) return !parts.failed;
    }
    flush();
    {
        const std::lock_guard lock(parts.mutex);
        if (parts.closed) return !parts.failed;
        parts.closed = true;
        parts.ending = true;
    }
    parts.to_write.notify_all();
    parts.writing.join();
    {
        const std::lock_guard lock(parts.mutex);
        parts.all_written = true;
    }
    parts.to_sync.notify_all();
    parts.syncing.join();
    parts.file.reset();
    return !parts.failed;
}

std::int64_t Writer::bytes_waiting() const noexcept { return parts_->bytes_waiting; }
std::int64_t Writer::records_written() const noexcept { return parts_->written; }
std::int64_t Writer::refused() const noexcept { return parts_->refused; }
bool Writer::healthy() const noexcept { return !parts_->failed; }

}  // namespace assay::journal
