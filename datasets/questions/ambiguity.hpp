// Checks on a prepared set: can each question be judged by a letter, and can its letters come from a shuffle?
#pragma once

#include <string>
#include <vector>

#include "datasets/questions/question.hpp"

namespace assay::questions {

// The chance that the correct letters of all questions are the same one, were each placed at random among its
// question's choices: the smallest number of choices times the product of 1/choices. 1 for no questions.
[[nodiscard]] double chance_of_one_letter(const std::vector<Question>& questions);

struct AmbiguityCheck {
    const std::string& place;               // the file, for messages
    const std::vector<Question>& questions;
    const std::vector<int>& lines;          // parallel to questions: 1-based line of the file
    bool order_of_file = false;             // the choice order is the file's own (a prepared file)
    bool allow_ambiguous = false;
};

// Notes, one line each: rows in which two wrong choices are the same text, or a choice is blank.
//
// Refused with assay::Error, or noted where allow_ambiguous:
// * a wrong choice that is the same text as the correct one, byte for byte and after clean-up;
// * order_of_file, and all correct letters the same one where chance_of_one_letter is below 1e-9 (for four choices: 16
//   rows or more), as files come out whose choices were not shuffled, or shuffled from the same seed on each row.
[[nodiscard]] std::vector<std::string> check_ambiguity(const AmbiguityCheck& check);

}  // namespace assay::questions
