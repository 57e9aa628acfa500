#include <fmt/format.h>

#include <map>
#include <tuple>

#include "scorers/rules/reader_claims.hpp"

namespace assay::rules {
namespace {

using namespace readers;

std::string reason_of(const ReaderView& view, const LayerView& layer, Form form) {
    if (layer.built != Form::plain)
        return fmt::format("in {}, and the config makes them {}", to_string(form), to_string(layer.built));
    if (layer.entry) return fmt::format("quantized, and excluded by '{}'", view.entries[*layer.entry].text);
    if (!layer.asked) return "quantized, and the code for this model builds them plain whatever the config says";
    return "quantized, and named by no entry as such";
}

}  // namespace

void check_config_hidden(const RuleInput& input, std::vector<Finding>& findings) {
    const auto& modules = input.readers.modules;
    for (std::size_t i = 0; i < input.readers.views.size(); ++i) {
        ReaderClaims claims("config.hidden", input.opened.checkpoint.configs[i].where, findings);
        for (const ReaderView& view : input.readers.views[i]) {
            std::map<std::string, std::vector<std::string_view>> names;
            for (const Disagreement& one : disagreements(view, modules)) {
                const LayerView& layer = view.layers[one.layer];
                if (!layer.split && modules[one.fact].quantized())
                    names[reason_of(view, layer, modules[one.fact].form)].push_back(modules[one.fact].name);
            }
            for (const auto& [reason, hidden] : names)
                claims.add_folded(view.reader, Severity::error, hidden, reason,
                                  "it builds a plain weight, and the packed one does not fit: loading fails, or memory "
                                  "runs out at four times the size");
        }
        claims.finish();
    }
}

}  // namespace assay::rules
