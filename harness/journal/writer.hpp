// Writer: appends records to a journal, each with one write at once, and makes them durable soon after.
//
// Threads: append(), flush(), close() and the counters may be used from any thread. Two threads are the
// writer's own: one writes and calls the hooks, one calls fdatasync, so that a slow disk holds up neither the
// caller nor later writes. Both block every signal (so a passed file size limit is an error, not SIGXFSZ).
//
// A write that fails (ENOSPC, EIO, EFBIG, ...) is final: the file is cut back to its last whole record, `failed` is
// called once, and whatever was waiting or comes later is refused and counted. What was written stays whole.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace assay::journal {

// Where a record came to lie.
struct Written {
    std::int64_t seq = 0;
    std::int64_t offset = 0;  // of its line
    std::int64_t length = 0;  // of its line, line feed included
};

struct Failure {
    std::string message;  // one line: what failed, where, and what the state of the file is
    int error = 0;        // errno
};

// One record on its way. Both functions are called on the writing thread, in the order of append().
struct Entry {
    std::int64_t bytes = 0;  // about how much it holds, for bytes_waiting()
    std::function<void(std::string& out)> payload;   // appends a JSON object without line feeds
    std::function<void(const Written&)> written;     // may be empty; after the write, before the sync
};

class Writer {
public:
    struct Options {
        std::string path;
        std::int64_t next_seq = 1;     // as Scan says
        std::int64_t whole_bytes = 0;  // as Scan says; what follows in the file is cut off
        std::chrono::milliseconds sync_after{500};      // at most, from a write to its sync
        std::function<void(const Failure&)> failed;     // on a thread of the writer; must not call it back
    };

    // Opens or creates the file. Throws assay::Error where that fails, or where the path is no regular file.
    explicit Writer(Options options);
    ~Writer();  // close()
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // Queues a record; never waits for the disk. False: refused, after a failure or close().
    bool append(Entry entry);

    // Waits until all that was appended before is written and synced. False after a failure.
    bool flush();

    // flush(), then ends the threads. Later calls do nothing. False after a failure.
    bool close();

    [[nodiscard]] std::int64_t bytes_waiting() const noexcept;  // appended and not yet written
    [[nodiscard]] std::int64_t records_written() const noexcept;
    [[nodiscard]] std::int64_t refused() const noexcept;  // records
    [[nodiscard]] bool healthy() const noexcept;          // no failure so far

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::journal
