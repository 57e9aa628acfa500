#include "datasets/checkpoints/quantization_config.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "harness/error.hpp"

namespace assay::checkpoints {
namespace {

using Json = nlohmann::json;

Json parse_object(std::string_view text, const char* file) {
    // The parser takes a zero byte for the end of its text and would not look at what follows.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        throw Error(fmt::format("{} is not JSON: a zero byte stands at byte {}", file, zero));
    try {
        Json json = Json::parse(text.begin(), text.end());
        if (!json.is_object()) throw Error(fmt::format("{} holds no JSON object", file));
        return json;
    } catch (const Json::parse_error& error) {
        throw Error(fmt::format("{} is not JSON: it breaks at byte {}", file, error.byte));
    } catch (const Json::out_of_range&) {
        throw Error(fmt::format("{} holds a number too large for any reader", file));
    }
}

// Reads fields, and notes those of a wrong type instead of refusing the rest.
class Fields {
public:
    Fields(const Json& object, std::vector<std::string>& faults) : object_(object), faults_(faults) {}

    const Json* get(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }
    std::string text(const char* key) {
        const Json* value = get(key);
        if (value == nullptr) return {};
        if (value->is_string()) return value->get<std::string>();
        wrong(key, "text");
        return {};
    }
    std::optional<std::uint64_t> count(const char* key) {
        const Json* value = get(key);
        if (value == nullptr) return std::nullopt;
        if (value->is_number_unsigned()) return value->get<std::uint64_t>();
        wrong(key, "a whole number");
        return std::nullopt;
    }
    std::vector<std::string> texts(const char* key) {
        std::vector<std::string> result;
        const Json* value = get(key);
        if (value == nullptr) return result;
        if (!value->is_array()) {
            wrong(key, "a list");
            return result;
        }
        for (const Json& item : *value) {
            if (item.is_string()) {
                result.push_back(item.get<std::string>());
            } else {
                wrong(key, "a list of texts");
            }
        }
        return result;
    }
    const Json* object(const char* key) {
        const Json* value = get(key);
        if (value != nullptr && !value->is_object()) {
            wrong(key, "an object");
            return nullptr;
        }
        return value;
    }

private:
    void wrong(const char* key, const char* wanted) { faults_.push_back(fmt::format("{} is no {}", key, wanted)); }

