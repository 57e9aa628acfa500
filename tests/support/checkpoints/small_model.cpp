#include "tests/support/checkpoints/small_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace assay::support {
namespace {

constexpr const char* first_shard = "model-00001-of-000002.safetensors";
constexpr const char* second_shard = "model-00002-of-000002.safetensors";

std::vector<std::uint8_t> pack(const std::vector<std::uint8_t>& nibbles) {
    std::vector<std::uint8_t> bytes(nibbles.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::uint8_t>(nibbles[2 * i] | nibbles[2 * i + 1] << 4);
    return bytes;
}

// The E4M3 code of 2^d: the exponents that the format has, from its smallest subnormal.
std::uint8_t e4m3_power(int d) {
    switch (d) {
        case -9: return 0x01;
        case -8: return 0x02;
        case -7: return 0x04;
        default: break;
    }
    if (d < -6 || d > 8) throw std::range_error(fmt::format("2^{} is no E4M3 number", d));
    return static_cast<std::uint8_t>((d + 7) << 3);
}

std::vector<std::uint8_t> cast_scales(const Weight& weight, int m) {
    std::vector<std::uint8_t> scales;
    for (const std::uint8_t exponent : weight.exponents) {
        const std::uint8_t code = e4m3_power(exponent - 127 - m);
        scales.push_back(code);
        scales.push_back(code);
    }
    return scales;
}

std::vector<StoredTensor> store_nvfp4(const Weight& w, bool reciprocal, int m) {
    const std::vector<std::uint8_t> packed = pack(w.nibbles);
    const std::vector<std::uint8_t> scales = cast_scales(w, m);
    const float global = std::ldexp(1.0F, reciprocal ? -m : m);
    if (w.banks > 1) {
        return {bytes_tensor(w.name, Dtype::U8, {w.banks, w.rows, w.columns / 2}, packed),
                bytes_tensor(w.name + "_weight_scale", Dtype::F8_E4M3, {w.banks, w.rows, w.columns / 16}, scales),
                f32_tensor(w.name + "_weight_scale_2", {}, {global})};
    }
    const char* packed_name = reciprocal ? ".weight_packed" : ".weight";
    StoredTensor global_scale = reciprocal ? f32_tensor(w.name + ".weight_global_scale", {1}, {global})
                                           : f32_tensor(w.name + ".weight_scale_2", {}, {global});
    return {bytes_tensor(w.name + packed_name, Dtype::U8, {w.rows, w.columns / 2}, packed),
            bytes_tensor(w.name + ".weight_scale", Dtype::F8_E4M3, {w.rows, w.columns / 16}, scales), global_scale};
}

constexpr const char* ignored = R"(["re:.*self_attn.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "re:.*lm_head.*"])";

std::string model_words(const std::string& model_type) {
    if (model_type == "gpt_oss") return R"("architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss")";
    if (model_type == "deepseek_v4")
        return R"("architectures": ["DeepseekV4ForCausalLM"], "model_type": "deepseek_v4", "expert_dtype": "fp4")";
    return R"("architectures": ["KimiK3ForConditionalGeneration"], "model_type": "kimi_k3", "tie_word_embeddings": false)";
}

// Exclude entries that every reader takes alike; see readers_test for those that some take otherwise.
std::string excluded(const std::string& model_type) {
    return model_type == "kimi_k3" ? R"(["*lm_head*", "*self_attn*", "language_model.model.layers.0.mlp*"])" : "[]";
}

