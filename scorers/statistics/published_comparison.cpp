#include "scorers/statistics/published_comparison.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/seed_spread.hpp"

namespace assay::statistics {
namespace {

constexpr std::int64_t most_further_seeds = 100'000;

struct Side {
    double mean = 0;
    double variance = 0;  // of one seed
    double seeds = 0;
};

Side side_of(std::span<const std::int64_t> counts, std::int64_t questions) {
    if (counts.size() < 2) return {static_cast<double>(counts.front()) / static_cast<double>(questions), 0, 1};
    const SeedSpread spread = seed_spread(counts, questions, 0.95);  // from whole numbers: seeds that are alike have sd 0 exactly
    return {spread.mean, spread.sd * spread.sd, static_cast<double>(counts.size())};
}

std::optional<Estimate> estimate_of(const Side& run, const Side& published) {
    const double difference = run.mean - published.mean;
    if (run.seeds < 2 || published.seeds < 2) {
        const Side& known = run.seeds < 2 ? published : run;
        if (known.seeds < 2 || known.variance <= 0) return std::nullopt;
        return Estimate{difference, std::sqrt(known.variance * (1 + 1 / known.seeds)), known.seeds - 1};
    }
    const double a = run.variance / run.seeds;
    const double b = published.variance / published.seeds;
    if (a + b <= 0) return std::nullopt;
    const double degrees = (a + b) * (a + b) / (a * a / (run.seeds - 1) + b * b / (published.seeds - 1));  // Satterthwaite
    return Estimate{difference, std::sqrt(a + b), degrees};
}

}  // namespace

PublishedComparison compare_with_published(std::span<const std::int64_t> run, std::span<const std::int64_t> published, std::int64_t questions) {
    assert(!run.empty() && !published.empty() && questions > 0);
    const Side ours = side_of(run, questions);
    const Side theirs = side_of(published, questions);
    PublishedComparison out;
    out.mean_run = ours.mean;
    out.mean_published = theirs.mean;
    if (ours.seeds >= 2) out.sd_run = std::sqrt(ours.variance);
    if (theirs.seeds >= 2) out.sd_published = std::sqrt(theirs.variance);
    out.difference = ours.mean - theirs.mean;
    out.estimate = estimate_of(ours, theirs);
    if (!out.estimate) return out;
    out.interval = two_sided_interval(*out.estimate, 0.95);
    out.p_two_sided = student_t_two_sided(out.difference / out.estimate->error, out.estimate->degrees);
    return out;
}

Gate gate_published(const PublishedComparison& c, std::int64_t run_seeds, std::int64_t published_seeds, double margin) {
    Gate out;
    out.margin = margin;
    out.limit = c.estimate ? GateLimit::this_test : GateLimit::constant;
    out.lower = out.upper = c.difference;
    if (!c.estimate) return out;
    out.lower = lower_bound(*c.estimate, 0.95);
    out.upper = std::min(1.0, 2 * c.difference - out.lower);
    out.lower = std::max(-1.0, out.lower);
    if (out.lower > -margin) out.verdict = GateVerdict::pass;
    else if (out.upper < -margin) out.verdict = GateVerdict::fail;
    if (out.verdict != GateVerdict::inconclusive || !c.sd_run || !c.sd_published) return out;
    out.more_seeds_known = true;
    const double theirs = *c.sd_published * *c.sd_published / static_cast<double>(published_seeds);
    const auto decides = [&](std::int64_t more) {
        const double half = two_sided_z(0.90) * std::sqrt(*c.sd_run * *c.sd_run / static_cast<double>(run_seeds + more) + theirs);
        return c.difference - half > -margin || c.difference + half < -margin;
    };
    if (!decides(most_further_seeds)) return out;
    std::int64_t low = 0;
    std::int64_t high = most_further_seeds;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (decides(middle) ? high : low) = middle;
    }
    out.more_seeds_b = high;
    return out;
}

}  // namespace assay::statistics
