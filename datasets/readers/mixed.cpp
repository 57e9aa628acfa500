#include "datasets/readers/view_maker.hpp"

namespace assay::readers {

LayerFormats::LayerFormats(const checkpoints::QuantizationConfig& config, const LayerNames* names) {
    for (std::uint32_t i = 0; i < config.layers.size(); ++i) {
        const checkpoints::QuantizedLayer& layer = config.layers[i];
        formats_.emplace(names == nullptr ? layer.name : names->key(layer.name),
                         Found{form_of_algorithm(layer.quant_algo), i});
    }
}

std::optional<LayerFormats::Found> LayerFormats::exact(std::string_view name) const {
    const auto found = formats_.find(name);
    return found == formats_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<LayerFormats::Found> LayerFormats::find(const std::string& layer, const std::vector<std::string>& shards,
                                                      bool& mixed) const {
    if (const auto found = exact(layer)) return found;
    std::optional<Found> shared;
    for (const std::string& shard : shards) {
        const auto found = formats_.find(shard);
        if (found == formats_.end()) continue;
        mixed = mixed || (shared && shared->form != found->second.form);
        if (!shared) shared = found->second;
    }
    if (shared) return shared;
    const std::string below = layer + ".";
    const auto first = formats_.lower_bound(below);
    if (first != formats_.end() && first->first.starts_with(below)) return first->second;
    return std::nullopt;
}

void apply_layer_formats(const ReaderInput& input, const LayerNames* names, ReaderView& view) {
    const LayerFormats formats(input.config, names);
    const auto base = static_cast<std::uint32_t>(view.entries.size());
    for (const checkpoints::QuantizedLayer& layer : input.config.layers)
        view.entries.push_back({layer.name, 0, 0, false, true});
    for (LayerView& layer : view.layers) {
        if (!layer.asked) continue;
        const std::string name(view.name_of(layer, input.facts));
        std::optional<LayerFormats::Found> found =
            formats.find(name, names == nullptr ? std::vector<std::string>{} : names->shards_of(name), layer.split);
        // A library asks for an expert by its own name; what names its bank holds for it.
        if (!found && names == nullptr) found = formats.exact(bank_of(name));
        layer.built = found && !layer.split ? found->form : Form::plain;
        if (found) ++view.entries[base + found->entry].layers;
    }
}

}  // namespace assay::readers
