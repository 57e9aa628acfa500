#include "runners/simulated/keyed_responder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/error.hpp"

namespace assay::runners {
namespace {

using simulated::ChatCall;
using simulated::Script;

constexpr int questions = 2000;
constexpr int seeds = 16;

std::vector<KeyedPrompt> prompts(int count = questions) {
    std::vector<KeyedPrompt> made;
    for (int i = 0; i < count; ++i) made.push_back({"question " + std::to_string(i), i % 5 == 0 ? 5 : 4, (i * 7) % 4, i});
    return made;
}

ChatCall call_for(const std::string& prompt, std::optional<std::int64_t> seed, double temperature = 0.6) {
    ChatCall call;
    call.messages = {{"user", prompt}};
    call.seed = seed;
    call.temperature = temperature;
    return call;
}

char letter_of(const Script& script) {
    return script.content.all().back();
}

bool right(const KeyedPrompt& prompt, const Script& script) {
    return letter_of(script) == 'A' + prompt.correct;
}

struct Table {
    double mean = 0;
    double icc = 0;  // one-way analysis of variance: (B - W) / (B + (S - 1) W)
};

Table table_of(const KeyedResponder& responder) {
    double total = 0;
    double within = 0;
    std::vector<double> means;
    for (const KeyedPrompt& prompt : prompts()) {
        int hits = 0;
        for (int seed = 0; seed < seeds; ++seed) hits += right(prompt, responder.answer(call_for(prompt.prompt, seed)));
        total += hits;
        const double p = hits / static_cast<double>(seeds);
        means.push_back(p);
        within += seeds * p * (1 - p);
    }
    Table table;
    table.mean = total / (questions * seeds);
    double between = 0;
    for (const double p : means) between += seeds * (p - table.mean) * (p - table.mean);
    between /= questions - 1;
    within /= questions * (seeds - 1);
    table.icc = (between - within) / (between + (seeds - 1) * within);
    return table;
}

TEST(KeyedResponder, IsRightAndSpreadAsItWasTold) {
    for (const char* text : {"accuracy=0.9,icc=0.5", "accuracy=0.6,icc=0.2", "accuracy=0.93,icc=0.8"}) {
        const SimulatedParameters parameters = parse_simulated(text);
        const Table table = table_of(KeyedResponder(prompts(), parameters));
        // Given the questions, only the draws of the seeds vary: 32,000 of them, at most half a point at 5 sigma.
        EXPECT_NEAR(table.mean, parameters.accuracy, 5 * std::sqrt(0.25 / (questions * seeds))) << text;
        EXPECT_NEAR(table.icc, parameters.icc, 0.04) << text;
    }
}

TEST(KeyedResponder, GivesTheSameReplyToAQuestionAndSeedWhateverElseItIsAsked) {
    const SimulatedParameters parameters;
    const KeyedResponder one(prompts(), parameters);
    auto reversed = prompts();
    std::reverse(reversed.begin(), reversed.end());
    const KeyedResponder two(reversed, parameters);
    for (int i = 0; i < 200; ++i) {
        const ChatCall call = call_for("question " + std::to_string(i), i % 7);
        const Script first = one.answer(call);
        const Script second = two.answer(call);
        EXPECT_EQ(first.content.all(), second.content.all());
        EXPECT_EQ(first.reasoning.all(), second.reasoning.all());
    }
}

TEST(KeyedResponder, GivesOneAnswerAtTemperatureZeroWhateverTheSeed) {
    const KeyedResponder responder(prompts(), parse_simulated("icc=0,accuracy=0.5"));
    int hits = 0;
    for (const KeyedPrompt& prompt : prompts()) {
        if (prompt.question < 100) {
            std::set<std::string> texts;
            for (const std::optional<std::int64_t> seed : {std::optional<std::int64_t>(0), {1}, {-7}, {}}) {
                const Script script = responder.answer(call_for(prompt.prompt, seed, 0));
                texts.insert(script.reasoning.all() + script.content.all());
            }
            EXPECT_EQ(texts.size(), 1U);
        }
        hits += right(prompt, responder.answer(call_for(prompt.prompt, 0, 0)));
    }
    EXPECT_NEAR(hits / static_cast<double>(questions), 0.5, 5 * std::sqrt(0.25 / questions));
}

TEST(KeyedResponder, SpreadsWrongAnswersOverTheWrongLettersOnly) {
    const KeyedResponder responder(prompts(), parse_simulated("accuracy=0"));
    std::map<int, int> offsets;  // of the letter from the right one, for five choices
    for (const KeyedPrompt& prompt : prompts()) {
        const Script script = responder.answer(call_for(prompt.prompt, 1));
        EXPECT_FALSE(right(prompt, script));
        EXPECT_LT(letter_of(script), 'A' + prompt.choices);
        if (prompt.choices == 5) ++offsets[(letter_of(script) - 'A' - prompt.correct + 5) % 5];
    }
    ASSERT_EQ(offsets.size(), 4U);
    for (const auto& [offset, count] : offsets) EXPECT_NEAR(count, 100, 45) << offset;
}

TEST(KeyedResponder, EndsInTheLineThatIsReadForTheLetter) {
    const KeyedResponder responder(prompts(), parse_simulated("accuracy=1"));
    const std::string text = responder.answer(call_for("question 1", 3)).content.all();
    EXPECT_TRUE(text.ends_with("\n\nAnswer: D")) << text;
    EXPECT_EQ(text.find("Answer"), text.rfind("Answer"));
}

TEST(KeyedResponder, ThinksForALognormalNumberOfTokens) {
    const KeyedResponder responder(prompts(), parse_simulated("think-median=1000,think-sigma=0.5"));
    double sum = 0;
    double squares = 0;
    for (const KeyedPrompt& prompt : prompts()) {
        const double log_tokens = std::log(static_cast<double>(responder.answer(call_for(prompt.prompt, 1)).reasoning.tokens()));
        sum += log_tokens;
        squares += log_tokens * log_tokens;
    }
    const double mean = sum / questions;
    EXPECT_NEAR(mean, std::log(1000), 5 * 0.5 / std::sqrt(questions));
    EXPECT_NEAR(std::sqrt(squares / questions - mean * mean), 0.5, 0.04);
}

TEST(KeyedResponder, DoesNotThinkWhereToldNotTo) {
    ChatCall call = call_for("question 1", 3);
    EXPECT_EQ(KeyedResponder(prompts(), parse_simulated("think-median=0")).answer(call).reasoning.tokens(), 0);
    call.reasoning_effort = "none";
    EXPECT_EQ(KeyedResponder(prompts(), {}).answer(call).reasoning.tokens(), 0);
}

TEST(KeyedResponder, AnswersPromptsItDoesNotKnow) {
    const KeyedResponder responder(prompts(3), {});
    EXPECT_TRUE(responder.answer(call_for("What is 17 * 23? Reply with the number only.", 1)).content.all().ends_with("17 * 23 = 391"));
    std::set<char> letters;
    for (int i = 0; i < 60; ++i) letters.insert(letter_of(responder.answer(call_for("unknown " + std::string(static_cast<std::size_t>(i), 'x'), 1))));
    EXPECT_EQ(letters, (std::set<char>{'A', 'B', 'C', 'D'}));
    EXPECT_THROW((void)responder.probability("unknown"), Error);
}

TEST(KeyedResponder, KnowsAQuestionByItsLastUserMessage) {
    const auto keyed = prompts(3);
    const KeyedResponder responder(keyed, parse_simulated("accuracy=1"));
    ChatCall call = call_for(keyed[2].prompt, 1);
    call.messages.insert(call.messages.begin(), {{"system", "be brief"}, {"user", keyed[0].prompt}, {"assistant", "A"}});
    EXPECT_TRUE(right(keyed[2], responder.answer(call)));
}

TEST(KeyedResponder, RefusesAKeyThatNamesNoChoice) {
    EXPECT_THROW(KeyedResponder({{"p", 4, 4, 0}}, {}), Error);
}

TEST(ComputedSum, FindsTheFirstSumOfTwoWholeNumbers) {
    EXPECT_EQ(computed_sum("What is 17 * 23?"), "17 * 23 = 391");
    EXPECT_EQ(computed_sum("6 \xc3\x97 7"), "6 * 7 = 42");
    EXPECT_EQ(computed_sum("1. compute 12+30 and 5*5"), "12 + 30 = 42");
    EXPECT_EQ(computed_sum("3 - 5"), "3 - 5 = -2");
    EXPECT_EQ(computed_sum("in 1905 and 17 mol"), "");
    EXPECT_EQ(computed_sum("1234567 * 2"), "");
    EXPECT_EQ(computed_sum(""), "");
}

}  // namespace
}  // namespace assay::runners
