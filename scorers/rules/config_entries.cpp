#include <fmt/format.h>

#include "scorers/rules/reader_claims.hpp"

namespace assay::rules {

void check_config_entries(const RuleInput& input, std::vector<Finding>& findings) {
    using namespace readers;
    for (std::size_t i = 0; i < input.readers.views.size(); ++i) {
        ReaderClaims claims("config.entry", input.opened.checkpoint.configs[i].where, findings);
        for (const ReaderView& view : input.readers.views[i]) {
            for (const EntryView& entry : view.entries) {
                if (entry.broken)
                    claims.add(view.reader, Severity::error, {},
                               fmt::format("the entry '{}' is no regular expression that can be read", entry.text),
                               "the reader fails on it");
                else if (entry.unread)
                    claims.add(view.reader, Severity::warning, {},
                               fmt::format("the entry '{}' uses what only Python's regular expressions have, or is longer "
                                           "than 1,000 characters: it was not read here",
                                           entry.text.substr(0, 100)),
                               "what this reader builds was judged without it");
                // quantized_layers names a layer once for each reader that calls it otherwise.
                else if (entry.layers + entry.modules == 0 && !entry.includes)
                    claims.add(view.reader, Severity::note, {},
                               fmt::format("the entry '{}' matches no module", entry.text), "the entry has no effect");
            }
        }
        claims.finish();
    }
}

}  // namespace assay::rules
