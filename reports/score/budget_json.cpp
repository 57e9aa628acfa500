#include "reports/score/budget_report.hpp"
#include "reports/score/score_json_parts.hpp"

namespace assay::reports {

using Json = ReportJson;

std::string budget_json(const RunHeader& header, const std::optional<statistics::BudgetAdvice>& advice) {
    Json out = {{"format", "assay.budget_advice/1"},
                {"run", or_null(header.run)},
                {"simulated", or_null(header.plan.simulated)},
                {"budget", or_null(header.plan.budget)},
                {"replies", advice ? advice->replies : 0}};
    if (advice) {
        Json shares = Json::array();
        for (const statistics::BudgetShare& row : advice->smaller) shares.push_back({{"budget", row.budget}, {"longer", row.longer}});
        Json fitted = nullptr;
        if (advice->fitted) {
            fitted = {{"method", "censored lognormal, maximum likelihood"}, {"mu", advice->fitted->mu}, {"sigma", advice->fitted->sigma},
                      {"budget", or_null(advice->extrapolated)}};
        }
        Json tail = nullptr;
        if (advice->tail) {
            tail = {{"method", "Pareto tail, censored Hill estimator"},
                    {"threshold", advice->tail->threshold},
                    {"share", advice->tail->share},
                    {"alpha", advice->tail->alpha},
                    {"above", advice->tail->above},
                    {"finished", advice->tail->finished},
                    {"budget", or_null(advice->extrapolated_by_tail)}};
        }
        out["finished"] = advice->finished;
        out["left_out"] = advice->left_out;
        out["without_score"] = advice->without_score;
        out["cut_short"] = advice->cut_short;
        out["largest"] = advice->largest;
        out["shares"] = std::move(shares);
        out["wished"] = advice->wished;
        out["smallest"] = or_null(advice->smallest);
        out["extrapolation"] = std::move(fitted);
        out["extrapolation_by_tail"] = std::move(tail);
    }
    return out.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
