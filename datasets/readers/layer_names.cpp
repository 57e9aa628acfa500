#include "datasets/readers/layer_names.hpp"

#include <algorithm>
#include <array>

namespace assay::readers {
namespace {

constexpr std::string_view inner_prefix = "language_model.";

struct Fusion {
    std::string_view layer;
    std::array<std::string_view, 6> parts{};
};

// As the packed_modules_mapping of each server's code; g_proj is a part in Kimi-K3's linear attention alone.
constexpr std::array<Fusion, 3> vllm_kimi{
    {{"in_proj_qkvgfab", {"q_proj", "k_proj", "v_proj", "b_proj", "f_a_proj", "g_proj"}},
     {"fused_qkv_a_proj", {"q_a_proj", "kv_a_proj_with_mqa"}},
     {"gate_up_proj", {"gate_proj", "up_proj"}}}};
constexpr std::array<Fusion, 3> sglang_kimi{
    {{"fused_qkvg_proj", {"q_proj", "k_proj", "v_proj", "g_proj"}},
     {"fused_qkv_a_proj_with_mqa", {"q_a_proj", "kv_a_proj_with_mqa"}},
     {"gate_up_proj", {"gate_proj", "up_proj"}}}};
constexpr std::array<Fusion, 3> vllm_any{{{"qkv_proj", {"q_proj", "k_proj", "v_proj"}},
                                          {"fused_qkv_a_proj", {"q_a_proj", "kv_a_proj_with_mqa"}},
                                          {"gate_up_proj", {"gate_proj", "up_proj"}}}};
constexpr std::array<Fusion, 3> sglang_any{{{"qkv_proj", {"q_proj", "k_proj", "v_proj"}},
                                            {"fused_qkv_a_proj_with_mqa", {"q_a_proj", "kv_a_proj_with_mqa"}},
                                            {"gate_up_proj", {"gate_proj", "up_proj"}}}};

const std::array<Fusion, 3>& fusions(bool vllm, bool kimi) {
    return vllm ? (kimi ? vllm_kimi : vllm_any) : (kimi ? sglang_kimi : sglang_any);
}

// Linear layers that both servers' code for Kimi-K3 builds without a quantization config.
constexpr std::array<std::string_view, 5> kimi_plain{"routed_expert_down_proj", "routed_expert_up_proj",
                                                     "self_attention_res_proj", "mlp_res_proj", "output_attn_res_proj"};

std::string_view parent_of(std::string_view name) {
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::string joined(std::string_view parent, std::string_view part) {
    std::string name(parent);
    if (!name.empty()) name += '.';
    return name += part;
}

void replace_prefix(std::string& name, std::string_view from, std::string_view to) {
    if (name.starts_with(from)) name.replace(0, from.size(), to);
}

void replace_all(std::string& name, std::string_view from, std::string_view to) {
    for (auto at = name.find(from); at != std::string::npos; at = name.find(from, at + to.size()))
        name.replace(at, from.size(), to);
}

}  // namespace

bool is_kimi_k3(const checkpoints::ModelConfig& model) {
    return model.model_type == "kimi_k3" ||
           std::find(model.architectures.begin(), model.architectures.end(), "KimiK3ForConditionalGeneration") !=
               model.architectures.end();
}

std::string_view bank_of(std::string_view module) noexcept {
    constexpr std::string_view experts = ".experts.";
    const auto at = module.find(experts);
    if (at != std::string_view::npos) return module.substr(0, at + experts.size() - 1);
    // gpt-oss's original names.
    const std::string_view part = last_part(module);
    return part == "mlp1_weight" || part == "mlp2_weight" ? parent_of(module) : std::string_view{};
}

std::string_view last_part(std::string_view name) noexcept {
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

bool is_router(std::string_view module) noexcept {
    const std::string_view part = last_part(module);
    return part == "gate" || part == "router";
}

LayerNames::LayerNames(ReaderId reader, const checkpoints::ModelConfig& model, std::span<const ModuleFact> facts)
    : vllm_(reader == ReaderId::vllm), kimi_(is_kimi_k3(model)) {
    for (const ModuleFact& fact : facts) {
        if (bank_of(fact.name).empty()) modules_.insert(fact.name);
    }
}

std::string LayerNames::mapped(std::string_view module) const {
    std::string name = key(std::string(module));
    if (kimi_ && !vllm_) replace_prefix(name, inner_prefix, "");
    return name;
}

std::string LayerNames::key(const std::string& entry) const {
    std::string name = entry;
    if (!kimi_) return name;
    replace_prefix(name, "language_model.layers.", "language_model.model.layers.");
    replace_prefix(name, "mm_projector.proj.0", "mm_projector.linear_1");
    replace_prefix(name, "mm_projector.proj.2", "mm_projector.linear_2");
    if (!vllm_) replace_all(name, "block_sparse_moe", "mlp");
    return name;
}

bool LayerNames::has(std::string_view parent, std::string_view part) const {
    return modules_.contains(joined(parent, part));
}

std::string_view LayerNames::fused_part(std::string_view parent, std::string_view part) const {
    for (const Fusion& fusion : fusions(vllm_, kimi_)) {
        if (std::find(fusion.parts.begin(), fusion.parts.end(), part) == fusion.parts.end()) continue;
        // A part alone is not fused: Kimi-K3's latent attention has a g_proj and no q_proj, other models a gate alone.
        const bool together = has(parent, fusion.parts[0]) && has(parent, fusion.parts[1]);
        return together ? fusion.layer : part;
    }
    return part;
}

std::string LayerNames::layer_of(std::string_view module) const {
    const std::string_view bank = bank_of(module);
    if (!bank.empty()) return mapped(bank);
    const std::string_view parent = parent_of(module);
    return mapped(joined(parent, fused_part(parent, last_part(module))));
}

bool LayerNames::asks(std::string_view module) const {
    if (is_router(module)) return false;
    const std::string_view part = last_part(module);
    return !kimi_ || std::find(kimi_plain.begin(), kimi_plain.end(), part) == kimi_plain.end();
}

std::vector<std::string> LayerNames::entries(const std::string& entry) const {
    if (!kimi_) return {entry};
    // vLLM's mapper first cuts "x*" into "x" and "x.*", so that names can be mapped.
    if (vllm_ && entry.size() >= 2 && entry.ends_with('*') && entry[entry.size() - 2] != '.') {
        const std::string stem = key(entry.substr(0, entry.size() - 1));
        return {stem, stem + ".*"};
    }
    std::vector<std::string> all{key(entry)};
    if (!vllm_ && all[0].starts_with(inner_prefix)) all.push_back(all[0].substr(inner_prefix.size()));
    return all;
}

std::vector<std::string> LayerNames::shards_of(std::string_view layer) const {
    // SGLang's code for Kimi-K3 declares no such mapping.
    if (kimi_ && !vllm_) return {};
    for (const Fusion& fusion : fusions(vllm_, kimi_)) {
        if (fusion.layer != last_part(layer)) continue;
        std::vector<std::string> names;
        for (const std::string_view part : fusion.parts) {
            if (part.empty() || (kimi_ && part == "g_proj")) continue;
            names.push_back(joined(parent_of(layer), part));
        }
        return names;
    }
    return {};
}

}  // namespace assay::readers
