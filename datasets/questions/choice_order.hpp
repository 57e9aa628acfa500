// Choice order: how a protocol decides which choice gets which letter.
#pragma once

#include <functional>
#include <vector>

#include "datasets/questions/record.hpp"

namespace assay::questions {

// Called once for each row, in the file's order. The result is a permutation of 0..n, n the number of wrong choices:
// position p holds what is shown under letter 'A' + p, 0 for the correct choice and i for "Incorrect Answer i".
using ChoiceOrder = std::function<std::vector<int>(const Record&)>;

// One CPython generator for the whole file, seeded once, and one random.shuffle of [incorrect 1, 2, 3, correct] a row
// (NeMo-Skills: seed 42).
[[nodiscard]] ChoiceOrder shuffled_from_one_seed(std::uint64_t seed);

}  // namespace assay::questions
