#include <algorithm>
#include <string>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/error.hpp"
#include "scorers/rules/rule.hpp"
#include "tests/fuzz/targets.hpp"

namespace assay::fuzz {
namespace {

using namespace checkpoints;

// Two quantized experts in either dialect, a fused group and some plain weights: what the config rules look at.
Opened model() {
    Opened opened;
    Checkpoint& checkpoint = opened.checkpoint;
    checkpoint.folder = "folder";
    checkpoint.shards.emplace_back();
    checkpoint.shards[0].file = "one.safetensors";
    const auto add = [&](std::string name, Dtype dtype, std::vector<std::uint64_t> shape) {
        Tensor tensor;
        tensor.name = std::move(name);
        tensor.dtype = dtype;
        tensor.shape = std::move(shape);
        std::uint64_t bits = bits_of(dtype);
        for (const std::uint64_t extent : tensor.shape) bits *= extent;
        tensor.end = bits / 8;
        checkpoint.tensors.push_back(std::move(tensor));
    };
    const std::string layer = "language_model.model.layers.1.";
    for (const char* w : {"w1", "w2", "w3"}) {
        const std::string name = layer + "block_sparse_moe.experts.0." + w;
        add(name + ".weight", Dtype::U8, {32, 32});
        add(name + ".weight_scale", Dtype::F8_E4M3, {32, 4});
        add(name + ".weight_scale_2", Dtype::F32, {});
        add(layer + "block_sparse_moe.experts.1." + w + ".weight_packed", Dtype::U8, {32, 32});
        add(layer + "block_sparse_moe.experts.1." + w + ".weight_scale", Dtype::U8, {32, 2});
    }
    for (const char* name : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.A_log", "mlp.gate_up_proj"})
        add(layer + name + ".weight", Dtype::BF16, {16, 16});
    add("language_model.lm_head.weight", Dtype::BF16, {16, 16});
    std::sort(checkpoint.tensors.begin(), checkpoint.tensors.end(),
              [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
    opened.recognition = recognise(checkpoint.tensors);
    return opened;
}

rules::ScalarFacts scalars_of(const Opened& opened) {
    rules::ScalarFacts facts;
    const std::size_t modules = opened.recognition.modules.size();
    facts.global.resize(modules);
    facts.input_scale.resize(modules);
    facts.surveys.resize(modules);
    return facts;
}

}  // namespace

void checkpoint_config(Input input) {
    static Opened opened = model();
    static const rules::ScalarFacts scalars = scalars_of(opened);
    const std::string_view text = text_of(input);
    const std::size_t cut = std::min(text.find('\0'), text.size());
    Configs configs;
    try {
        configs = parse_configs(text.substr(0, cut), text.substr(std::min(cut + 1, text.size())));
    } catch (const Error& error) {
        promise(std::string_view(error.what()).find("config.json") != std::string_view::npos);
        return;
    }
    opened.checkpoint.configs = std::move(configs.quantization);
    opened.checkpoint.model = std::move(configs.model);
    std::vector<rules::Finding> findings;
    rules::ask(rules::all_rules(), opened, scalars, findings);
    for (const rules::Finding& finding : findings) promise(!finding.rule.empty() && !finding.message.empty());
}

}  // namespace assay::fuzz
