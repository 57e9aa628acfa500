// Choice order: how a harness decides which choice gets which letter.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "datasets/questions/record.hpp"

namespace assay::questions {

// Called once for each row, in the file's order. The result is a permutation of 0..n, n the number of wrong choices:
// position p holds what is shown under letter 'A' + p, 0 for the correct choice and i for "Incorrect Answer i".
using ChoiceOrder = std::function<std::vector<int>(const Record&)>;

// One CPython generator for the whole file, seeded once, and one random.shuffle a row: of [incorrect 1, 2, 3, correct]
// (NeMo-Skills: seed 42; lm-evaluation-harness: seed 0) or of [correct, incorrect 1, 2, 3] (inspect: seed 42).
[[nodiscard]] ChoiceOrder shuffled_from_one_seed(std::uint64_t seed);
[[nodiscard]] ChoiceOrder shuffled_correct_first(std::uint64_t seed);

// One generator for the whole file, seeded once, and one random.sample(range(4), 4) a row, of [correct, incorrect 1, 2, 3]
// (simple-evals, gpt-oss: seed 0).
[[nodiscard]] ChoiceOrder sampled_from_one_seed(std::uint64_t seed);

// A generator for each row, seeded with the first 8 bytes, big-endian, of the sha256 of the question without white space at
// its ends, and one random.shuffle of [incorrect 1, 2, 3, correct] (evalscope since its issue 1579).
[[nodiscard]] ChoiceOrder shuffled_from_question();

// [correct, incorrect 1, 2, 3] turned to the left by the row's number, counted from 1: the correct choice goes
// through the last letter to the first and again (OpenCompass).
[[nodiscard]] ChoiceOrder turned_by_row();

// The order of a harness, by name.
struct NamedOrder {
    std::string_view name;    // of the harness that it is first known from
    ChoiceOrder (*start)();   // a fresh one for each file
};

}  // namespace assay::questions
