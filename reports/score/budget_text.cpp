#include <fmt/format.h>

#include <cmath>

#include "reports/score/budget_report.hpp"
#include "reports/terminal/fact.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/table.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

constexpr double farthest_extrapolation = 1e9;  // tokens; beyond it a number would be no advice

std::string tokens(double budget) { return budget > farthest_extrapolation ? "> 1e9" : thousands(std::llround(budget)); }

// Guesses beyond the data, from two families: where they differ much, the lengths on record do not settle it.
void add_extrapolations(std::vector<Fact>& facts, const statistics::BudgetAdvice& advice) {
    if (advice.extrapolated) {
        facts.push_back({"extrapolation", tokens(*advice.extrapolated),
                         "tokens, were lengths lognormal (censored maximum likelihood): a guess beyond the data; replies that loop finish at no budget",
                         Tint::plain, true});
    } else {
        facts.push_back({"extrapolation", "-", "none: a lognormal distribution does not fit these lengths", Tint::plain, true});
    }
    if (!advice.tail) {
        facts.push_back({"heavy tail", "-", "none: too few of the longest replies finished to fit a Pareto tail", Tint::plain, true});
        return;
    }
    const std::string fit = fmt::format("Pareto beyond {} tokens (exponent {:.2f}, from {} of {} that finished)", thousands(advice.tail->threshold),
                                        advice.tail->alpha, thousands(advice.tail->finished), thousands(advice.tail->above));
    if (!advice.extrapolated_by_tail) {
        facts.push_back({"heavy tail", "-", "none: a tail that is " + fit + " does not fit the share that was cut", Tint::plain, true});
        return;
    }
    facts.push_back({"heavy tail", tokens(*advice.extrapolated_by_tail), "tokens, were the longest replies " + fit + ": a guess too, from another family",
                     Tint::plain, true});
    if (!advice.extrapolated) return;
    const double ratio = *advice.extrapolated_by_tail / *advice.extrapolated;
    if (ratio > 2 || ratio < 0.5) {
        facts.push_back({"the two disagree", fmt::format("{:.1f} times", std::fmax(ratio, 1 / ratio)),
                         "so these lengths do not say what budget is enough: run some of the cut questions with a larger one", Tint::yellow, true});
    }
}

std::vector<Fact> facts_of(const statistics::BudgetAdvice& advice) {
    const std::string wished = percent(advice.wished);
    std::vector<Fact> facts;
    if (advice.smallest) {
        facts.push_back({"smallest budget", thousands(*advice.smallest),
                         fmt::format("tokens: the smallest that would have cut at most {} % of these replies", wished)});
        return facts;
    }
    facts.push_back({"smallest budget", "not identified",
                     fmt::format("more than {} % were cut at the budget used: how long they would have become is not on record", wished), Tint::yellow});
    add_extrapolations(facts, advice);
    return facts;
}

}  // namespace

std::string budget_text(const RunHeader& header, const std::optional<statistics::BudgetAdvice>& advice, const Look& look) {
    if (!advice) return "budget: no reply has a token count, so that nothing can be said of other budgets\n";
    const std::string used = header.plan.budget ? fmt::format("; used: {} tokens", thousands(*header.plan.budget)) : "";
    std::string out;
    if (!header.plan.simulated.empty()) out += wrapped("SIMULATED", "   a simulated endpoint answered, not a model", look.width, 4);
    out += wrapped("", fmt::format("what other budgets would have cut, by the lengths of {} replies, {} of them finished{}",
                                              thousands(advice->replies), thousands(advice->finished), used), look.width, 4);
    Table table;
    table.column("budget").column("truncated");
    for (const statistics::BudgetShare& row : advice->smaller) table.row({thousands(row.budget), percent(row.longer) + " %"});
    out += table.text(look);
    for (const Fact& fact : facts_of(*advice)) out += fact_text(fact, look);
    if (advice->cut_short > 0) {
        out += wrapped("", fmt::format("{} of them cut before {} tokens: how long they would have become is estimated from those that went on (Kaplan-Meier)",
                                       thousands(advice->cut_short), thousands(advice->largest)), look.width, 4);
    }
    if (advice->left_out > 0) {
        out += wrapped("", fmt::format("{} scored replies say nothing of lengths (no token count, or stopped by a filter)", thousands(advice->left_out)), look.width, 4);
    }
    if (advice->without_score > 0) {
        out += wrapped("", fmt::format("{} without a score left out: of a run that is not over these are the long ones, so that the budgets above are too small",
                                       counted(advice->without_score, "attempt")), look.width, 4);
    }
    return out;
}

}  // namespace assay::reports