std::string config_for(Dialect dialect, const std::string& model_type) {
    const std::string top = model_words(model_type);
    switch (dialect) {
        case Dialect::compressed_tensors_mxfp4:
            return fmt::format(
                R"({{{}, "text_config": {{"num_hidden_layers": 2, "linear_attn_config": {{"num_heads": 96, "head_dim": 128}}, "quantization_config": {{"quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized", "config_groups": {{"group_0": {{"format": "mxfp4-pack-quantized", "targets": ["Linear"], "input_activations": null, "weights": {{"num_bits": 4, "type": "float", "strategy": "group", "group_size": 32, "scale_dtype": "torch.uint8"}}}}}}, "ignore": {}}}}}}})",
                top, ignored);
        case Dialect::compressed_tensors_nvfp4:
            return fmt::format(
                R"({{{}, "quantization_config": {{"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {{"group_0": {{"targets": ["Linear"], "input_activations": null, "weights": {{"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16, "scale_dtype": "torch.float8_e4m3fn"}}}}}}, "ignore": {}}}}})",
                top, ignored);
        case Dialect::modelopt_nvfp4:
            return fmt::format(
                R"({{{}, "quantization_config": {{"quant_method": "modelopt", "quant_algo": "W4A16_NVFP4", "producer": {{"name": "modelopt", "version": "0.40"}}, "config_groups": {{"group_0": {{"targets": ["Linear"], "weights": {{"num_bits": 4, "type": "float", "group_size": 16, "dynamic": false}}}}}}, "ignore": {}}}}})",
                top, excluded(model_type));
        case Dialect::gpt_oss:
        case Dialect::gpt_oss_original:
            return fmt::format(
                R"({{{}, "quantization_config": {{"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "model.embed_tokens", "lm_head"]}}}})",
                top);
        case Dialect::deepseek_v4:
            return fmt::format(
                R"({{{}, "quantization_config": {{"quant_method": "fp8", "fmt": "e4m3", "scale_fmt": "ue8m0", "weight_block_size": [128, 128]}}}})",
                top);
    }
    return {};
}

}  // namespace

Weight random_weight(std::string name, std::uint64_t banks, std::uint64_t rows, std::uint64_t columns, unsigned seed,
                     std::uint8_t low, std::uint8_t high) {
    Weight weight;
    weight.name = std::move(name);
    weight.banks = banks;
    weight.rows = rows;
    weight.columns = columns;
    std::mt19937 random(seed);  // its sequence is fixed by the standard; distributions are not, so none is used
    weight.nibbles.resize(banks * rows * columns);
    for (std::uint8_t& nibble : weight.nibbles) nibble = static_cast<std::uint8_t>(random() >> 7 & 15U);
    weight.exponents.resize(banks * rows * columns / 32);
    for (std::uint8_t& exponent : weight.exponents)
        exponent = static_cast<std::uint8_t>(low + random() % (high - low + 1U));
    return weight;
}

SmallModel kimi_k3_like(unsigned experts, unsigned seed) {
    SmallModel model;
    auto& first = model.plain.shards[first_shard];
    auto& second = model.plain.shards[second_shard];
    const std::string layers = "language_model.model.layers.";
    for (const char* name : {"gate_proj", "up_proj", "down_proj"})
        first.push_back(counted_tensor(layers + "0.mlp." + name + ".weight", Dtype::BF16, {16, 8}, 3));
    first.push_back(counted_tensor("language_model.model.embed_tokens.weight", Dtype::BF16, {32, 16}, 5));
    first.push_back(counted_tensor("language_model.lm_head.weight", Dtype::BF16, {32, 16}, 7));
    first.push_back(counted_tensor("language_model.model.norm.weight", Dtype::BF16, {16}, 9));
    second.push_back(counted_tensor(layers + "1.self_attn.q_proj.weight", Dtype::BF16, {16, 16}, 11));
    std::vector<float> a_log(128, 0.0F);
    for (std::size_t i = 0; i < 96; ++i) a_log[i] = 0.5F + static_cast<float>(i);
    second.push_back(f32_tensor(layers + "1.self_attn.A_log", {128}, a_log));
    second.push_back(counted_tensor(layers + "1.input_layernorm.weight", Dtype::BF16, {16}, 13));
    for (unsigned expert = 0; expert < experts; ++expert) {
        for (const unsigned w : {1U, 2U, 3U}) {
            const std::string name = fmt::format("{}1.block_sparse_moe.experts.{}.w{}", layers, expert, w);
            Weight weight = random_weight(name, 1, w == 2 ? 64 : 48, w == 2 ? 96 : 64, seed * 100 + expert * 3 + w);
            weight.shares_with = static_cast<int>(2 * expert + (w == 2 ? 1 : 0));
            weight.shard = second_shard;
            model.weights.push_back(std::move(weight));
        }
    }
    return model;
}