    const Json& object_;
    std::vector<std::string>& faults_;
};

ConfigGroup read_group(const std::string& name, const Json& json, std::vector<std::string>& faults) {
    ConfigGroup group;
    group.name = name;
    Fields fields(json, faults);
    group.format = fields.text("format");
    group.targets = fields.texts("targets");
    group.quantizes_activations = fields.object("input_activations") != nullptr;
    group.leaves_activations = json.contains("input_activations") && json["input_activations"].is_null();
    if (const Json* weights = fields.object("weights")) {
        Fields of_weights(*weights, faults);
        group.num_bits = of_weights.count("num_bits");
        group.group_size = of_weights.count("group_size");
        group.type = of_weights.text("type");
        group.strategy = of_weights.text("strategy");
        group.scale_dtype = of_weights.text("scale_dtype");
    }
    return group;
}

ConfigDialect dialect_of(const QuantizationConfig& config) {
    const std::string& method = config.quant_method;
    if (method == "compressed-tensors") return ConfigDialect::compressed_tensors;
    // Before its quant_algo: DeepSeek-V4 in NVFP4 keeps the method, and says MIXED_PRECISION beside it.
    if (method == "fp8") return ConfigDialect::fp8;
    if (method == "modelopt_mixed" || config.quant_algo == "MIXED_PRECISION") return ConfigDialect::modelopt_mixed;
    if (method == "modelopt" || method == "modelopt_fp4")
        return config.format.empty() ? ConfigDialect::modelopt : ConfigDialect::hybrid;
    if (method == "mxfp4") return ConfigDialect::mxfp4;
    if (method == "quark") return ConfigDialect::quark;
    return ConfigDialect::unknown;
}

QuantizationConfig read_config(const Json& json, std::string where) {
    QuantizationConfig config;
    config.where = std::move(where);
    Fields fields(json, config.faults);
    config.quant_method = fields.text("quant_method");
    config.format = fields.text("format");
    config.quant_algo = fields.text("quant_algo");
    config.moe_quant_algo = fields.text("moe_quant_algo");
    config.group_size = fields.count("group_size");
    config.has_kv_cache_quant_algo = json.contains("kv_cache_quant_algo");
    config.has_ignore = fields.get("ignore") != nullptr;
    config.ignore = fields.texts("ignore");
    for (const char* key : {"exclude_modules", "modules_to_not_convert", "exclude"}) {
        if (fields.get(key) == nullptr) continue;
        config.has_exclude_modules = true;
        config.exclude_modules = fields.texts(key);
    }
    if (const Json* groups = fields.object("config_groups")) {
        for (const auto& [name, group] : groups->items()) {
            if (group.is_object()) config.groups.push_back(read_group(name, group, config.faults));
        }
    }
    if (const Json* layers = fields.object("quantized_layers")) {
        for (const auto& [name, layer] : layers->items()) {
            if (layer.is_object()) config.layers.push_back({name, Fields(layer, config.faults).text("quant_algo")});
        }
    }
    config.dialect = dialect_of(config);
    return config;
}

ModelConfig read_model(const Json& top, const Json* text_config) {
    ModelConfig model;
    model.present = true;
    std::vector<std::string> faults;
    Fields outer(top, faults);
    Fields inner(text_config == nullptr ? top : *text_config, faults);
    model.model_type = outer.text("model_type");
    model.architectures = outer.texts("architectures");
    model.layers = inner.count("num_hidden_layers");
    for (const Fields* fields : {&outer, &inner}) {
        const Json* tied = fields->get("tie_word_embeddings");
        if (tied != nullptr && tied->is_boolean()) model.tie_word_embeddings = tied->get<bool>();
    }
    if (const Json* linear = inner.object("linear_attn_config")) {
        Fields fields(*linear, faults);
        model.linear_heads = fields.count("num_heads");
        model.linear_head_dim = fields.count("head_dim");
    }
    return model;
}

}  // namespace

std::string_view to_string(ConfigDialect dialect) noexcept {
    static constexpr std::array<std::string_view, 8> names{"unknown",
                                                           "compressed-tensors",
                                                           "modelopt",
                                                           "modelopt mixed",
                                                           "modelopt with a compressed-tensors format",
                                                           "mxfp4",
                                                           "fp8",
                                                           "quark"};
    return names[static_cast<std::size_t>(dialect)];
}

Configs parse_configs(std::string_view config_json, std::string_view hf_quant_config_json) {
    Configs configs;
    if (!config_json.empty()) {
        const Json top = parse_object(config_json, "config.json");
        std::vector<std::string> faults;
        Fields fields(top, faults);
        const Json* text_config = fields.object("text_config");
        if (const Json* flat = fields.object("quantization_config"))
            configs.quantization.push_back(read_config(*flat, "config.json: quantization_config"));
        if (text_config != nullptr) {
            if (const Json* nested = Fields(*text_config, faults).object("quantization_config")) {
                configs.quantization.push_back(read_config(*nested, "config.json: text_config.quantization_config"));
                configs.quantization.back().nested = true;
            }
        }
        configs.model = read_model(top, text_config);
    }
    if (!hf_quant_config_json.empty()) {
        const Json top = parse_object(hf_quant_config_json, "hf_quant_config.json");
        std::vector<std::string> faults;
        if (const Json* quantization = Fields(top, faults).object("quantization")) {
            QuantizationConfig config = read_config(*quantization, "hf_quant_config.json");
            if (config.dialect == ConfigDialect::unknown) config.dialect = ConfigDialect::modelopt;
            configs.quantization.push_back(std::move(config));
        }
    }
    return configs;
}

}  // namespace assay::checkpoints
