// The responder with the key of the project's own question set, prompts as they are sent.
#include <gtest/gtest.h>

#include <cmath>

#include "runners/simulated/keyed_prompts.hpp"

namespace assay::runners {
namespace {

std::string last_words(const KeyedResponder& responder, const std::string& prompt, int seed) {
    simulated::ChatCall call;
    call.messages = {{"user", prompt}};
    call.seed = seed;
    const std::string text = responder.answer(call).content.all();
    return text.substr(text.rfind('\n') + 1);
}

TEST(SampleKey, IsAnsweredRightWhereTheAccuracyIsOne) {
    const auto& protocol = questions::protocol_named("nemo");
    const auto set = questions::load_questions("sample", protocol);
    const auto prompts = keyed_prompts(set, protocol);
    ASSERT_EQ(prompts.size(), set.questions.size());
    const KeyedResponder responder(prompts, parse_simulated("accuracy=1"));
    for (std::size_t i = 0; i < prompts.size(); ++i)
        EXPECT_EQ(last_words(responder, prompts[i].prompt, 3), std::string("Answer: ") + questions::correct_letter(set.questions[i])) << i;
}

TEST(SampleKey, GivesTheExpectedScoreWithinItsSamplingError) {
    const auto& protocol = questions::protocol_named("nemo");
    const auto prompts = keyed_prompts(questions::load_questions("sample", protocol), protocol);
    const KeyedResponder responder(prompts, {});
    double variance = 0;
    int right = 0;
    constexpr int seeds = 16;
    for (const KeyedPrompt& prompt : prompts) {
        const double p = responder.probability(prompt.prompt);
        variance += seeds * p * (1 - p);
        for (int seed = 0; seed < seeds; ++seed) right += last_words(responder, prompt.prompt, seed).back() == 'A' + prompt.correct;
    }
    const auto n = static_cast<double>(prompts.size() * seeds);
    EXPECT_NEAR(right / n, 0.9, 4 * std::sqrt(variance) / n);
}

}  // namespace
}  // namespace assay::runners
