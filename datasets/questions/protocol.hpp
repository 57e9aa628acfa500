// Protocol: what belongs together when a question is asked and its answer read, as one harness does it.
//
// Scores of two protocols are not comparable: each has its own clean-up, choice order, prompt and letter extractor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "datasets/questions/choice_order.hpp"
#include "datasets/questions/question.hpp"
#include "harness/chat/request.hpp"

namespace assay::questions {

struct Protocol {
    std::string_view name;   // "nemo"
    std::string_view about;  // one line for people
    std::string (*clean)(const Cell& text);  // applied to each choice and to the explanation
    ChoiceOrder (*choice_order)();           // a fresh one for each file; not used for a prepared file
    // The conversation that asks the question. `most_choices`: of any question of the file, 2 or more.
    std::vector<chat::Message> (*prompt)(const Question& question, int most_choices);
    std::string_view extractor;  // name of the letter extractor
};

// All rows of the table, the default first.
[[nodiscard]] const std::vector<Protocol>& protocols();

// Throws assay::Error, naming those there are, where there is none of that name.
[[nodiscard]] const Protocol& protocol_named(std::string_view name);

}  // namespace assay::questions
