#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "datasets/readers/view_maker.hpp"

namespace assay::readers {
namespace {

using checkpoints::ConfigDialect;
using checkpoints::QuantizationConfig;

bool has_wildcard(std::string_view entry) { return entry.find_first_of("*?[") != std::string_view::npos; }

// An entry as a server compares it; several may come from one of the config.
struct ServerEntry {
    NameFilter filter;
    bool wild = false;
    std::uint32_t source = 0;
};

class ServerView {
public:
    ServerView(const ReaderInput& input, ReaderId server)
        : input_(input), server_(server), names_(server, input.model, input.facts) {}

    ReaderView take() {
        const Form form = form_of_algorithm(input_.config.quant_algo);
        view_ = server_layers(input_, server_, names_, form);
        take_entries();
        if (input_.config.dialect == ConfigDialect::modelopt_mixed) apply_layer_formats(input_, &names_, view_);
        for (LayerView& layer : view_.layers) ask(layer);
        count_modules();
        return std::move(view_);
    }

private:
    void take_entries() {
        const Matching matching =
            server_ == ReaderId::vllm ? Matching::vllm_modelopt : Matching::sglang_modelopt;
        const std::vector<std::string>& list = excluded_by(input_.config);
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            view_.entries.push_back({list[i], 0, 0, false, false});
            for (std::string& text : names_.entries(list[i])) {
                const bool wild = has_wildcard(text) || text.find_first_of("+()|^$\\{}") != std::string::npos;
                if (!wild) exact_.emplace(text, i);
                entries_.push_back({NameFilter(std::move(text), matching), wild, i});
                if (entries_.back().filter.broken()) view_.entries[i].broken = true;
                if (entries_.back().filter.unread()) view_.entries[i].unread = true;
            }
        }
    }

