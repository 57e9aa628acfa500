#include <fmt/format.h>

#include <cmath>

#include "reports/compare/compare_parts.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

using statistics::Gate;
using statistics::GateLimit;
using statistics::GateVerdict;

std::string verdict_words(const Gate& g) {
    const std::string margin = fmt::format("{:.2f}", 100 * g.margin);
    switch (g.verdict) {
        case GateVerdict::pass: return fmt::format("not worse by {} points or more: the lower bound {} lies above -{}", margin, points(g.lower), margin);
        case GateVerdict::fail: return fmt::format("worse by more than {} points: the upper bound {} lies below -{}", margin, points(g.upper), margin);
        case GateVerdict::inconclusive: break;
    }
    return fmt::format("neither shown: between {} and {} lies -{}", points(g.lower), points(g.upper), margin);
}

std::string limit_words(const Gate& g, std::int64_t questions) {
    switch (g.limit) {
        case GateLimit::questions: return "the error over questions like these (t)";
        case GateLimit::this_test: return "the error on these very questions, over further seeds";
        case GateLimit::single_runs: return "Tango's score interval of two single runs";
        case GateLimit::unseen:
            return fmt::format("{} questions cannot show that fewer than {} % of such questions are lost altogether", questions, percent(g.unseen));
        case GateLimit::lost: return fmt::format("{} lost in half of the seeds or more: as a share of {} (Clopper-Pearson)",
                                                 counted(g.lost, "question"), questions);
        case GateLimit::constant: break;
    }
    return "the difference itself, since no answer varies with the seed and no error can be estimated";
}

std::string seeds_words(const Gate& g, bool of_published_counts) {
    const char* words = "were the difference and the variances to stay as they are";
    if (g.more_seeds_b) return fmt::format("further seeds of {} would decide, {}", of_published_counts ? "the run" : "B", words);
    if (g.more_seeds_both) return fmt::format("further seeds of both runs would decide, {}; of B alone none would", words);
    return fmt::format("no number of seeds would decide, {}: {}", words,
                       of_published_counts ? "the published seeds leave too much open" : "more questions or another margin would");
}

}  // namespace

const char* limit_name(GateLimit limit) {
    switch (limit) {
        case GateLimit::questions: return "over_questions";
        case GateLimit::this_test: return "this_test";
        case GateLimit::single_runs: return "single_runs";
        case GateLimit::unseen: return "unseen";
        case GateLimit::lost: return "lost";
        case GateLimit::constant: break;
    }
    return "constant";
}

std::vector<Fact> gate_facts(const Gate& g, std::int64_t questions, bool of_published_counts) {
    const Tint tint = g.verdict == GateVerdict::pass ? Tint::green : g.verdict == GateVerdict::fail ? Tint::red : Tint::yellow;
    std::vector<Fact> out{{"gate", to_string(g.verdict), verdict_words(g) + (of_published_counts ? " (this test only)" : ""), tint}};
    out.push_back({"bounds", fmt::format("{} to {}", points(g.lower), points(g.upper)),
                   fmt::format("points, each one-sided {:g} %; the lower one by {}", 100 * g.level, limit_words(g, questions)), Tint::plain, true});
    if (g.unscored > 0) {
        out.push_back({"without a score", thousands(g.unscored), "attempts: the verdict holds however they would have come out; they widen the bounds",
                       Tint::red, true});
    }
    if (g.verdict == GateVerdict::inconclusive && g.more_seeds_known) {
        const auto more = g.more_seeds_b ? g.more_seeds_b : g.more_seeds_both;
        out.push_back({"to decide", more ? thousands(*more) : "none", seeds_words(g, of_published_counts), Tint::plain, true});
    }
    if (g.verdict == GateVerdict::inconclusive && !g.more_seeds_known) {
        out.push_back({"to decide", "not known", g.unscored > 0 ? "continue the runs first: attempts without a score may be what keeps it open"
                                                                : "there is no spread of seeds to reckon with: further seeds would show one",
                       Tint::plain, true});
    }
    return out;
}

}  // namespace assay::reports
