#include <algorithm>
#include <array>

#include "scorers/rules/rule.hpp"

namespace assay::rules {

std::span<const Rule> all_rules() noexcept {
    using enum Severity;
    static constexpr std::array<Rule, 34> table{{
        {"header.fault", error, warning,
         "every header keeps the rules of safetensors; white space before one warns", check_header_faults},
        {"shard.missing", error, warning,
         "every file that the index names is there; a file that it does not name warns", check_shards},
        {"index.entry", error, warning,
         "index and headers name the same tensors in the same files; one that the index lacks warns",
         check_index_entries},
        {"index.total_size", warning, warning, "total_size is the sum of the tensors' bytes", check_total_size},
        {"tensor.shadowed", error, error, "no tensor stands in two files", check_shadowed},
        {"weight.parts", error, note,
         "every quantized weight has all its parts, in dtypes and shapes that fit; of a layout that is not "
         "decoded, a note",
         check_modules},
        {"config.presence", error, warning,
         "a checkpoint with quantized weights says so in its configuration; one without that says so, or odd "
         "fields, warn",
         check_config_presence},
        {"config.nesting", error, error, "one quantization_config, where readers look for it", check_config_nesting},
        {"config.copies", warning, warning, "config.json and hf_quant_config.json say the same", check_config_copies},
        {"config.format", error, note,
         "the configuration names the format that the tensors have; a quant_method not known here warns, a "
         "format string of another dialect is a note",
         check_config_format},
        {"config.group_size", error, error,
         "the configuration names the block width that the tensors have", check_config_groups},
        {"config.weight_only", warning, note,
         "weights without input scales are labelled W4A16, not NVFP4; a note where the groups say so",
         check_weight_only},
        {"config.refused", error, error, "no reader refuses the configuration", check_config_refused},
        {"config.hidden", error, error, "no reader builds a quantized weight as a plain one", check_config_hidden},
        {"config.exposed", error, note,
         "no reader builds a plain weight as a quantized one; where only libraries would, it warns, where "
         "none asks, a note",
         check_config_exposed},
        {"config.split", error, error, "no reader sees a fused layer half quantized", check_config_split},
        {"config.entry", error, note,
         "every entry of the lists can be read; one that matches nothing is a note", check_config_entries},
        {"model.tied_head", error, warning,
         "lm_head is there where the model has one of its own; one too many warns", check_tied_head},
        {"scale.global", error, error, "global scales are finite and positive", check_global_scales},
        {"scale.one", warning, warning, "no global scale is exactly 1, a placeholder", check_scale_one},
        {"scale.reciprocal", warning, warning,
         "no global scale is a reciprocal under the other name", check_scale_reciprocal},
        {"scale.power_of_two", note, note, "global scales that are no power of two", check_scale_power},
        {"scale.shared", error, error, "gate and up, and q, k and v, share one global scale", check_shared_scales},
        {"scale.input", error, error, "input scales are finite and positive", check_input_scales},
        {"scale.input_some", error, error,
         "input scales stand beside all weights of a kind or none", check_input_scale_some},
        {"scale.input_one", warning, note,
         "no input scale is exactly 1, a placeholder; a note where all are", check_input_scale_one},
        {"block_scale.nan", error, error, "no block scale is NaN", check_nan_scales},
        {"block_scale.negative", error, error, "no block scale is negative", check_negative_scales},
        {"block_scale.zero", error, error,
         "no block scale is code 0 over elements that are not zero", check_zero_scales},
        {"block_scale.subnormal", note, note, "block scales that are subnormal in E4M3", check_subnormal_scales},
        {"block_scale.unpaired", warning, warning,
         "among casts of MXFP4 every pair of block scales is equal", check_unpaired_scales},
        {"block_scale.closed_form", note, note, "weights that are closed-form casts of MXFP4", check_closed_form},
        {"a_log.tail", error, error, "A_log is zero past the heads that are used", check_a_log},
        {"a_log.heads", error, warning,
         "A_log has a finite number for each head; one of exactly 0 warns", check_a_log_heads},
    }};
    return table;
}

void ask(std::span<const Rule> rules, const checkpoints::Opened& opened, const ScalarFacts& scalars,
         std::vector<Finding>& findings) {
    ReaderFacts readers;
    const bool needed =
        std::any_of(rules.begin(), rules.end(), [](const Rule& rule) { return rule.id.starts_with("config."); });
    if (needed) {
        readers.modules = readers::module_facts(opened.checkpoint, opened.recognition);
        for (const checkpoints::QuantizationConfig& config : opened.checkpoint.configs)
            readers.views.push_back(readers::views_of(config, opened.checkpoint.model, readers.modules));
    }
    for (const Rule& rule : rules) rule.check({opened, scalars, readers}, findings);
}

}  // namespace assay::rules
