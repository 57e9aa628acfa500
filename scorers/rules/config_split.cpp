#include <fmt/format.h>

#include <algorithm>

#include "datasets/checkpoints/name_pattern.hpp"
#include "scorers/rules/reader_claims.hpp"

namespace assay::rules {
namespace {

using namespace readers;

bool mixed_by_tensors(const ReaderView& view, const LayerView& layer, std::span<const ModuleFact> modules) {
    const auto parts = view.parts_of(layer);
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::uint32_t part) { return modules[part].form != modules[parts[0]].form; });
}

}  // namespace

void check_config_split(const RuleInput& input, std::vector<Finding>& findings) {
    const std::span<const ModuleFact> modules = input.readers.modules;
    for (std::size_t i = 0; i < input.readers.views.size(); ++i) {
        ReaderClaims claims("config.split", input.opened.checkpoint.configs[i].where, findings);
        for (const ReaderView& view : input.readers.views[i]) {
            std::map<std::string, std::vector<std::string_view>> by_entry;
            std::vector<std::string_view> by_tensors;
            for (const LayerView& layer : view.layers) {
                if (layer.split)
                    by_entry[layer.entry ? view.entries[*layer.entry].text : std::string{}].push_back(
                        view.name_of(layer, modules));
                else if (mixed_by_tensors(view, layer, modules))
                    by_tensors.push_back(view.name_of(layer, modules));
            }
            for (const auto& [entry, layers] : by_entry) {
                for (const checkpoints::NamePattern& one : checkpoints::fold_names(layers))
                    claims.add(view.reader, Severity::error, one.pattern,
                               entry.empty()
                                   ? fmt::format("parts of {} fused {} are named with different algorithms", one.count,
                                                 one.count == 1 ? "layer" : "layers")
                                   : fmt::format("'{}' excludes a part of {} fused {} and leaves the others in", entry,
                                                 one.count, one.count == 1 ? "layer" : "layers"),
                               "the server stops: all parts of a fused layer must have one format");
            }
            for (const checkpoints::NamePattern& one : checkpoints::fold_names(by_tensors))
                claims.add(view.reader, Severity::error, one.pattern,
                           fmt::format("{} fused {} of parts of which some are quantized and others not", one.count,
                                       one.count == 1 ? "layer is made" : "layers are made"),
                           "the server builds one weight for all of them, and half does not fit");
        }
        claims.finish();
    }
}

}  // namespace assay::rules
