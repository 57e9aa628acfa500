#include "runners/drivers/score_so_far.hpp"

namespace assay::runners {

ScoreSoFar::ScoreSoFar(const std::vector<runs::AttemptKey>& order, Progress& progress)
    : states_(order.size(), State::open), progress_(progress) {
    for (std::size_t place = 0; place < order.size(); ++place) places_.emplace(order[place], place);
}

void ScoreSoFar::judged(const runs::AttemptKey& key, bool correct) {
    set(key, correct ? State::right : State::wrong);
}

void ScoreSoFar::given_up(const runs::AttemptKey& key) {
    set(key, State::given_up);
}

void ScoreSoFar::set(const runs::AttemptKey& key, State state) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end() || states_[found->second] != State::open) return;
    states_[found->second] = state;
    for (; passed_ < states_.size() && states_[passed_] != State::open; ++passed_) {
        if (states_[passed_] == State::given_up) continue;
        progress_.judged_in_order.fetch_add(1, std::memory_order_relaxed);
        if (states_[passed_] == State::right) progress_.correct_in_order.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace assay::runners
