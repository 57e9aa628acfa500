#include <algorithm>

#include "datasets/readers/view_maker.hpp"

namespace assay::readers {
namespace {

// Every Linear of the model, experts too; other class names stand for nothing that a checkpoint's tensors show.
constexpr std::string_view every_linear = "Linear";

Form form_of(const checkpoints::ConfigGroup& group) { return group.num_bits == 8U ? Form::fp8 : Form::fp4; }

struct Target {
    NameFilter filter;
    Form form{};
};

struct Targets {
    std::optional<Form> every;  // of a group that targets every Linear
    std::vector<Target> named;
};

template <typename Name>
Targets targets_of(const checkpoints::QuantizationConfig& config, const Name& name) {
    Targets targets;
    for (const checkpoints::ConfigGroup& group : config.groups) {
        for (const std::string& target : group.targets) {
            if (target == every_linear) {
                targets.every = form_of(group);
            } else {
                targets.named.push_back({NameFilter(name(target), Matching::compressed_tensors), form_of(group)});
            }
        }
    }
    return targets;
}

// Names that a server asks the config by for one layer.
std::vector<std::string> asked_names(const std::string& layer, bool bank, const LayerNames& names) {
    if (bank) return {layer + ".0.gate_proj", layer + ".0.up_proj", layer + ".0.down_proj"};
    std::vector<std::string> shards = names.shards_of(layer);
    return shards.empty() ? std::vector<std::string>{layer} : shards;
}

class ServerView {
public:
    ServerView(const ReaderInput& input, ReaderId server)
        : input_(input), server_(server), names_(server, input.model, input.facts) {}

    ReaderView take() {
        ReaderView view = server_layers(input_, server_, names_, Form::plain);
        const Targets targets =
            targets_of(input_.config, [&](const std::string& target) { return names_.key(target); });
        for (std::uint32_t i = 0; i < input_.config.ignore.size(); ++i) {
            const std::string& entry = input_.config.ignore[i];
            std::vector<NameFilter> filters;
            const std::string mapped = names_.key(entry);
            filters.emplace_back(mapped, Matching::compressed_tensors);
            if (server_ == ReaderId::sglang && mapped.starts_with("language_model."))
                filters.emplace_back(mapped.substr(std::string_view("language_model.").size()),
                                     Matching::compressed_tensors);
            view.entries.push_back({entry, 0, 0, filters[0].broken(), false, filters[0].unread()});
            filters_.push_back(std::move(filters));
        }
        for (LayerView& layer : view.layers) ask(layer, targets, view);
        for (const ModuleFact& fact : input_.facts) {
            if (!bank_of(fact.name).empty()) continue;
            const std::string name = names_.mapped(fact.name);
            for (std::uint32_t i = 0; i < filters_.size(); ++i) view.entries[i].modules += matches(i, name) ? 1 : 0;
        }
        return view;
    }

private:
    bool matches(std::uint32_t entry, const std::string& name) const {
        return std::any_of(filters_[entry].begin(), filters_[entry].end(),
                           [&](const NameFilter& filter) { return filter.matches(name); });
    }

    void ask(LayerView& layer, const Targets& targets, ReaderView& view) const {
        const ModuleFact& first = input_.facts[view.parts[layer.parts_begin]];
        const bool bank = !bank_of(first.name).empty();
        // The server's code for Kimi-K3 gives its vision tower no config of this kind, and heads are asked by none
        // where they are plain.
        const bool head = last_part(first.name) == "lm_head" && !first.quantized();
        const bool vision = server_ == ReaderId::vllm && is_kimi_k3(input_.model) &&
                            (first.name.starts_with("vision_tower.") || first.name.starts_with("mm_projector."));
        if (head || vision) layer.asked = false;
        const std::vector<std::string> asked = asked_names(layer.name, bank, names_);
        if (layer.asked) layer.built = targeted(layer.name, asked, targets);
        std::size_t out = 0;
        std::optional<std::uint32_t> reason;
        for (const std::string& name : asked) {
            bool hit = false;
            for (std::uint32_t i = 0; i < filters_.size(); ++i) {
                if (!matches(i, name)) continue;
                ++view.entries[i].layers;
                if (!hit && !reason) reason = i;
                hit = true;
            }
            out += hit ? 1 : 0;
        }
        if (out == 0) return;
        layer.split = layer.asked && out < asked.size();
        exclude(layer, *reason);
    }

    static Form targeted(const std::string& layer, const std::vector<std::string>& asked, const Targets& targets) {
        for (const Target& target : targets.named) {
            if (target.filter.matches(layer)) return target.form;
            if (std::all_of(asked.begin(), asked.end(),
                            [&](const std::string& name) { return target.filter.matches(name); }))
                return target.form;
        }
        return targets.every.value_or(Form::plain);
    }

    const ReaderInput& input_;
    ReaderId server_;
    LayerNames names_;
    std::vector<std::vector<NameFilter>> filters_;
};

}  // namespace

ReaderView view_of_compressed_tensors(const ReaderInput& input) {
    ReaderView view = library_layers(input, ReaderId::compressed_tensors, Form::plain);
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> layer_of(input.facts.size(), none);
    for (std::uint32_t i = 0; i < view.layers.size(); ++i) layer_of[view.parts[i]] = i;
    const Targets targets = targets_of(input.config, [](const std::string& target) { return target; });
    for (LayerView& layer : view.layers) {
        if (layer.asked) layer.built = targets.every.value_or(Form::plain);
    }
    for (const Target& target : targets.named) {
        for (const std::uint32_t fact : matched_facts(target.filter, input.facts)) {
            if (layer_of[fact] != none && view.layers[layer_of[fact]].asked)
                view.layers[layer_of[fact]].built = target.form;
        }
    }
    for (std::uint32_t i = 0; i < input.config.ignore.size(); ++i) {
        const NameFilter filter(input.config.ignore[i], Matching::compressed_tensors);
        EntryView entry{filter.entry(), 0, 0, filter.broken(), false, filter.unread()};
        for (const std::uint32_t fact : matched_facts(filter, input.facts)) {
            ++entry.modules;
            if (layer_of[fact] == none) continue;
            ++entry.layers;
            exclude(view.layers[layer_of[fact]], i);
        }
        view.entries.push_back(std::move(entry));
    }
    return view;
}

ReaderView view_of_compressed_tensors(const ReaderInput& input, ReaderId server) {
    return ServerView(input, server).take();
}

}  // namespace assay::readers
