// EarlyStop: the side of `score` that --stop-when turns on. Without that flag it changes nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/runs/run_writer.hpp"
#include "runners/commands/command.hpp"
#include "runners/commands/score_options.hpp"
#include "runners/drivers/stop_watch.hpp"

namespace assay::runners {

class EarlyStop {
public:
    // Throws assay::Error for flags that say nothing or contradict each other.
    explicit EarlyStop(const ScoreOptions& options);

    // Reads the reference run. `set`, the questions asked, must outlive this. Throws assay::Error where the two cannot be compared.
    void prepare(const ScoreOptions& options, const runs::Plan& plan, const questions::QuestionSet& set);

    [[nodiscard]] std::vector<runs::AttemptKey> order(const std::vector<int>& seeds, const std::vector<int>& questions) const;

    // From any thread.
    void judged(const runs::AttemptKey& key, const statistics::Cell& cell);

    // Once the writer is open and all that is on record was judged: records what has to be, and gives lines for the user.
    [[nodiscard]] std::vector<std::string> open(runs::RunWriter& writer, const std::vector<int>& seeds);

    // Makes and records the looks that are due. True: the run may stop.
    bool look(runs::RunWriter& writer);

    // Whether this attempt is still to be made: not those outside of a stop.
    [[nodiscard]] bool wants(const runs::AttemptKey& key) const;

    // Where a gate was asked for: 0 PASS, 1 FAIL, 3 undecided.
    [[nodiscard]] std::optional<ExitCode> code() const;

private:
    std::optional<StopRule> rule_;
    std::unique_ptr<StopWatch> watch_;
};

}  // namespace assay::runners
