// A_log in a cast: carried over as it is, its tail checked, and what the modeling code makes of it said.
#pragma once

#include <string>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"

namespace assay::runners {

// One line for each thing to know; empty where the checkpoint has no A_log longer than its heads. Throws assay::Error where
// one cannot be read.
[[nodiscard]] std::vector<std::string> a_log_notes(const checkpoints::Opened& source);

}  // namespace assay::runners
