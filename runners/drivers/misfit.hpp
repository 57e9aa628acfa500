// Misfit: an extractor that is not made for what a prompt asks the model to end with.
#pragma once

#include <optional>
#include <string>

#include "datasets/questions/protocol.hpp"
#include "scorers/multichoice/extractor.hpp"

namespace assay::runners {

// One line: the reason, and the flag with an extractor that fits; nothing where this one does.
[[nodiscard]] std::optional<std::string> misfit_note(const questions::Protocol& protocol, const multichoice::Extractor& extractor);

}  // namespace assay::runners
