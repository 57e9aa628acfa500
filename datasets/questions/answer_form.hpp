// AnswerForm: what a prompt tells the model to end with, which decides what an extractor must be able to read.
#pragma once

namespace assay::questions {

enum class AnswerForm : unsigned char {
    answer_line,  // "Answer: B", whatever the case of "Answer"
    boxed_line,   // "Answer: \boxed{B}"
    letter,       // the letter of the option, in no stated form
    free,         // nothing is said
};

}  // namespace assay::questions
