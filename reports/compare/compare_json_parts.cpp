#include "reports/compare/compare_json_parts.hpp"

#include <cmath>

#include "reports/compare/compare_parts.hpp"

namespace assay::reports {

using Json = CompareJson;

Json interval_json(const std::optional<statistics::Interval>& interval) {
    if (!interval) return nullptr;
    return {{"low", interval->low}, {"high", interval->high}};
}

Json estimate_json(const std::optional<statistics::Estimate>& estimate, const char* method, const char* answers) {
    if (!estimate) return nullptr;
    Json out = interval_json(within_scores(two_sided_interval(*estimate, 0.95)));
    out["level"] = 0.95;
    out["error"] = estimate->error;
    out["degrees"] = std::isinf(estimate->degrees) ? Json(nullptr) : Json(estimate->degrees);
    out["method"] = method;
    out["answers"] = answers;
    return out;
}

Json gate_json(const std::optional<statistics::Gate>& gate) {
    if (!gate) return nullptr;
    return {{"margin", gate->margin},
            {"verdict", statistics::to_string(gate->verdict)},
            {"lower", gate->lower},
            {"upper", gate->upper},
            {"level_one_sided", gate->level},
            {"limit", limit_name(gate->limit)},
            {"unseen", gate->unseen},
            {"lost", gate->lost},
            {"unscored", gate->unscored},
            {"more_seeds",
             {{"known", gate->more_seeds_known}, {"b", value_or_null(gate->more_seeds_b)}, {"both", value_or_null(gate->more_seeds_both)}}}};
}

Json run_json(const RunHeader& header) {
    return {{"run", header.run},
            {"source", header.source},
            {"model", text_or_null(header.plan.model)},
            {"extractor", header.extractor},
            {"plan_hash", text_or_null(header.plan_hash)},
            {"budget", value_or_null(header.plan.budget)},
            {"simulated", text_or_null(header.plan.simulated)}};
}

std::string finished(const Json& json) { return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n"; }

}  // namespace assay::reports
