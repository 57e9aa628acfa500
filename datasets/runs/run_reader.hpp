// RunReader: a run on disk, read for judging. Memory stays bounded: texts are read one attempt at a time.
//
// The run may be in use by another process: what is on disk at the time of the constructor is read.
// Threads: one. Errors: assay::Error, one clear line, for a path that is no run or a run of a newer format.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/runs/attempt.hpp"
#include "datasets/runs/plan.hpp"
#include "datasets/runs/run_info.hpp"
#include "datasets/runs/totals.hpp"

namespace assay::runs {

struct RunContents {
    Plan plan;
    std::string plan_hash;
    RunInfo info;  // of the process that wrote last
    double created_unix_s = 0;
    Totals totals;
    std::vector<std::string> notes;  // for the user, one line each: damage, tries whose end is not on record
    // What its sessions asked for, taken together: seeds in order, and the number of leading rows.
    // Where the run was stopped (the last look on record says so), those of that look alone.
    std::vector<int> seeds;
    int rows = 0;
    std::vector<int> seeds_outside;      // asked for, and left out by a stop
    std::int64_t replies_outside = 0;    // attempts of these that are scored
    std::int64_t attempts_tried = 0;    // with one try or more begun
    std::int64_t attempts_retried = 0;  // with two or more
};

class RunReader {
public:
    // Reads the journal once. `on_scored`, where it is set, is given every deciding scored try in that same pass, whole,
    // in the order of the journal.
    explicit RunReader(std::string path, const std::function<void(const Attempt&)>& on_scored = {});
    ~RunReader();
    RunReader(RunReader&&) noexcept;
    RunReader& operator=(RunReader&&) noexcept;

    [[nodiscard]] const RunContents& contents() const noexcept;

    // The attempt, texts included; nothing where no try of it is on record. Of several tries the first scored one
    // decides, else the last.
    [[nodiscard]] std::optional<Attempt> attempt(AttemptKey key);

    // Attempts with a try on record and none that is scored, in order of their keys, with the outcome of the last.
    [[nodiscard]] std::vector<std::pair<AttemptKey, chat::Outcome>> unscored() const;

    // Every attempt that has a try on record, in the order of the journal.
    void for_each(const std::function<void(Attempt)>& visit);

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// for_each() and contents() at once.
RunContents read_run(const std::string& path, const std::function<void(Attempt)>& visit);

}  // namespace assay::runs
