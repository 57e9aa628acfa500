#include "scorers/statistics/gate.hpp"

#include <algorithm>
#include <cmath>

#include "scorers/statistics/power.hpp"
#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics {
namespace {

constexpr double last_level = 0.95;  // one-sided
constexpr double interim_level = 0.999;
constexpr std::int64_t most_further_seeds = 100'000;
constexpr std::int64_t seeds_to_see_a_lost_question = 8;

// The lower bound falls to the least of what is offered; the upper rises to the largest.
class Bounds {
public:
    explicit Bounds(Gate& gate, double difference) : gate_(gate) {
        gate_.lower = gate_.upper = difference;
        gate_.limit = GateLimit::constant;
    }
    void lower(double bound, GateLimit limit) {
        if (bound >= gate_.lower) return;
        gate_.lower = bound;
        gate_.limit = limit;
    }
    void upper(double bound) { gate_.upper = std::max(gate_.upper, bound); }
    void both(const Estimate& estimate, GateLimit limit) {
        const double low = lower_bound(estimate, gate_.level);
        lower(low, limit);
        upper(2 * estimate.difference - low);
    }

private:
    Gate& gate_;
};

std::int64_t net_lost(const RunComparison& c) {
    if (std::min(c.seeds_a, c.seeds_b) < seeds_to_see_a_lost_question) return 0;
    std::int64_t net = 0;
    for (const MovedQuestion& moved : c.moved) net += moved.change <= -0.5 ? 1 : moved.change >= 0.5 ? -1 : 0;
    return std::max<std::int64_t>(0, net);
}

// Clopper-Pearson's upper bound, one-sided, of a share of which `lost` of `questions` were seen.
double share_at_most(std::int64_t lost, std::int64_t questions) {
    if (lost >= questions) return 1;
    return beta_quantile(last_level, static_cast<double>(lost) + 1, static_cast<double>(questions - lost));
}

GateVerdict verdict_of(const Gate& gate) {
    if (gate.lower > -gate.margin) return GateVerdict::pass;
    return gate.upper < -gate.margin ? GateVerdict::fail : GateVerdict::inconclusive;
}

Interval tango_one_sided(const RunComparison& c, double level) {
    PairedCells cells;
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
        const bool a = c.correct_by_question_a[i] == 1;
        const bool b = c.correct_by_question_b[i] == 1;
        ++(a ? (b ? cells.both : cells.b_only) : (b ? cells.a_only : cells.neither));
    }
    return tango(cells, 2 * level - 1);
}

class FurtherSeeds {
public:
    FurtherSeeds(const RunComparison& c, const Gate& gate) : comparison_(c), gate_(gate) {}

    // The least number that decides; absent where the most would not.
    [[nodiscard]] std::optional<std::int64_t> least(bool both) const {
        if (!decided(both, most_further_seeds)) return std::nullopt;
        std::int64_t low = 0;  // does not decide
        std::int64_t high = most_further_seeds;
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            (decided(both, middle) ? high : low) = middle;
        }
        return high;
    }

private:
    [[nodiscard]] bool decided(bool both, std::int64_t more) const {
        const RunComparison& c = comparison_;
        const PairedDesign design{*c.omega2, *c.within_a, static_cast<double>(c.seeds_a + (both ? more : 0)),
                                  *c.within_b, static_cast<double>(c.seeds_b + more), static_cast<double>(c.rows.size())};
        const double half = two_sided_t(2 * last_level - 1, static_cast<double>(c.rows.size()) - 1) * design_error(design);
        const double floor = -std::max(gate_.unseen, gate_.lost > 0 ? share_at_most(gate_.lost, static_cast<std::int64_t>(c.rows.size())) : 0.0);
        return std::min(c.difference - half, floor) > -gate_.margin || c.difference + half < -gate_.margin;
    }

    const RunComparison& comparison_;
    const Gate& gate_;
};

SeedTable filled(SeedTable table, bool right) {
    for (Cell& cell : table.cells) {
        if (cell.scored()) continue;
        cell.state = CellState::complete;
        cell.correct = right;
    }
    return table;
}

std::int64_t without_score(const SeedTable& table) {
    return std::count_if(table.cells.begin(), table.cells.end(), [](const Cell& cell) { return !cell.scored(); });
}

}  // namespace

const char* to_string(GateVerdict verdict) {
    return verdict == GateVerdict::pass ? "PASS" : verdict == GateVerdict::fail ? "FAIL" : "INCONCLUSIVE";
}

Gate gate(const RunComparison& c, double margin, GateLook look) {
    const auto questions = static_cast<std::int64_t>(c.rows.size());
    Gate out;
    out.margin = margin;
    out.level = look == GateLook::last ? last_level : interim_level;
    out.unseen = share_at_most(0, questions);
    out.lost = net_lost(c);
    Bounds bounds(out, c.difference);
    if (c.over_questions) bounds.both(*c.over_questions, GateLimit::questions);
    if (c.this_test) bounds.both(*c.this_test, GateLimit::this_test);
    if (c.tango) {
        const Interval score = tango_one_sided(c, out.level);
        bounds.lower(score.low, GateLimit::single_runs);
        bounds.upper(score.high);
    }
    bounds.lower(-out.unseen, GateLimit::unseen);
    if (out.lost > 0) bounds.lower(-share_at_most(out.lost, questions), GateLimit::lost);
    out.lower = std::max(out.lower, -1.0);
    out.upper = std::min(out.upper, 1.0);
    out.verdict = verdict_of(out);
    if (out.verdict != GateVerdict::inconclusive || !c.omega2 || look == GateLook::interim) return out;
    out.more_seeds_known = true;
    const FurtherSeeds further(c, out);
    out.more_seeds_b = further.least(false);
    out.more_seeds_both = further.least(true);
    return out;
}

std::optional<Gate> gate_with_unscored(const SeedTable& a, const SeedTable& b, double margin, GateLook look) {
    const std::int64_t holes = without_score(a) + without_score(b);
    const auto worst = compare_runs(filled(a, true), filled(b, false), ExactTests::no);
    if (!worst) return std::nullopt;
    Gate out = gate(*worst, margin, look);
    if (holes == 0) return out;
    const Gate best = gate(*compare_runs(filled(a, false), filled(b, true), ExactTests::no), margin, look);
    if (out.verdict == GateVerdict::fail && best.verdict != GateVerdict::fail) out.verdict = GateVerdict::inconclusive;
    out.upper = best.upper;
    out.unscored = holes;
    out.more_seeds_known = false;  // first the attempts that are open
    return out;
}

}  // namespace assay::statistics
