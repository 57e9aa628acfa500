#include "datasets/cast/summary.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace assay::cast {

std::string summary_members(const CastSummary& summary) {
    using Json = nlohmann::ordered_json;
    Json exponents = Json::object();
    for (const auto& [m, weights] : summary.counts.exponents) exponents[fmt::format("{}", m)] = weights;
    Json json{{"format", "assay.cast/1"},
              {"source_layouts", summary.source_layouts},
              {"dialect", to_string(summary.options.dialect)},
              {"scale_sharing", to_string(summary.options.sharing)},
              {"activations", summary.options.input_scales ? "w4a4" : "w4a16"},
              {"quant_algo", summary.options.w4a16_name ? "W4A16_NVFP4" : "NVFP4"},
              {"tensors", summary.totals.tensors},
              {"total_size", summary.totals.total_size},
              {"file_bytes", summary.totals.file_bytes},
              {"weights", summary.totals.modules},
              {"blocks", summary.totals.blocks},
              {"zero_blocks_under_another_scale", summary.counts.zeros},
              {"rescued", summary.counts.rescued},
              {"rounded", summary.counts.rounded},
              {"nan", summary.counts.nan},
              {"global_scale_exponents", exponents},
              {"source_fingerprint", summary.source_fingerprint},
              {"target_fingerprint", summary.target_fingerprint}};
    json["verification"] = summary.verified ? "verified" : "not verified";
    if (summary.verified) {
        const Verified& v = *summary.verified;
        json["verified"] = {{"blocks", v.blocks},         {"blocks_exact", v.exact},
                            {"payload_equal", v.payload_equal}, {"max_abs_err", v.max_abs_err},
                            {"weights", v.weights},       {"tensors", v.tensors},
                            {"tensors_identical", v.tensors_identical}};
    } else {
        json["verified"] = nullptr;
    }
    json["findings"] = {{"errors", summary.errors}, {"warnings", summary.warnings}, {"notes", summary.findings_noted}};
    json["notes"] = summary.notes;
    const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
    // Without "{\n" and "\n}".
    return text.substr(2, text.size() - 4);
}

}  // namespace assay::cast
