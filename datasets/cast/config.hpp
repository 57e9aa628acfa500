// Config: what config.json and hf_quant_config.json of a cast say, made from the source's and from the tensors.
//
// The source's quantization config, flat or nested in text_config, is replaced by one at the top level. Besides entries to
// leave out, written under both names that readers look for (ignore, exclude_modules), it has the fields of its dialect:
//
//   modelopt             quant_method modelopt, quant_algo, config_groups; hf_quant_config.json beside it
//   card                 the same with format nvfp4-pack-quantized and a flat group_size, as published casts of Kimi-K3 have
//   compressed-tensors   quant_method compressed-tensors, format nvfp4-pack-quantized, strategy tensor_group
//   FP8 weights beside   quant_method fp8 and the source's fields kept, quant_algo MIXED_PRECISION, moe_quant_algo NVFP4 and
//   (DeepSeek-V4)          quantized_layers, as nvidia's DeepSeek-V4 releases have
//
// Sources: NVIDIA Model Optimizer export (convert_hf_config.py, quant_utils.py), compressed-tensors 0.12 (quant_config.py),
// vLLM modelopt.py.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "datasets/cast/plan.hpp"

namespace assay::cast {

struct ConfigTexts {
    std::optional<std::string> config;     // unset where the source has none
    std::optional<std::string> hf_quant;   // unset for compressed-tensors, and beside FP8 weights
};

// `config_json` is the source's text, empty where it has none; `version` is the program's. Throws assay::Error where it is no
// JSON object, or where the dialect cannot describe what the source holds besides MXFP4.
[[nodiscard]] ConfigTexts config_texts(const CastPlan& plan, std::string_view config_json, std::string_view version);

// A config.json without what it says of quantization, at the top and in text_config.
[[nodiscard]] std::string without_quantization(std::string_view config_json);

}  // namespace assay::cast
