#include <array>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

std::span<const Rule> all_rules() noexcept {
    using enum Severity;
    static constexpr std::array<Rule, 19> table{{
        {"header.fault", error, "every header keeps the rules of safetensors", check_header_faults},
        {"shard.missing", error, "every file that the index names is there, and no other", check_shards},
        {"index.entry", error, "index and headers name the same tensors in the same files", check_index_entries},
        {"index.total_size", warning, "total_size is the sum of the tensors' bytes", check_total_size},
        {"tensor.shadowed", error, "no tensor stands in two files", check_shadowed},
        {"weight.parts", error, "every quantized weight has all its parts, in dtypes and shapes that fit",
         check_modules},
        {"config.presence", error, "a checkpoint with quantized weights says so in its configuration",
         check_config_presence},
        {"config.nesting", error, "one quantization_config, where readers look for it", check_config_nesting},
        {"config.format", warning, "the configuration names the format that the tensors have", check_config_format},
        {"config.readers", error, "each reader of the configuration sees exactly the quantized weights as quantized",
         check_config_readers},
        {"scale.global", error, "global scales are finite and positive, and no placeholder", check_global_scales},
        {"scale.shared", error, "gate and up, and q, k and v, share one global scale", check_shared_scales},
        {"scale.input", error, "input scales stand beside all weights of a kind or none, and are no placeholder",
         check_input_scales},
        {"block_scale.nan", error, "no block scale is NaN", check_nan_scales},
        {"block_scale.negative", error, "no block scale is negative", check_negative_scales},
        {"block_scale.zero", error, "no block scale is code 0 over elements that are not zero", check_zero_scales},
        {"block_scale.subnormal", note, "block scales that are subnormal in E4M3", check_subnormal_scales},
        {"block_scale.closed_form", note, "weights that are closed-form casts of MXFP4", check_closed_form},
        {"a_log.tail", error, "A_log is zero past the heads that are used", check_a_log},
    }};
    return table;
}

}  // namespace assay::rules
