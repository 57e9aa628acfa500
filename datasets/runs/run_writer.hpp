// RunWriter: a run that is being made. Opens or creates the folder, says what is done already, records the rest.
//
// Threads: the constructor, begin(), finished(), flush() and close() belong to one thread, which need not be the
// constructing one; the counters may be read from any. Two threads of its own write and sync (journal::Writer).
// One RunWriter a folder among all processes: the folder is locked until close().
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/runs/attempt.hpp"
#include "datasets/runs/plan.hpp"
#include "datasets/runs/run_info.hpp"
#include "datasets/runs/totals.hpp"
#include "harness/journal/writer.hpp"

namespace assay::runs {

// Where an attempt stood when the run was opened.
struct Standing {
    bool final = false;       // scored: it must not be asked again
    int tries = 0;            // sent so far, those whose end is not on record included; the next is number tries + 1
    int interrupted = 0;      // of tries: how they ended is not on record
    std::optional<chat::Outcome> outcome;  // of the try that decides so far; unset where none is on record
};

class RunWriter {
public:
    struct Hooks {
        // In the constructor: every attempt that is final already, whole, in the order of the journal. Where it is
        // empty, the texts are not read.
        std::function<void(const Attempt&)> final_before;
        // On the journal's thread: every try of this process, whole, once it is written.
        std::function<void(const Attempt&)> recorded;
        // On a thread of the journal, once: nothing more can be written (disk full, ...). Stop sending.
        std::function<void(const journal::Failure&)> failed;
    };

    // Throws assay::Error, one line: the folder holds something else, or a run with another plan (the message
    // names the differences and says to use another --out), is of a newer format, is in use by another
    // process, or cannot be written.
    RunWriter(std::string path, const Plan& plan, const RunInfo& info, Hooks hooks);
    ~RunWriter();  // close()
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    // As of the opening. Attempts without an entry were never sent.
    [[nodiscard]] const std::map<AttemptKey, Standing>& standings() const noexcept;
    [[nodiscard]] const Totals& totals_before() const noexcept;  // earlier processes'
    [[nodiscard]] const std::vector<std::string>& notes() const noexcept;  // for the user, one line each
    [[nodiscard]] const std::string& session() const noexcept;  // id of this process in the journal

    // A try is sent now. try_number: Standing::tries + 1 for the first of this process, then counting on.
    void begin(AttemptKey key, int try_number, double unix_s);
    // How it ended. Where it is not scored, only the ends of its texts are written. A reply of more than
    // journal::max_payload_bytes is recorded as malformed, and `recorded` sees it so.
    // `endpoint`: index into RunInfo::endpoints.
    void finished(AttemptKey key, int try_number, chat::Reply reply, double started_unix_s, double ended_unix_s, int endpoint = 0);
    // One line that every report of the run is to say.
    void note(std::string text);
    // What this process did so far; the session is filled in, and the last one counts.
    void work(ClientWork work);
    // Whether the run may stop; from any thread. look.unix_s is set here.
    void look(Look look);

    [[nodiscard]] std::int64_t bytes_waiting() const noexcept;  // given and not yet written
    [[nodiscard]] std::int64_t refused() const noexcept;        // records that could not be written
    bool flush();  // waits until all is written and synced; false after a failure
    bool close();  // flush, then releases the folder; nothing may be recorded afterwards

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::runs
