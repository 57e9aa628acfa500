// ScoreSoFar: accuracy of the leading attempts of a run, in dispatch order.
//
// Replies finish short ones first, and short ones are easier: a running mean by completion time is biased
// upward. So only the longest prefix of the dispatch order in which every attempt is judged is counted.
// An attempt that was given up counts as passed over, neither right nor wrong.
// Threads: any; the journal's judges, the loop's gives up.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "datasets/runs/attempt.hpp"
#include "harness/progress.hpp"

namespace assay::runners {

class ScoreSoFar {
public:
    // `order` is the dispatch order of all attempts of the run; `progress` must outlive this.
    ScoreSoFar(const std::vector<runs::AttemptKey>& order, Progress& progress);

    void judged(const runs::AttemptKey& key, bool correct);
    void given_up(const runs::AttemptKey& key);

private:
    enum class State : unsigned char { open, right, wrong, given_up };
    void set(const runs::AttemptKey& key, State state);

    std::mutex mutex_;  // guards states_ and passed_
    std::map<runs::AttemptKey, std::size_t> places_;
    std::vector<State> states_;
    std::size_t passed_ = 0;
    Progress& progress_;
};

}  // namespace assay::runners
