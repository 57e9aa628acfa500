// StopWatch: looks at a run after each of its whole seeds, and says when it may stop.
//
// Seeds stand in a fixed order: those that were whole when the rule was first given, which always count, then the others as they are
// numbered. A look after k seeds is made once all questions are scored for the first k, and looks are made in the order of k. So what is
// decided depends on the replies alone, not on the order in which they came, nor on where a process ended: a look that was made and not
// recorded is made again. A seed with an attempt that is given up is never whole, and ends the looks until it is continued.
// Threads: judged() from any; the others from one.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "datasets/questions/question_set.hpp"
#include "datasets/runs/attempt.hpp"
#include "datasets/runs/look.hpp"
#include "runners/drivers/stop_rule.hpp"
#include "scorers/statistics/seed_table.hpp"

namespace assay::runners {

class StopWatch {
public:
    // `set`: the questions asked; must outlive this. `reference` is set where the rule is a gate, with the same rows.
    StopWatch(StopRule rule, std::optional<statistics::SeedTable> reference, const questions::QuestionSet& set);

    void judged(const runs::AttemptKey& key, statistics::Cell cell);

    // Once, when every reply on record was judged(): the looks on record, and the seeds asked for now. Gives what is to be recorded
    // before anything is sent.
    [[nodiscard]] std::vector<runs::Look> open(const std::vector<runs::Look>& earlier, const std::vector<int>& seeds);

    // The looks that have become possible, in their order; to be recorded. None after a stop.
    [[nodiscard]] std::vector<runs::Look> due();

    [[nodiscard]] std::size_t rows() const noexcept { return set_.questions.size(); }
    // The look that stopped the run, in this process or before.
    [[nodiscard]] const std::optional<runs::Look>& stopped() const noexcept { return stopped_; }
    // The last look, whatever it decided.
    [[nodiscard]] const std::optional<runs::Look>& last() const noexcept { return last_; }

private:
    [[nodiscard]] bool is_whole(int seed) const;
    [[nodiscard]] runs::Look look_after(std::size_t seeds) const;
    [[nodiscard]] std::optional<std::size_t> base_on_record(const std::vector<runs::Look>& earlier);

    StopRule rule_;
    std::optional<statistics::SeedTable> reference_;
    const questions::QuestionSet& set_;
    mutable std::mutex mutex_;  // guards cells_ and scored_
    std::map<runs::AttemptKey, statistics::Cell> cells_;
    std::map<int, std::size_t> scored_;  // cells of a seed
    std::vector<int> order_;
    std::size_t next_ = 0;  // seeds of the next look
    std::map<std::vector<int>, runs::Look> made_;  // by their seeds
    std::optional<runs::Look> stopped_;
    std::optional<runs::Look> last_;
};

// What a command without a rule has to record before it asks these seeds, where the run is stopped and they go beyond the stop.
[[nodiscard]] std::optional<runs::Look> lifted_stop(const std::vector<runs::Look>& earlier, const std::vector<int>& seeds);

}  // namespace assay::runners
