// Private to this folder: what a server calls the layers it builds from a checkpoint's modules.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "datasets/checkpoints/quantization_config.hpp"
#include "datasets/readers/module_fact.hpp"
#include "datasets/readers/reader_view.hpp"

namespace assay::readers {

[[nodiscard]] bool is_kimi_k3(const checkpoints::ModelConfig& model);

// The bank that a module is an expert of: "x.experts" of "x.experts.3.w1" and of "x.experts.gate_up_proj", "x.mlp" of
// gpt-oss's original "x.mlp.mlp1_weight". Empty where it is none.
[[nodiscard]] std::string_view bank_of(std::string_view module) noexcept;
// The last part of a name, after the last dot.
[[nodiscard]] std::string_view last_part(std::string_view name) noexcept;
// Modules that choose experts: servers never quantize them.
[[nodiscard]] bool is_router(std::string_view module) noexcept;

class LayerNames {
public:
    // `reader` is a server; `facts` must live as long.
    LayerNames(ReaderId reader, const checkpoints::ModelConfig& model, std::span<const ModuleFact> facts);

    // The layer that loads the module, by the server's name.
    [[nodiscard]] std::string layer_of(std::string_view module) const;
    // The module's own name as the server would call it, had it fused nothing.
    [[nodiscard]] std::string mapped(std::string_view module) const;
    // False where the server's code for this model builds the module plain, whatever the config says.
    [[nodiscard]] bool asks(std::string_view module) const;
    // The entries that the server compares with, of one entry of the config.
    [[nodiscard]] std::vector<std::string> entries(const std::string& entry) const;
    // A key of quantized_layers as the server stores it.
    [[nodiscard]] std::string key(const std::string& name) const;
    // Names by which the server also looks for a fused layer (its packed_modules_mapping); empty where there are none.
    [[nodiscard]] std::vector<std::string> shards_of(std::string_view layer) const;

private:
    [[nodiscard]] std::string_view fused_part(std::string_view parent, std::string_view part) const;
    [[nodiscard]] bool has(std::string_view parent, std::string_view part) const;

    bool vllm_;
    bool kimi_;
    std::unordered_set<std::string_view> modules_;  // outside banks
};

}  // namespace assay::readers
