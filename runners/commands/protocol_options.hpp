// The flags that say how questions are asked: a protocol, and parts of it taken from another.
#pragma once

#include <optional>
#include <string>

#include "datasets/questions/protocol.hpp"
#include "runners/flags.hpp"

namespace assay::runners {

struct ProtocolOptions {
    std::string protocol = "nemo";
    std::optional<std::string> prompt;        // names of other protocols
    std::optional<std::string> choice_order;
};

// --protocol, --prompt and --choice-order.
void declare(ProtocolOptions& options, Flags& flags);

// Throws assay::Error, naming the flag and those there are, where a name is not known.
[[nodiscard]] questions::Protocol chosen(const ProtocolOptions& options);

}  // namespace assay::runners
