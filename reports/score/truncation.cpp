#include <fmt/format.h>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

std::string points(double fraction) { return percent(fraction) + " points"; }

Fact headline(const RunHeader& header, const statistics::Summary& s) {
    const statistics::TruncationLosses& t = s.truncation;
    const std::string budget = header.plan.budget ? fmt::format(" of {} tokens", thousands(*header.plan.budget)) : "";
    std::string words = fmt::format("cut at the budget{}; {} without a letter", budget, thousands(t.without_letter));
    if (t.with_letter > 0) words += fmt::format(", {} with one, {} of them right", thousands(t.with_letter), thousands(t.with_letter_right));
    if (s.pass_at_1 && t.bounds) words += fmt::format("; at most +{}", points(t.bounds->high - *s.pass_at_1));
    return {"truncated", fmt::format("{} ({})", thousands(t.truncated), share(t.truncated, s.total.scored)), words, Tint::yellow};
}

void add_scores(std::vector<Fact>& out, const statistics::TruncationLosses& t) {
    out.push_back({"where", fmt::format("{} / {}", thousands(t.in_thinking), thousands(t.in_answer)), "cut while thinking / in the answer",
                   Tint::plain, true});
    if (t.on_finished) {
        out.push_back({"finished replies", percent(*t.on_finished) + " %",
                       "right among the replies that finished: no estimate of the whole, since the long ones are the hard ones", Tint::plain, true});
    }
    if (!t.bounds || t.without_letter == 0) return;
    std::string words = "the score were every cut reply without a letter wrong, and were every one right (Manski)";
    if (t.true_score) words += fmt::format("; over questions like these, 95 %: {} - {}", percent(t.true_score->low, 1), percent(t.true_score->high, 1));
    out.push_back({"bounds", fmt::format("{} - {}", percent(t.bounds->low), percent(t.bounds->high)), words, Tint::plain, true});
    if (!t.recovery) return;
    out.push_back({"recovery", "+" + percent(t.recovery->recoverable),
                   fmt::format("points, optimistic: were cut replies right as often as finished ones to the same question ({} %)",
                               percent(t.recovery->adjusted)),
                   Tint::plain, true});
}

void add_silent(std::vector<Fact>& out, const RunHeader& header, const statistics::TruncationLosses& t) {
    if (t.finished_at_budget > 0) {
        out.push_back({"cut silently?", thousands(t.finished_at_budget),
                       fmt::format("said to have finished at exactly the budget of {} tokens: probably cut", thousands(header.plan.budget.value_or(0))),
                       Tint::yellow, true});
    }
    if (t.cut_below_budget > 0) {
        const std::string at = *t.lowest_cut == *t.highest_cut ? thousands(*t.lowest_cut)
                                                               : fmt::format("{} to {}", thousands(*t.lowest_cut), thousands(*t.highest_cut));
        out.push_back({"cut below budget", thousands(t.cut_below_budget),
                       fmt::format("at {} tokens, below the budget of {}: a limit of the server's own", at, thousands(header.plan.budget.value_or(0))),
                       Tint::yellow, true});
    }
}

}  // namespace

void add_truncation(std::vector<Fact>& out, const RunHeader& header, const statistics::Summary& s) {
    if (s.truncation.truncated == 0) {
        out.push_back({"truncated", "0", "no reply was cut at its budget"});
    } else {
        out.push_back(headline(header, s));
        add_scores(out, s.truncation);
    }
    add_silent(out, header, s.truncation);
}

}  // namespace assay::reports
