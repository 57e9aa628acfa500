#include <fmt/format.h>

#include <cmath>

#include "reports/compare/compare_parts.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

using statistics::RunComparison;

std::string signed_points(double fraction) { return points(fraction) + " points"; }

const char* answer(const statistics::Interval& interval) {
    if (interval.high < 0) return "yes";
    return interval.low > 0 ? "no, it is better" : "not shown, nor that it is better: 0 lies within";
}

void add_difference(std::vector<Fact>& out, const RunComparison& c) {
    std::string words = "B - A, paired by question";
    if (c.over_questions) {
        const statistics::Interval interval = two_sided_interval(*c.over_questions, 0.95);
        words = fmt::format("95 % CI {}: is B worse on questions like these? {} (paired t, {} degrees of freedom)", points_range(interval),
                            answer(interval), c.over_questions->degrees);
    } else {
        words += ": every question differs by the same, so that there is no spread to judge it by";
    }
    out.push_back({"difference", signed_points(c.difference), words, Tint::bold});
    if (c.this_test) {
        const statistics::Interval interval = two_sided_interval(*c.this_test, 0.95);
        std::string test = fmt::format("95 % CI {}: is B worse on these very questions, asked again and again? {}", points_range(interval),
                                       answer(interval));
        if (c.within_borrowed) test += "; one run has a single seed, and the other's spread stands in for its own";
        out.push_back({"this test only", fmt::format("+/- {}", percent(1.959963984540054 * c.this_test->error)), test, Tint::plain, true});
    }
    if (c.tango) {
        out.push_back({"score interval", "-", fmt::format("95 % CI {}: two single runs on the same questions (Tango)", points_range(*c.tango)), Tint::plain, true});
    }
}

void add_tests(std::vector<Fact>& out, const RunComparison& c) {
    out.push_back({"sign-flip test", "p " + p_value(c.sign_flip.p_two_sided),
                   "exact: do the two systems differ on questions like these"});
    if (c.within) {
        out.push_back({"same system?", "p " + p_value(c.within->p_two_sided),
                       "exact, within questions: did one system give both runs' answers to these very questions; it says nothing of other questions"});
    }
    if (c.mcnemar) {
        out.push_back({"McNemar", "p " + p_value(c.mcnemar->p_two_sided), fmt::format("exact, two single runs; mid-p {}", p_value(c.mcnemar->mid_p_two_sided))});
    }
}

std::string flip_words(const statistics::ExcessFlips& flips, const std::optional<double>& p) {
    std::string words = fmt::format("A's and B's seeds differ on {} % of questions, A's among themselves on {}, B's on {}", percent(flips.cross),
                                    percent(flips.self_a), percent(flips.self_b));
    if (p) words += fmt::format("; that much from one system: p {} (exact)", p_value(*p));
    return words;
}

void add_flips(std::vector<Fact>& out, const RunComparison& c) {
    if (!c.flips) return;
    out.push_back({"excess flips", points(c.flips->excess),
                   "points, of right and wrong: " + flip_words(*c.flips, c.flips_p)});
    if (c.letters) out.push_back({"of letters", points(c.letters->flips.excess), "points, whichever letter: " + flip_words(c.letters->flips, c.letters->p), Tint::plain, true});
}

void add_truncation(std::vector<Fact>& out, const RunComparison& c) {
    const statistics::TruncationSplit& t = c.truncation;
    if (t.cut_a + t.cut_b == 0) {
        out.push_back({"truncated", "0", "no reply of either run was cut: truncation has no part in the difference"});
        return;
    }
    out.push_back({"truncated", fmt::format("{} / {}", thousands(t.cut_a), thousands(t.cut_b)),
                   fmt::format("in A ({}) and in B ({})", share(t.cut_a, t.attempts_a), share(t.cut_b, t.attempts_b)), Tint::yellow});
    out.push_back({"by finished ones", points(t.by_finished), "points of the difference: the score of replies that finished", Tint::plain, true});
    out.push_back({"by truncation", points(t.by_rate + t.by_cut),
                   fmt::format("points: {} by how many were cut, {} by what the cut ones said", points(t.by_rate), points(t.by_cut)), Tint::plain, true});
    out.push_back({"by question", points(t.on_cut_questions),
                   fmt::format("points from the {} with a cut reply in either run, {} from the others", counted(t.questions_cut, "question"),
                               points(t.on_other_questions)),
                   Tint::plain, true});
}

}  // namespace

std::vector<Fact> comparison_facts(const ComparisonReport& report) {
    const RunComparison& c = report.comparison;
    std::vector<Fact> out;
    add_difference(out, c);
    add_tests(out, c);
    add_flips(out, c);
    add_truncation(out, c);
    if (c.detectable) {
        out.push_back({"could have seen", percent(*c.detectable) + " points",
                       "the smallest difference that this many questions and seeds find with 80 % power (two-sided 5 %)"});
    }
    return out;
}

}  // namespace assay::reports
