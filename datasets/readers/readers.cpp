#include "datasets/readers/readers.hpp"

#include <algorithm>
#include <unordered_map>

#include "datasets/readers/view_maker.hpp"

namespace assay::readers {

using checkpoints::ConfigDialect;

std::vector<ReaderView> views_of(const checkpoints::QuantizationConfig& config, const checkpoints::ModelConfig& model,
                                 std::span<const ModuleFact> facts) {
    const ReaderInput input{config, model, facts};
    switch (config.dialect) {
        case ConfigDialect::compressed_tensors: {
            std::vector<ReaderView> views{view_of_compressed_tensors(input)};
            const bool experts_alone = is_kimi_k3(model) && config.format == "mxfp4-pack-quantized";
            for (const ReaderId server : {ReaderId::vllm, ReaderId::sglang})
                views.push_back(experts_alone ? view_of_banks(input, server)
                                              : view_of_compressed_tensors(input, server));
            return views;
        }
        case ConfigDialect::modelopt:
        case ConfigDialect::modelopt_mixed:
        case ConfigDialect::hybrid:
            return {view_of_modelopt(input), view_of_modelopt(input, ReaderId::vllm),
                    view_of_modelopt(input, ReaderId::sglang)};
        case ConfigDialect::mxfp4: return {view_of_banks(input, ReaderId::vllm), view_of_banks(input, ReaderId::sglang)};
        case ConfigDialect::fp8:
        case ConfigDialect::quark:
        case ConfigDialect::unknown: break;
    }
    return {};
}

ReaderView server_layers(const ReaderInput& input, ReaderId server, const LayerNames& names, Form form) {
    ReaderView view;
    view.reader = server;
    struct Placed {
        std::uint32_t layer;
        std::uint32_t fact;
    };
    std::vector<Placed> placed;
    std::unordered_map<std::string, std::uint32_t> layers;
    std::string_view last_bank;
    std::uint32_t last_layer = 0;
    for (std::uint32_t i = 0; i < input.facts.size(); ++i) {
        const ModuleFact& fact = input.facts[i];
        if (fact.kind != ModuleKind::linear) continue;
        const std::string_view bank = bank_of(fact.name);
        if (!bank.empty() && bank == last_bank) {
            placed.push_back({last_layer, i});
            continue;
        }
        std::string name = names.layer_of(fact.name);
        const auto [place, added] = layers.emplace(name, static_cast<std::uint32_t>(view.layers.size()));
        if (added) {
            LayerView layer;
            layer.name = std::move(name);
            layer.asked = names.asks(fact.name);
            layer.built = layer.asked ? form : Form::plain;
            view.layers.push_back(std::move(layer));
        }
        placed.push_back({place->second, i});
        last_bank = bank;
        last_layer = place->second;
    }
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.layer < b.layer; });
    view.parts.reserve(placed.size());
    for (const Placed& one : placed) {
        LayerView& layer = view.layers[one.layer];
        if (layer.parts_end == 0) layer.parts_begin = static_cast<std::uint32_t>(view.parts.size());
        view.parts.push_back(one.fact);
        layer.parts_end = static_cast<std::uint32_t>(view.parts.size());
    }
    return view;
}

ReaderView library_layers(const ReaderInput& input, ReaderId library, Form form) {
    ReaderView view;
    view.reader = library;
    const bool kimi = is_kimi_k3(input.model);
    for (std::uint32_t i = 0; i < input.facts.size(); ++i) {
        const ModuleFact& fact = input.facts[i];
        if (fact.kind == ModuleKind::other) continue;
        LayerView layer;
        layer.parts_begin = static_cast<std::uint32_t>(view.parts.size());
        view.parts.push_back(i);
        layer.parts_end = layer.parts_begin + 1;
        // Kimi-K3's router is a parameter of its block and no linear layer.
        layer.asked = fact.kind == ModuleKind::linear && !(kimi && is_router(fact.name));
        layer.built = layer.asked ? form : Form::plain;
        view.layers.push_back(std::move(layer));
    }
    return view;
}

std::vector<std::uint32_t> matched_facts(const NameFilter& filter, std::span<const ModuleFact> facts) {
    std::vector<std::uint32_t> found;
    if (filter.broken() || filter.unread()) return found;
    const std::string& prefix = filter.literal_prefix();
    auto fact = std::lower_bound(facts.begin(), facts.end(), prefix,
                                 [](const ModuleFact& one, const std::string& wanted) { return one.name < wanted; });
    for (; fact != facts.end() && fact->name.starts_with(prefix); ++fact) {
        if (filter.matches(fact->name)) found.push_back(static_cast<std::uint32_t>(fact - facts.begin()));
    }
    return found;
}

void exclude(LayerView& layer, std::uint32_t entry) {
    layer.built = Form::plain;
    if (!layer.entry) layer.entry = entry;
}

}  // namespace assay::readers
