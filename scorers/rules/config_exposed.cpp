#include <fmt/format.h>

#include <map>

#include "scorers/rules/reader_claims.hpp"

namespace assay::rules {
namespace {

using namespace readers;

constexpr const char* in_server = "it builds a packed weight there, and the plain one does not fit: loading fails";
constexpr const char* in_library =
    "a reader that goes by the config alone builds a quantized weight and looks for scales that are not there";

// The fused layer's name tells why entries for its parts do not help.
std::string reason_of(const ReaderView& view, const LayerView& layer, std::span<const ModuleFact> modules) {
    if (view.parts_of(layer).size() < 2) return "plain, and excluded by no entry";
    const std::string_view name = view.name_of(layer, modules);
    return fmt::format("plain, and fused into {}, which no entry excludes", name.substr(name.rfind('.') + 1));
}

}  // namespace

void check_config_exposed(const RuleInput& input, std::vector<Finding>& findings) {
    const std::span<const ModuleFact> modules = input.readers.modules;
    for (std::size_t i = 0; i < input.readers.views.size(); ++i) {
        ReaderClaims claims("config.exposed", input.opened.checkpoint.configs[i].where, findings);
        for (const ReaderView& view : input.readers.views[i]) {
            std::map<std::string, std::vector<std::string_view>> names;
            for (const Disagreement& one : disagreements(view, modules)) {
                const LayerView& layer = view.layers[one.layer];
                if (!layer.split && !modules[one.fact].quantized())
                    names[reason_of(view, layer, modules)].push_back(modules[one.fact].name);
            }
            const bool server = is_server(view.reader);
            for (const auto& [reason, exposed] : names)
                claims.add_folded(view.reader, server ? Severity::error : Severity::warning, exposed, reason,
                                  server ? in_server : in_library);
            // A list that misses linear layers may miss others too; by themselves these two kinds are no fault.
            if (view.reader != ReaderId::compressed_tensors || names.empty()) continue;
            std::vector<std::string_view> unasked;
            for (const LayerView& layer : view.layers) {
                if (!layer.asked && !layer.entry) unasked.push_back(view.name_of(layer, modules));
            }
            claims.add_folded(view.reader, Severity::note, unasked,
                              "plain, and excluded by no entry; no linear layer in the model's code, so not asked",
                              "nothing, as long as the code stays so");
        }
        claims.finish();
    }
}

}  // namespace assay::rules
