#include "reports/checkpoints/rebuilt_json.hpp"

namespace assay::reports {

nlohmann::ordered_json rebuilt_json(const RebuiltReport& report) {
    using Json = nlohmann::ordered_json;
    constexpr std::size_t most = 10 * RebuiltReport::most_shown;  // counts are whole
    const checkpoints::RebuiltDigests& made = report.digests;
    Json json{{"weights", made.weights},
              {"weights_undone", made.undone},
              {"files", made.files},
              {"files_rebuilt", made.files_rebuilt},
              {"tensors_rebuilt", made.list.tensors.size()},
              {"interrupted", made.cancelled}};
    const auto text = [](const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); };
    json["fingerprint"] = text(made.list.fingerprint);
    json["checkpoint_fingerprint"] = text(made.cast_fingerprint);
    json["against"] = nullptr;
    if (report.against)
        json["against"] = {{"file", report.given},
                           {"files", report.against->files},
                           {"files_same", report.against->files_same},
                           {"tensors", report.against->tensors},
                           {"tensors_same", report.against->tensors_same}};
    json["file_digests"] = Json::array();
    for (const checkpoints::FileDigest& one : made.list.files) {
        if (json["file_digests"].size() < most)
            json["file_digests"].push_back({{"file", one.file}, {"bytes", one.bytes}, {"sha256", one.sha256}});
    }
    json["tensor_digests"] = Json::array();
    for (const checkpoints::TensorDigest& one : made.list.tensors) {
        if (json["tensor_digests"].size() < most)
            json["tensor_digests"].push_back({{"tensor", one.tensor}, {"sha256", one.sha256}});
    }
    return json;
}

}  // namespace assay::reports
