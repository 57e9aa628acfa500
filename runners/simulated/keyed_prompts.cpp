#include "runners/simulated/keyed_prompts.hpp"

namespace assay::runners {

std::vector<KeyedPrompt> keyed_prompts(const questions::QuestionSet& set, const questions::Protocol& protocol) {
    const auto conversations = questions::render_prompts(set, protocol);
    std::vector<KeyedPrompt> prompts;
    prompts.reserve(set.questions.size());
    for (std::size_t i = 0; i < set.questions.size(); ++i) {
        const questions::Question& question = set.questions[i];
        KeyedPrompt prompt{"", static_cast<int>(question.choices.size()), question.correct, question.number};
        for (const chat::Message& message : conversations[i])
            if (message.role == "user") prompt.prompt = message.content;
        prompts.push_back(std::move(prompt));
    }
    return prompts;
}

}  // namespace assay::runners