SmallModel gpt_oss_like(bool original_names, unsigned seed) {
    SmallModel model;
    const std::string base = original_names ? "block.0.mlp." : "model.layers.0.mlp.experts.";
    const std::string shard = "model.safetensors";
    for (const bool up : {true, false}) {
        const std::string name =
            base + (original_names ? (up ? "mlp1_weight" : "mlp2_weight") : (up ? "gate_up_proj" : "down_proj"));
        Weight weight = random_weight(name, 2, up ? 64 : 32, up ? 64 : 96, seed * 10 + (up ? 1 : 0));
        weight.shard = shard;
        model.weights.push_back(std::move(weight));
        model.plain.shards[shard].push_back(counted_tensor(
            base + (original_names ? (up ? "mlp1_bias" : "mlp2_bias") : (up ? "gate_up_proj_bias" : "down_proj_bias")),
            Dtype::BF16, {2, up ? 64U : 32U}));
    }
    model.plain.shards[shard].push_back(counted_tensor("model.embed_tokens.weight", Dtype::BF16, {8, 8}, 1));
    model.plain.with_index = false;
    model.model_type = "gpt_oss";
    return model;
}

SmallModel deepseek_v4_like(unsigned experts, unsigned seed) {
    SmallModel model;
    model.model_type = "deepseek_v4";
    const std::string shard = "model-00001-of-00001.safetensors";
    for (unsigned expert = 0; expert < experts; ++expert) {
        for (const unsigned w : {1U, 2U, 3U}) {
            Weight weight = random_weight(fmt::format("layers.0.ffn.experts.{}.w{}", expert, w), 1, 32, 64,
                                          seed * 100 + expert * 3 + w);
            weight.shares_with = static_cast<int>(2 * expert + (w == 2 ? 1 : 0));
            weight.shard = shard;
            model.weights.push_back(std::move(weight));
        }
    }
    auto& tensors = model.plain.shards[shard];
    tensors.push_back(counted_tensor("layers.0.attn.wq_a.weight", Dtype::F8_E4M3, {200, 256}, 1));
    tensors.push_back(bytes_tensor("layers.0.attn.wq_a.scale", Dtype::F8_E8M0, {2, 2}, {120, 121, 122, 123}));
    tensors.push_back(counted_tensor("embed.weight", Dtype::BF16, {8, 8}, 1));
    return model;
}

int closed_form_m(const std::vector<Weight>& weights, const Weight& weight) {
    std::uint8_t largest = *std::max_element(weight.exponents.begin(), weight.exponents.end());
    for (const Weight& other : weights) {
        if (weight.shares_with >= 0 && other.shares_with == weight.shares_with)
            largest = std::max(largest, *std::max_element(other.exponents.begin(), other.exponents.end()));
    }
    return largest - 127 - 8;
}

std::vector<StoredTensor> store(const Weight& w, Dialect dialect, int m) {
    switch (dialect) {
        case Dialect::compressed_tensors_mxfp4:
            return {bytes_tensor(w.name + ".weight_packed", Dtype::U8, {w.rows, w.columns / 2}, pack(w.nibbles)),
                    bytes_tensor(w.name + ".weight_scale", Dtype::U8, {w.rows, w.columns / 32}, w.exponents)};
        case Dialect::deepseek_v4:
            return {bytes_tensor(w.name + ".weight", Dtype::I8, {w.rows, w.columns / 2}, pack(w.nibbles)),
                    bytes_tensor(w.name + ".scale", Dtype::F8_E8M0, {w.rows, w.columns / 32}, w.exponents)};
        case Dialect::gpt_oss:
        case Dialect::gpt_oss_original: {
            const std::string separator = dialect == Dialect::gpt_oss ? "_" : ".";
            return {
                bytes_tensor(w.name + separator + "blocks", Dtype::U8, {w.banks, w.rows, w.columns / 32, 16},
                             pack(w.nibbles)),
                bytes_tensor(w.name + separator + "scales", Dtype::U8, {w.banks, w.rows, w.columns / 32}, w.exponents)};
        }
        case Dialect::modelopt_nvfp4: return store_nvfp4(w, false, m);
        case Dialect::compressed_tensors_nvfp4: return store_nvfp4(w, true, m);
    }
    return {};
}

CheckpointFiles store(const SmallModel& model, Dialect dialect) {
    CheckpointFiles files = model.plain;
    for (const Weight& weight : model.weights) {
        for (StoredTensor& tensor : store(weight, dialect, closed_form_m(model.weights, weight)))
            files.shards[weight.shard].push_back(std::move(tensor));
    }
    files.others["config.json"] = config_for(dialect, model.model_type);
    return files;
}

}  // namespace assay::support
