#include "scorers/statistics/majority.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>
#include <vector>

#include "scorers/statistics/choose.hpp"

namespace assay::statistics {
namespace {

struct Tally {
    const std::string* answer;
    bool correct;
    int votes;
};

// Weight of the drawn kinds so far, and the highest count among those that vote.
struct Drawn {
    double weight = 1;
    int highest = 0;
    int tied = 0;
    bool correct_among_them = false;
};

class Enumeration {
public:
    Enumeration(std::span<const int> counts, int correct, int none)
        : counts_(counts), correct_(correct), none_(none), whole_by_tie_(counts.size() + 1, 0.0) {}

    void draw(std::size_t kind, int left, const Drawn& so_far) {
        if (kind == counts_.size()) {
            if (left == 0 && so_far.correct_among_them) whole_by_tie_[static_cast<std::size_t>(so_far.tied)] += so_far.weight;
            return;
        }
        for (int n = 0; n <= std::min(left, counts_[kind]); ++n) {
            Drawn next = so_far;
            next.weight *= choose(counts_[kind], n);
            if (static_cast<int>(kind) != none_ && n > 0) vote(next, static_cast<int>(kind) == correct_, n);
            draw(kind + 1, left - n, next);
        }
    }

    // Sum of weights of the draws in which the right answer shares the highest count with tied - 1 others.
    const std::vector<double>& whole_by_tie() const { return whole_by_tie_; }

private:
    static void vote(Drawn& drawn, bool correct, int votes) {
        if (votes > drawn.highest) {
            drawn.highest = votes;
            drawn.tied = 1;
            drawn.correct_among_them = correct;
        } else if (votes == drawn.highest) {
            ++drawn.tied;
            drawn.correct_among_them = drawn.correct_among_them || correct;
        }
    }

    std::span<const int> counts_;
    int correct_;
    int none_;
    std::vector<double> whole_by_tie_;
};

}  // namespace

MajorityVote majority_of_first(std::span<const Cell> row, int k) {
    assert(1 <= k && static_cast<std::size_t>(k) <= row.size());
    std::vector<Tally> tallies;
    for (const Cell& cell : row.first(static_cast<std::size_t>(k))) {
        if (!cell.scored() || !cell.prediction) continue;
        const auto same = std::find_if(tallies.begin(), tallies.end(), [&](const Tally& t) {
            return t.correct == cell.correct && *t.answer == *cell.prediction;
        });
        if (same != tallies.end()) {
            ++same->votes;
        } else {
            tallies.push_back({&*cell.prediction, cell.correct, 1});
        }
    }
    MajorityVote result;
    int highest = 0;
    for (const Tally& t : tallies) highest = std::max(highest, t.votes);
    if (highest == 0) return result;
    result.tied = 0;
    for (const Tally& t : tallies) {
        if (t.votes != highest) continue;
        ++result.tied;
        result.right += t.correct ? 1 : 0;
    }
    return result;
}

ExpectedMajority expected_majority(std::span<const int> counts, int correct, int none, int k) {
    const int n = std::accumulate(counts.begin(), counts.end(), 0);
    assert(1 <= k && k <= n);
    Enumeration enumeration(counts, correct, none);
    enumeration.draw(0, k, {});
    const auto& by_tie = enumeration.whole_by_tie();
    ExpectedMajority sum;
    for (std::size_t tied = 1; tied < by_tie.size(); ++tied) {
        sum.uniform += by_tie[tied] / static_cast<double>(tied);
        sum.optimistic += by_tie[tied];
    }
    const double all = choose(n, k);
    return {sum.uniform / all, by_tie[1] / all, sum.optimistic / all};
}

}  // namespace assay::statistics
