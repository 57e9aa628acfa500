// What the record of a run has to say beside its score: how requests travelled, what broke off, what was overlooked.
#pragma once

#include <string>
#include <vector>

#include "datasets/runs/run_reader.hpp"

namespace assay::runners {

// One line each, in a fixed order. Texts from outside are not made visible here.
[[nodiscard]] std::vector<std::string> run_notes(const runs::RunContents& contents);

}  // namespace assay::runners
