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
    if (!advice.extrapolated) {
        facts.push_back({"extrapolation", "-", "none: a lognormal distribution does not fit these lengths", Tint::plain, true});
        return facts;
    }
    const bool far = *advice.extrapolated > farthest_extrapolation;
    facts.push_back({"extrapolation", far ? "> 1e9" : thousands(std::llround(*advice.extrapolated)),
                     "tokens, were lengths lognormal (censored maximum likelihood): a guess beyond the data; replies that loop finish at no budget",
                     Tint::plain, true});
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
    if (advice->left_out > 0) out += fmt::format("{} scored replies say nothing of lengths (no token count, or stopped by a filter)\n", thousands(advice->left_out));
    return out;
}

}  // namespace assay::reports
