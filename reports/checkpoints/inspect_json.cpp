#include <cmath>
#include <nlohmann/json.hpp>

#include "datasets/checkpoints/layout.hpp"
#include "reports/checkpoints/inspect_report.hpp"

namespace assay::reports {
namespace {

using namespace checkpoints;
using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinity; they are told by name.
Json number(double value) {
    if (std::isfinite(value)) return value;
    return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

Json numbers(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(number(value));
    return list;
}

Json rows(const std::vector<InventoryRow>& rows) {
    Json list = Json::array();
    for (const InventoryRow& row : rows) {
        Json item{{"pattern", row.pattern}};
        if (row.layout) item["layout"] = layout_of(*row.layout).name;
        item["dtype"] = to_string(row.dtype);
        item["shape"] = row.shape;
        item["count"] = row.count;
        item["tensors"] = row.tensors;
        item["bytes"] = row.bytes;
        if (row.layout) item["input_scales"] = row.input_scales;
        list.push_back(std::move(item));
    }
    return list;
}

Json config(const QuantizationConfig& config) {
    return {{"where", config.where},
            {"dialect", to_string(config.dialect)},
            {"quant_method", config.quant_method},
            {"format", config.format},
            {"quant_algo", config.quant_algo},
            {"ignore", config.ignore},
            {"exclude_modules", config.exclude_modules},
            {"quantized_layers", config.layers.size()},
            {"faults", config.faults}};
}

Json shard(const Shard& shard) {
    Json faults = Json::array();
    for (const HeaderFault& fault : shard.faults) {
        faults.push_back({{"kind", to_string(fault.kind)},
                          {"message", fault.message},
                          {"tensor", fault.tensor},
                          {"other_tensor", fault.other_tensor},
                          {"offset", fault.offset},
                          {"expected", fault.expected},
                          {"found", fault.found}});
    }
    return {{"file", shard.file},         {"indexed", shard.indexed},           {"present", shard.present},
            {"bytes", shard.bytes},       {"header_bytes", shard.header_bytes}, {"fault_count", shard.fault_count},
            {"faults", std::move(faults)}};
}

Json broken(const Recognition& recognition) {
    Json list = Json::array();
    for (const BrokenModule& module : recognition.broken) {
        Json faults = Json::array();
        for (const PartFault& fault : module.faults)
            faults.push_back({{"tensor", fault.tensor}, {"message", fault.message}});
        list.push_back({{"module", module.name},
                        {"nearest_layout", layout_of(module.layout).name},
                        {"faults", std::move(faults)}});
    }
    return list;
}

// Names from outside need not be UTF-8 everywhere (file names): what is not is replaced.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string inspect_json(const InspectReport& report) {
    const Checkpoint& checkpoint = report.checkpoint;
    const Inventory& inventory = report.inventory;
    Json json{{"format", "assay.inspect/1"},        {"checkpoint", checkpoint.folder},
              {"tensors", inventory.tensors},       {"tensor_bytes", inventory.bytes},
              {"file_bytes", inventory.file_bytes}, {"modules", report.recognition.modules.size()},
              {"blocks", inventory.blocks}};
    json["index"] = nullptr;
    if (checkpoint.index) {
        json["index"] = {{"file", checkpoint.index->file},
                         {"entries", checkpoint.index->entries.size()},
                         {"files", checkpoint.index->files.size()},
                         {"total_size", nullptr},
                         {"faults", checkpoint.index->faults}};
        if (checkpoint.index->total_size) json["index"]["total_size"] = *checkpoint.index->total_size;
    }
    json["configs"] = Json::array();
    for (const QuantizationConfig& one : checkpoint.configs) json["configs"].push_back(config(one));
    json["config_troubles"] = checkpoint.config_troubles;
    json["quantized"] = rows(inventory.modules);
    json["other"] = rows(inventory.plain);
    json["broken"] = broken(report.recognition);
    json["shards"] = Json::array();
    for (const Shard& one : checkpoint.shards) json["shards"].push_back(shard(one));
    return dumped(json);
}

std::string tensor_json(const TensorDetail& detail) {
    Json json{{"format", "assay.inspect-tensor/1"}, {"tensors", Json::array()}};
    for (std::size_t i = 0; i < detail.tensors.size(); ++i) {
        const Tensor& tensor = detail.tensors[i];
        json["tensors"].push_back({{"name", tensor.name},
                                   {"dtype", to_string(tensor.dtype)},
                                   {"shape", tensor.shape},
                                   {"bytes", tensor.bytes()},
                                   {"offset", tensor.begin},
                                   {"shard", detail.shards[i]}});
    }
    if (detail.module) {
        const Module& module = *detail.module;
        json["module"] = {{"name", module.name},
                          {"layout", layout_of(module.layout).name},
                          {"banks", module.banks},
                          {"rows", module.rows},
                          {"columns", module.columns}};
        json["global_scales"] = numbers(detail.global_scales);
    }
    if (detail.scale_codes) {
        Json codes = Json::object();
        for (std::size_t code = 0; code < 256; ++code) {
            if ((*detail.scale_codes)[code] != 0) codes[std::to_string(code)] = (*detail.scale_codes)[code];
        }
        json["scale_codes"] = std::move(codes);
    }
    json["first_values"] = numbers(detail.first_values);
    json["faults"] = detail.faults;
    return dumped(json);
}

}  // namespace assay::reports
