// KeyedResponder: a simulated model that knows the key of a question set, and is right as often as it was told.
//
// What it says depends on (question, seed) alone, whatever the order and number of requests:
//   * right with the question's own probability (difficulty.hpp); otherwise one of the wrong letters;
//   * temperature 0: one fixed answer a question, whatever the seed; no seed counts as one seed more;
//   * thinking: a lognormal number of tokens; none for reasoning_effort "none".
// The answer ends in the line "Answer: B". A prompt that is not in the set gets a letter of its own; one that
// holds a sum ("17 * 23") gets the sum.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/simulated/responder.hpp"
#include "runners/simulated/parameters.hpp"

namespace assay::runners {

struct KeyedPrompt {
    std::string prompt;  // the last user message, byte for byte
    int choices = 4;
    int correct = 0;   // index of the right choice
    int question = 0;  // Question::number
};

class KeyedResponder final : public simulated::Responder {
public:
    KeyedResponder(const std::vector<KeyedPrompt>& prompts, const SimulatedParameters& parameters);
    ~KeyedResponder() override;

    [[nodiscard]] simulated::Script answer(const simulated::ChatCall& call) const override;

    // The probability of a right answer to that prompt; throws assay::Error where it is not in the set.
    [[nodiscard]] double probability(const std::string& prompt) const;

private:
    struct Key;
    struct Keys;
    [[nodiscard]] std::string final_words(const std::string& prompt, std::uint64_t draw) const;

    SimulatedParameters parameters_;
    std::unique_ptr<Keys> keys_;
};

// "391" for the first "A * B" (or x, +, -) of whole numbers below a million in `text`, with what was computed:
// "17 * 23 = 391". Empty where there is none.
[[nodiscard]] std::string computed_sum(std::string_view text);

}  // namespace assay::runners
