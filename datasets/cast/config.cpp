#include "datasets/cast/config.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "datasets/cast/exclusions.hpp"
#include "harness/error.hpp"

namespace assay::cast {
namespace {

using namespace checkpoints;
using Json = nlohmann::ordered_json;

// What the tensors say about the model's weights.
struct Contents {
    std::vector<std::string_view> quantized;
    std::set<std::string> banks;  // the part of their names before ".<expert>.": "layers.0.ffn.experts"
    Exclusions exclusions;
    const Module* fp8 = nullptr;  // the first FP8 weight, if any
};

std::string bank_of(const std::string& module) {
    const auto at = module.rfind(".experts.");
    return at == std::string::npos ? module : module.substr(0, at + 8);
}

Contents contents_of(const CastPlan& plan) {
    Contents contents;
    const auto& modules = plan.source().recognition.modules;
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (plan.is_cast(i)) {
            contents.quantized.push_back(modules[i].name);
            contents.banks.insert(bank_of(modules[i].name));
        } else if (contents.fp8 == nullptr && !layout_of(modules[i].layout).fp4()) {
            contents.fp8 = &modules[i];
        }
    }
    std::vector<std::string_view> plain = plain_linears(plan.source());
    for (std::uint32_t i = 0; i < modules.size(); ++i) {
        if (!plan.is_cast(i)) plain.push_back(modules[i].name);
    }
    contents.exclusions = exclusions(contents.quantized, plain);
    return contents;
}

std::string algorithm(const CastPlan& plan) { return plan.options().w4a16_name ? "W4A16_NVFP4" : "NVFP4"; }

// Model Optimizer's description of a side of the matrix product.
Json modelopt_numbers() { return {{"dynamic", false}, {"num_bits", 4}, {"type", "float"}, {"group_size", 16}}; }

Json modelopt_groups(const CastPlan& plan) {
    Json group;
    group["input_activations"] = plan.options().input_scales ? modelopt_numbers() : Json(nullptr);
    group["weights"] = modelopt_numbers();
    group["targets"] = {"Linear"};
    return {{"group_0", group}};
}

// vLLM takes an hf_quant_config.json of no other producer than this.
Json producer(std::string_view version) { return {{"name", "modelopt"}, {"version", fmt::format("assay {}", version)}}; }

Json modelopt_config(const CastPlan& plan, const Contents& contents, std::string_view version) {
    Json config;
    config["config_groups"] = modelopt_groups(plan);
    if (plan.options().dialect == Dialect::card) {
        config["format"] = "nvfp4-pack-quantized";
        config["group_size"] = 16;
    }
    config["ignore"] = contents.exclusions.globs;
    config["exclude_modules"] = contents.exclusions.globs;
    config["quant_algo"] = algorithm(plan);
    config["producer"] = producer(version);
    config["quant_method"] = "modelopt";
    return config;
}

Json compressed_tensors_config(const CastPlan& plan, const Contents& contents) {
    const auto numbers = [](Json dynamic, const char* observer) {
        return Json{{"num_bits", 4},        {"type", "float"},      {"strategy", "tensor_group"},
                    {"group_size", 16},     {"symmetric", true},    {"dynamic", std::move(dynamic)},
                    {"observer", observer}, {"scale_dtype", "torch.float8_e4m3fn"}};
    };
    Json group;
    group["format"] = "nvfp4-pack-quantized";
    group["input_activations"] = plan.options().input_scales ? numbers("local", "static_minmax") : Json(nullptr);
    group["output_activations"] = nullptr;
    group["targets"] = {"Linear"};
    group["weights"] = numbers(false, "static_minmax");
    Json config;
    config["config_groups"] = {{"group_0", group}};
    config["format"] = "nvfp4-pack-quantized";
    config["global_compression_ratio"] = nullptr;
    config["ignore"] = contents.exclusions.regexes;
    config["kv_cache_scheme"] = nullptr;
    config["quant_method"] = "compressed-tensors";
    config["quantization_status"] = "compressed";
    return config;
}

Json quantized_layers(const CastPlan& plan, const Contents& contents) {
    Json layers = Json::object();
    for (const std::string& bank : contents.banks) layers[bank] = {{"quant_algo", algorithm(plan)}, {"group_size", 16}};
    return layers;
}

// FP8 weights stay what they are and are described by what the source says of them.
Json mixed_config(const CastPlan& plan, const Contents& contents, Json config, std::string_view version) {
    config["quant_algo"] = "MIXED_PRECISION";
    config["moe_quant_algo"] = algorithm(plan);
    config["group_size"] = 16;
    config["config_groups"] = modelopt_groups(plan);
    config["ignore"] = contents.exclusions.globs;
    config["exclude_modules"] = contents.exclusions.globs;
    config["quantized_layers"] = quantized_layers(plan, contents);
    config["producer"] = producer(version);
    return config;
}

Json hf_quant_config(const CastPlan& plan, const Contents& contents, std::string_view version) {
    Json quantization;
    quantization["quant_algo"] = algorithm(plan);
    quantization["kv_cache_quant_algo"] = nullptr;
    quantization["group_size"] = 16;
    quantization["exclude_modules"] = contents.exclusions.globs;
    return {{"producer", producer(version)}, {"quantization", quantization}};
}

Json parse_object(std::string_view text) {
    Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!json.is_object()) throw Error("config.json of the source holds no JSON object");
    return json;
}

std::string written(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string without_quantization(std::string_view config_json) {
    Json config = parse_object(config_json);
    config.erase("quantization_config");
    const auto text_config = config.find("text_config");
    if (text_config != config.end() && text_config->is_object()) text_config->erase("quantization_config");
    return written(config);
}

ConfigTexts config_texts(const CastPlan& plan, std::string_view config_json, std::string_view version) {
    const Contents contents = contents_of(plan);
    const bool compressed = plan.options().dialect == Dialect::compressed_tensors;
    if (compressed && contents.fp8 != nullptr)
        throw Error(fmt::format("--dialect compressed-tensors has no form for FP8 weights like {}: use modelopt",
                                contents.fp8->name));
    ConfigTexts texts;
    // hf_quant_config.json has no words for FP8 weights whose scales are E8M0.
    if (!compressed && contents.fp8 == nullptr) texts.hf_quant = written(hf_quant_config(plan, contents, version));
    if (config_json.empty()) return texts;
    Json config = parse_object(config_json);
    Json old = config.value("quantization_config", Json::object());
    config.erase("quantization_config");
    const auto text_config = config.find("text_config");
    if (text_config != config.end() && text_config->is_object()) {
        if (old.empty()) old = text_config->value("quantization_config", Json::object());
        text_config->erase("quantization_config");
    }
    if (compressed) {
        config["quantization_config"] = compressed_tensors_config(plan, contents);
    } else if (contents.fp8 != nullptr) {
        config["quantization_config"] = mixed_config(plan, contents, old, version);
    } else {
        config["quantization_config"] = modelopt_config(plan, contents, version);
    }
    texts.config = written(config);
    return texts;
}

}  // namespace assay::cast
