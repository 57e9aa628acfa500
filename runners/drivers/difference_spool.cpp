#include "runners/drivers/difference_spool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include "harness/error.hpp"

namespace assay::runners {
namespace {

using bit_exact::BlockDifference;
static_assert(std::is_trivially_copyable_v<BlockDifference>);

[[noreturn]] void fail(const char* what) {
    throw Error(fmt::format("blocks that differ could not be {} a temporary file: {}; set TMPDIR to a folder with room",
                            what, std::strerror(errno)));
}

loop::FileDescriptor nameless_file() {
    std::string path = (std::filesystem::temp_directory_path() / "assay-differences-XXXXXX").string();
    loop::FileDescriptor file(::mkostemp(path.data(), O_CLOEXEC));
    if (!file.open()) fail("put into");
    ::unlink(path.c_str());
    return file;
}

}  // namespace

void DifferenceSpool::add(std::vector<BlockDifference>& some) {
    memory_.insert(memory_.end(), some.begin(), some.end());
    some.clear();
    if (memory_.size() > most_in_memory) spill();
}

void DifferenceSpool::spill() {
    if (!file_.open()) file_ = nameless_file();
    const auto bytes = std::as_bytes(std::span(memory_));
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t put = ::write(file_.get(), bytes.data() + done, bytes.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) fail("put into");
        done += static_cast<std::size_t>(put);
    }
    in_file_ += memory_.size();
    memory_.clear();
}

void DifferenceSpool::each(const std::function<bool(const BlockDifference&)>& take) const {
    std::vector<BlockDifference> some(std::min<std::uint64_t>(in_file_, 4096));
    for (std::uint64_t at = 0; at < in_file_;) {
        const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(some.size(), in_file_ - at));
        const auto bytes = std::as_writable_bytes(std::span(some).first(count));
        for (std::size_t done = 0; done < bytes.size();) {
            const auto from = static_cast<off_t>(at * sizeof(BlockDifference) + done);
            const ssize_t got = ::pread(file_.get(), bytes.data() + done, bytes.size() - done, from);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) fail("taken from");
            done += static_cast<std::size_t>(got);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!take(some[i])) return;
        }
        at += count;
    }
    for (const BlockDifference& one : memory_) {
        if (!take(one)) return;
    }
}

}  // namespace assay::runners
