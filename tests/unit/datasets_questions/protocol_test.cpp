#include "datasets/questions/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

Question problem(std::string text) {
    Question question;
    question.problem = std::move(text);
    return question;
}

TEST(Protocol, NemoAsksInOneUserMessageByteForByte) {
    const auto messages = protocol_named("nemo").prompt(problem("Why {x}?\n\nA) {problem}\nB) }}"), 4);
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].role, "user");
    EXPECT_EQ(messages[0].content,
              "Answer the following multiple choice question. The last line of your response should be in the following format: "
              "'Answer: A/B/C/D' (e.g. 'Answer: A').\n\nWhy {x}?\n\nA) {problem}\nB) }}");
}

TEST(Protocol, NemoNamesTenLettersForSetsWithMoreThanFour) {
    EXPECT_EQ(protocol_named("nemo").prompt(problem("p"), 5).at(0).content,
              "Answer the following multiple choice question. The last line of your response should be in the following format: "
              "'Answer: A/B/C/D/E/F/G/H/I/J' (e.g. 'Answer: A').\n\np");
}

TEST(Protocol, NamesTheOnesThereAre) {
    EXPECT_THAT(thrown([] { (void)protocol_named("nemu"); }), testing::HasSubstr("no protocol is called 'nemu'; expected --protocol nemo"));
}

TEST(Protocol, StartsTheChoiceOrderAfreshForEachFile) {
    Record record;
    record.incorrect.resize(3);
    for (int file = 0; file < 2; ++file) {
        const ChoiceOrder order = protocol_named("nemo").choice_order();
        EXPECT_THAT(order(record), testing::ElementsAre(3, 2, 0, 1)) << "2130 in [incorrect 1, 2, 3, correct]";
        EXPECT_THAT(order(record), testing::ElementsAre(0, 3, 1, 2)) << "3201";
    }
}

}  // namespace
}  // namespace assay::questions
