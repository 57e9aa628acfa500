#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/checkpoints/audit_report.hpp"
#include "reports/checkpoints/rebuilt_json.hpp"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

Json difference(const bit_exact::LocatedDifference& one) {
    const bit_exact::BlockDifference& b = one.block;
    return {{"weight", one.weight},
            {"source_shard", one.source_shard},
            {"target_shard", one.target_shard},
            {"row", b.row},
            {"block", b.block},
            {"element", b.element},
            {"class", to_string(b.kind)},
            {"source_code", b.source_code},
            {"target_code", b.target_code},
            {"source_scale", b.source_scale},
            {"target_scale", b.target_scale},
            {"source_value", number(b.source_value)},
            {"target_value", number(b.target_value)}};
}

Json finding(const rules::Finding& one) {
    Json json{{"rule", one.rule}, {"severity", to_string(one.severity)}, {"shard", one.shard}, {"tensor", one.tensor}};
    json["row"] = one.row ? Json(*one.row) : Json(nullptr);
    json["block"] = one.block ? Json(*one.block) : Json(nullptr);
    json["message"] = one.message;
    json["consequence"] = one.consequence;
    return json;
}

// Null where everything was read.
Json sample(const bit_exact::PairAudit& audit) {
    if (!audit.sample) return nullptr;
    return {{"fraction", audit.sample->fraction},
            {"seed", audit.sample->seed},
            {"bytes_read", audit.sample->bytes},
            {"bytes", audit.sample->bytes_all}};
}

Json fingerprint(const std::optional<checkpoints::Digest>& digest) {
    return digest ? Json(checkpoints::to_hex(*digest)) : Json(nullptr);
}

// The checkpoint's own, in whichever way it was read.
Json fingerprint(const AuditReport& report) {
    if (report.pair) return fingerprint(report.pair->target_fingerprint);
    return report.fingerprint ? Json(*report.fingerprint) : Json(nullptr);
}

Json pair(const AuditReport& report) {
    const bit_exact::PairAudit& audit = *report.pair;
    Json classes = Json::object();
    for (std::size_t i = 0; i < bit_exact::difference_count; ++i)
        classes[std::string(to_string(static_cast<bit_exact::Difference>(i)))] = audit.blocks.differences[i];
    Json differences = Json::array();
    for (const bit_exact::LocatedDifference& one : audit.differences) differences.push_back(difference(one));
    return {{"source", report.source},
            {"source_layouts", report.source_layouts},
            {"source_fingerprint", fingerprint(audit.source_fingerprint)},
            {"target_fingerprint", fingerprint(audit.target_fingerprint)},
            {"sample", sample(audit)},
            {"blocks", report.source_blocks},
            {"blocks_compared", audit.blocks.blocks},
            {"blocks_exact", audit.blocks.exact},
            {"blocks_payload_equal", audit.blocks.payload_equal},
            {"blocks_served_fp32_equal", audit.blocks.served_fp32},
            {"blocks_served_bf16_equal", audit.blocks.served_bf16},
            {"blocks_unread", audit.unread_blocks},
            {"max_abs_err", number(audit.blocks.max_abs_err)},
            {"differences", std::move(classes)},
            {"error_histogram", audit.blocks.errors},
            {"weights", audit.weights},
            {"weights_exact", audit.weights_exact},
            {"source_tensors", report.source_tensors},
            {"tensors_passed_through", audit.tensors},
            {"tensors_identical", audit.tensors_identical},
            {"tensors_renamed", audit.renamed.size()},
            {"interrupted", audit.cancelled},
            {"unreadable", audit.unreadable.size()},
            {"first_differences", std::move(differences)}};
}

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Of many findings those that are listed, in their order: a thousand, and none before a graver one. Counts are whole.
std::vector<std::size_t> listed(const std::vector<rules::Finding>& findings) {
    using rules::Severity;
    constexpr std::size_t most = 1000;
    std::vector<std::size_t> chosen;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
        for (std::size_t i = 0; i < findings.size() && chosen.size() < most; ++i) {
            if (findings[i].severity == severity) chosen.push_back(i);
        }
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}  // namespace

std::string audit_json(const AuditReport& report) {
    using rules::Severity;
    Json json{{"format", "assay.audit/1"}, {"checkpoint", report.target}, {"layouts", report.target_layouts}};
    json["fingerprint"] = fingerprint(report);
    json["against"] = report.pair ? pair(report) : Json(nullptr);
    json["rebuilt"] = report.rebuilt ? rebuilt_json(*report.rebuilt) : Json(nullptr);
    json["errors"] = report.count(Severity::error);
    json["warnings"] = report.count(Severity::warning);
    json["notes"] = report.count(Severity::note);
    json["findings"] = Json::array();
    for (const std::size_t i : listed(report.findings)) json["findings"].push_back(finding(report.findings[i]));
    return dumped(json, 2);
}

std::string difference_line(const bit_exact::LocatedDifference& one) {
    Json json{{"format", "assay.difference/1"}};
    json.update(difference(one));
    return dumped(json, -1);
}

}  // namespace assay::reports
