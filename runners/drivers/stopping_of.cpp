#include "runners/drivers/stopping_of.hpp"

#include <algorithm>

#include "scorers/statistics/early_stop.hpp"

namespace assay::runners {

std::optional<reports::Stopping> stopping_of(const runs::RunContents& contents) {
    const auto& looks = contents.totals.looks;
    if (looks.empty()) return std::nullopt;
    const runs::Look& last = looks.back();
    reports::Stopping out;
    out.rule = last.rule;
    out.decision = last.decision;
    out.seeds = static_cast<int>(last.seeds.size());
    out.seeds_asked = static_cast<int>(contents.seeds.size() + contents.seeds_outside.size());
    out.replies_outside = contents.replies_outside;
    for (const runs::Look& look : looks) {
        const bool is_look = look.decision == runs::decision::go_on || look.decision == runs::decision::stop || look.decision == runs::decision::end;
        if (is_look && look.rule == last.rule) ++out.looks;
    }
    out.bound = last.bound;
    out.half_width = last.half_width;
    out.lower = last.lower;
    out.upper = last.upper;
    out.level = last.level;
    out.verdict = last.verdict;
    return out;
}

void add_coverage(reports::Stopping& stopping, double seed_sd) {
    if (!stopping.half_width || !stopping.bound || !(seed_sd > 0) || !(*stopping.bound > 0)) return;
    // Looks began with the first that was made.
    const int first = std::max(2, stopping.seeds - stopping.looks + 1);
    stopping.coverage = statistics::coverage_when_stopped(seed_sd, *stopping.bound, first, std::max(first, stopping.seeds_asked));
}

}  // namespace assay::runners
