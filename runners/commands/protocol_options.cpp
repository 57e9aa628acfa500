#include "runners/commands/protocol_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::runners {

void declare(ProtocolOptions& options, Flags& flags) {
    std::vector<std::string> names;
    for (const questions::Protocol& protocol : questions::protocols()) names.push_back(protocol.name);
    flags.option("--protocol", options.protocol,
                 fmt::format("whose prompt, choice order and extractor: {}; `assay questions --protocols` tells them apart", fmt::join(names, ", ")));
    flags.option("--prompt", options.prompt, "ask in the words of this protocol instead");
    flags.option("--choice-order", options.choice_order, "order the choices as this protocol does instead; a prepared file keeps its own");
}

questions::Protocol chosen(const ProtocolOptions& options) {
    return questions::with_parts(questions::protocol_named(options.protocol), options.prompt, options.choice_order);
}

}  // namespace assay::runners
