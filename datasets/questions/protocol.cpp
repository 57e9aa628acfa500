#include "datasets/questions/protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "datasets/questions/clean_up.hpp"
#include "harness/error.hpp"

namespace assay::questions {
namespace {

// NeMo-Skills, prompt eval/aai/mcq-4choices, or mcq-10choices for sets with more than four choices, as of November 2025:
// one user message, no system message, no newline at the end.
std::vector<chat::Message> nemo_prompt(const Question& question, int most_choices) {
    const std::string_view letters = most_choices <= 4 ? "A/B/C/D" : "A/B/C/D/E/F/G/H/I/J";
    return {{"user", fmt::format("Answer the following multiple choice question. The last line of your response should be in the following "
                                 "format: 'Answer: {}' (e.g. 'Answer: A').\n\n{}", letters, question.problem)}};
}

ChoiceOrder nemo_choice_order() { return shuffled_from_one_seed(42); }

}  // namespace

const std::vector<Protocol>& protocols() {
    static const std::vector<Protocol> table{
        {"nemo", "NeMo-Skills as of November 2025", clean_text, nemo_choice_order, nemo_prompt, "nemo-v3"},
    };
    return table;
}

const Protocol& protocol_named(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Protocol& protocol : protocols()) {
        if (protocol.name == name) return protocol;
        names.push_back(protocol.name);
    }
    throw Error(fmt::format("no protocol is called '{}'; expected --protocol {}", name, fmt::join(names, ", ")));
}

}  // namespace assay::questions
