// Private to this folder: the readers, one function each, and what they share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/checkpoints/quantization_config.hpp"
#include "datasets/readers/layer_names.hpp"
#include "datasets/readers/name_filter.hpp"
#include "datasets/readers/reader_view.hpp"

namespace assay::readers {

struct ReaderInput {
    const checkpoints::QuantizationConfig& config;
    const checkpoints::ModelConfig& model;
    std::span<const ModuleFact> facts;
};

[[nodiscard]] ReaderView view_of_compressed_tensors(const ReaderInput& input);
[[nodiscard]] ReaderView view_of_compressed_tensors(const ReaderInput& input, ReaderId server);
[[nodiscard]] ReaderView view_of_modelopt(const ReaderInput& input);
[[nodiscard]] ReaderView view_of_modelopt(const ReaderInput& input, ReaderId server);
// A config of which the server takes the method alone: routed experts in FP4, all else plain.
[[nodiscard]] ReaderView view_of_banks(const ReaderInput& input, ReaderId server);

// The list that leaves modules out, as vLLM, SGLang and ModelOpt take it from this config.
[[nodiscard]] const std::vector<std::string>& excluded_by(const checkpoints::QuantizationConfig& config);
[[nodiscard]] bool is_hf_quant_config(const checkpoints::QuantizationConfig& config);

// Layers as a server builds them, none excluded yet; `built` is plain where it is not asked, else `form`.
[[nodiscard]] ReaderView server_layers(const ReaderInput& input, ReaderId server, const LayerNames& names, Form form);
// A layer a module, under its own name: routers and embeddings that `asks` refuses are not asked.
[[nodiscard]] ReaderView library_layers(const ReaderInput& input, ReaderId library, Form form);

// Facts that an entry of a library's list matches; by index, ascending.
[[nodiscard]] std::vector<std::uint32_t> matched_facts(const NameFilter& filter, std::span<const ModuleFact> facts);

// Leaves a layer out: it is plain now, and `entry` is the reason unless there is one.
void exclude(LayerView& layer, std::uint32_t entry);

// quantized_layers of a mixed config: what each reader makes of a layer.
class LayerFormats {
public:
    LayerFormats(const checkpoints::QuantizationConfig& config, const LayerNames* names);

    struct Found {
        Form form{};
        std::uint32_t entry = 0;  // into QuantizationConfig::layers
    };
    [[nodiscard]] std::optional<Found> exact(std::string_view name) const;
    // By the name itself, by its shards (which must agree: `mixed`), then by what lies below it.
    [[nodiscard]] std::optional<Found> find(const std::string& layer, const std::vector<std::string>& shards,
                                            bool& mixed) const;

private:
    std::map<std::string, Found, std::less<>> formats_;
};

// Asks quantized_layers for every layer: those it does not name become plain.
void apply_layer_formats(const ReaderInput& input, const LayerNames* names, ReaderView& view);

[[nodiscard]] Form form_of_algorithm(const std::string& algorithm);

}  // namespace assay::readers
