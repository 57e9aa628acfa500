// QuantizationConfig: what a checkpoint's configuration claims about its weights, in each dialect.
//
//   config.json            quantization_config                flat, or nested in text_config (Kimi-K3)
//   hf_quant_config.json   {"producer": .., "quantization": {"quant_algo": .., "exclude_modules": [..]}}
//
// Sources: compressed-tensors 0.12 (quant_config.py, quant_scheme.py), NVIDIA Model Optimizer export
// (convert_hf_config.py), the configurations of openai/gpt-oss and DeepSeek-V4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::checkpoints {

enum class ConfigDialect : std::uint8_t {
    unknown,
    compressed_tensors,  // quant_method "compressed-tensors"
    modelopt,            // quant_method "modelopt", or the file hf_quant_config.json
    modelopt_mixed,      // quant_method "modelopt_mixed", or quant_algo MIXED_PRECISION
    hybrid,              // quant_method "modelopt" with compressed-tensors' format string
    mxfp4,               // gpt-oss
    fp8,                 // DeepSeek
    quark,
};

[[nodiscard]] std::string_view to_string(ConfigDialect dialect) noexcept;

// One entry of config_groups.
struct ConfigGroup {
    std::string name;
    std::string format;  // empty where the group has none
    std::vector<std::string> targets;
    std::optional<std::uint64_t> num_bits;
    std::optional<std::uint64_t> group_size;
    std::string type;                    // "float"
    std::string strategy;                // "group", "tensor_group"
    std::string scale_dtype;             // "torch.uint8"
    bool quantizes_activations = false;  // input_activations is an object
    bool leaves_activations = false;     // input_activations is there and null
};

// One entry of quantized_layers.
struct QuantizedLayer {
    std::string name;
    std::string quant_algo;
};

struct QuantizationConfig {
    std::string where;    // "config.json: text_config.quantization_config"
    bool nested = false;  // under text_config
    ConfigDialect dialect{};
    std::string quant_method;
    std::string format;
    std::string quant_algo;  // as written
    std::string moe_quant_algo;
    std::optional<std::uint64_t> group_size;  // the flat one
    std::vector<std::string> ignore;
    bool has_ignore = false;
    std::vector<std::string> exclude_modules;  // of modules_to_not_convert too
    bool has_exclude_modules = false;
    bool has_kv_cache_quant_algo = false;  // the key is there, null or not
    std::vector<ConfigGroup> groups;
    std::vector<QuantizedLayer> layers;  // quantized_layers
    std::vector<std::string> faults;     // fields of a type they should not have
};

// What the model's own configuration says and the rules ask for.
struct ModelConfig {
    bool present = false;
    std::string model_type;
    std::vector<std::string> architectures;
    std::optional<bool> tie_word_embeddings;
    std::optional<std::uint64_t> layers;           // num_hidden_layers
    std::optional<std::uint64_t> linear_heads;     // linear_attn_config.num_heads
    std::optional<std::uint64_t> linear_head_dim;  // linear_attn_config.head_dim
};

struct Configs {
    std::vector<QuantizationConfig> quantization;  // top level, then text_config, then hf_quant_config.json
    ModelConfig model;
};

// The texts of config.json and hf_quant_config.json; empty where there is no such file.
// Throws assay::Error, naming the file and the byte, for what is no JSON object.
[[nodiscard]] Configs parse_configs(std::string_view config_json, std::string_view hf_quant_config_json);

}  // namespace assay::checkpoints