    // Entries that exclude a layer of this name, first come first.
    std::vector<std::uint32_t> matching_entries(const std::string& name, bool as_layer) const {
        std::vector<std::uint32_t> found;
        for (const ServerEntry& entry : entries_) {
            if (server_ == ReaderId::sglang && !entry.wild) continue;  // by exact_ below
            if (entry.filter.matches(name) || (as_layer && by_habit(entry.filter.entry(), name)))
                found.push_back(entry.source);
        }
        if (server_ == ReaderId::sglang) {
            add_exact(name, found);
            for (std::size_t begin = 0; begin <= name.size();) {
                const std::size_t end = std::min(name.find('.', begin), name.size());
                add_exact(name.substr(begin, end - begin), found);
                begin = end + 1;
            }
            if (as_layer) {
                for (const ServerEntry& entry : entries_) {
                    if (!entry.wild && by_habit(entry.filter.entry(), name)) found.push_back(entry.source);
                }
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    void add_exact(const std::string& name, std::vector<std::uint32_t>& found) const {
        const auto [begin, end] = exact_.equal_range(name);
        for (auto at = begin; at != end; ++at) found.push_back(at->second);
        constexpr std::string_view inner = "language_model.";
        if (name.starts_with(inner)) add_exact(name.substr(inner.size()), found);
    }

    // What each server does beyond its patterns.
    bool by_habit(const std::string& entry, const std::string& name) const {
        if (server_ == ReaderId::vllm) {
            // A bank is left out by an entry that names any of its experts.
            return name.find("experts") != std::string::npos && entry.find("experts") != std::string::npos &&
                   entry.find(name) != std::string::npos;
        }
        static constexpr std::array<std::string_view, 4> latent{"q_a_proj", "q_b_proj", "kv_a_proj_with_mqa",
                                                                "kv_b_proj"};
        const std::string_view tail = last_part(entry);
        return std::find(latent.begin(), latent.end(), tail) != latent.end() &&
               last_part(name).find(tail) != std::string_view::npos;
    }

    void ask(LayerView& layer) {
        const ModuleFact& first = input_.facts[view_.parts[layer.parts_begin]];
        const bool head = server_ == ReaderId::sglang && last_part(first.name) == "lm_head";
        if (head || (server_ == ReaderId::vllm && is_vision(layer.name))) {
            layer.asked = false;
            layer.built = Form::plain;
        }
        for (const std::uint32_t entry : matching_entries(layer.name, true)) {
            ++view_.entries[entry].layers;
            exclude(layer, entry);
        }
        ask_shards(layer);
    }

    // A fused layer is also left out where the exact names of all its shards are, and refused where some are.
    void ask_shards(LayerView& layer) {
        const std::vector<std::string> shards = names_.shards_of(layer.name);
        std::size_t out = 0;
        std::optional<std::uint32_t> reason;
        for (const std::string& shard : shards) {
            const auto found = exact_.find(shard);
            if (found == exact_.end()) continue;
            ++out;
            if (!reason) reason = found->second;
            ++view_.entries[found->second].layers;
        }
        if (out == 0) return;
        layer.split = layer.asked && out < shards.size();
        exclude(layer, *reason);
    }

    static bool is_vision(const std::string& name) {
        return name.find("vision_tower") != std::string::npos || name.find("vision_model") != std::string::npos ||
               name.find("visual") != std::string::npos;
    }

    // Modules that no layer stands for, and parts of fused ones, by their own names.
    void count_modules() {
        for (const ModuleFact& fact : input_.facts) {
            if (!bank_of(fact.name).empty()) continue;
            for (const std::uint32_t entry : matching_entries(names_.mapped(fact.name), false))
                ++view_.entries[entry].modules;
        }
    }

    const ReaderInput& input_;
    ReaderId server_;
    LayerNames names_;
    ReaderView view_;
    std::vector<ServerEntry> entries_;
    std::unordered_multimap<std::string, std::uint32_t> exact_;
};

std::string upper(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

std::string refusal_by_vllm(const QuantizationConfig& config) {
    static constexpr std::array<std::string_view, 7> known{
        "FP8", "FP8_PER_CHANNEL_PER_TOKEN", "FP8_PB_WO", "NVFP4", "W4A16_NVFP4", "MXFP8", "MIXED_PRECISION"};
    if (config.quant_algo.empty()) return "quant_algo is missing";
    if (std::find(known.begin(), known.end(), upper(config.quant_algo)) == known.end())
        return fmt::format("quant_algo {} is none that it knows", config.quant_algo);
    if (!is_hf_quant_config(config) || upper(config.quant_algo).find("NVFP4") == std::string::npos) return {};
    if (!config.group_size) return "group_size is missing, which it demands in hf_quant_config.json";
    if (!config.has_kv_cache_quant_algo)
        return "kv_cache_quant_algo is missing, which it demands in hf_quant_config.json (null will do)";
    if (!config.has_exclude_modules) return "exclude_modules is missing, which it demands in hf_quant_config.json";
    return {};
}

std::string refusal_by_sglang(const QuantizationConfig& config) {
    if (config.quant_algo.empty()) return "quant_algo is missing";
    if (config.dialect == ConfigDialect::modelopt_mixed) {
        if (config.quant_algo != "MIXED_PRECISION") return "quant_method is modelopt_mixed without MIXED_PRECISION";
        if (config.layers.empty()) return "quantized_layers is empty";
        if (!is_hf_quant_config(config) && config.quant_method != "modelopt_mixed")
            return fmt::format("it takes quantized_layers only under quant_method modelopt_mixed, not {}: every layer "
                               "would be built plain",
                               config.quant_method);
        return {};
    }
    if (config.quant_algo != "NVFP4" && config.quant_algo != "FP8" && config.quant_algo != "W4A16_NVFP4")
        return fmt::format("quant_algo {} is none that it knows", config.quant_algo);
    const bool in_group = !config.groups.empty() && config.groups[0].group_size.has_value();
    if (config.quant_algo != "FP8" && !config.group_size && !in_group) return "group_size is missing";
    return {};
}

}  // namespace

bool is_hf_quant_config(const QuantizationConfig& config) { return config.where == "hf_quant_config.json"; }

const std::vector<std::string>& excluded_by(const QuantizationConfig& config) {
    return is_hf_quant_config(config) ? config.exclude_modules : config.ignore;
}

Form form_of_algorithm(const std::string& algorithm) {
    const std::string name = upper(algorithm);
    if (name.find("FP4") != std::string::npos) return Form::fp4;
    return name.find("FP8") != std::string::npos ? Form::fp8 : Form::plain;
}

ReaderView view_of_modelopt(const ReaderInput& input) {
    ReaderView view =
        library_layers(input, ReaderId::modelopt, form_of_algorithm(input.config.quant_algo));
    if (input.config.dialect == ConfigDialect::modelopt_mixed) apply_layer_formats(input, nullptr, view);
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> layer_of(input.facts.size(), none);
    for (std::uint32_t i = 0; i < view.layers.size(); ++i) layer_of[view.parts[i]] = i;
    for (const std::string& text : excluded_by(input.config)) {
        const NameFilter filter(text, Matching::modelopt);
        EntryView entry{text, 0, 0, false, false};
        for (const std::uint32_t fact : matched_facts(filter, input.facts)) {
            ++entry.modules;
            if (layer_of[fact] == none) continue;
            ++entry.layers;
            exclude(view.layers[layer_of[fact]], static_cast<std::uint32_t>(view.entries.size()));
        }
        view.entries.push_back(std::move(entry));
    }
    return view;
}

ReaderView view_of_modelopt(const ReaderInput& input, ReaderId server) {
    std::string refusal =
        server == ReaderId::vllm ? refusal_by_vllm(input.config) : refusal_by_sglang(input.config);
    if (refusal.empty()) return ServerView(input, server).take();
    ReaderView view;
    view.reader = server;
    view.refusal = std::move(refusal);
    return view;
}

}  // namespace assay::readers
