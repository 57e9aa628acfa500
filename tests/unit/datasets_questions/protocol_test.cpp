#include "datasets/questions/protocol.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "datasets/questions/clean_up.hpp"
#include "datasets/questions/question_set.hpp"
#include "harness/files/digest.hpp"
#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

Question problem(std::string text) {
    Question question;
    question.problem = std::move(text);
    return question;
}

TEST(Protocol, NemoAsksInOneUserMessageByteForByte) {
    const auto messages = protocol_named("nemo").prompt.ask(problem("Why {x}?\n\nA) {problem}\nB) }}"), 4);
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].role, "user");
    EXPECT_EQ(messages[0].content,
              "Answer the following multiple choice question. The last line of your response should be in the following format: "
              "'Answer: A/B/C/D' (e.g. 'Answer: A').\n\nWhy {x}?\n\nA) {problem}\nB) }}");
}

TEST(Protocol, NemoNamesTenLettersForSetsWithMoreThanFour) {
    EXPECT_EQ(protocol_named("nemo").prompt.ask(problem("p"), 5).at(0).content,
              "Answer the following multiple choice question. The last line of your response should be in the following format: "
              "'Answer: A/B/C/D/E/F/G/H/I/J' (e.g. 'Answer: A').\n\np");
}

Question small() {
    Question question;
    question.text = " Why\r\n{B}?\n";
    question.choices = {"one", "two", "three {answer}", "four"};
    question.problem = problem_text(question.text, question.choices);
    return question;
}

std::string asked(std::string_view protocol) {
    const auto messages = protocol_named(protocol).prompt.ask(small(), 4);
    EXPECT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].role, "user");
    return messages[0].content;
}

// As these harnesses' own code writes them.
TEST(Protocol, AsksInTheWordsOfEachHarnessByteForByte) {
    const std::string last_line = "Answer the following multiple choice question. The last line of your response should be of the following format: ";
    EXPECT_EQ(asked("nemo-boxed"),
              "Answer the following multiple choice question. The last line of your response should be in the following format: 'Answer: \\boxed{A/B/C/D}' "
              "(e.g. 'Answer: \\boxed{A}').\n\n Why\r\n{B}?\n\nA) one\nB) two\nC) three {answer}\nD) four");
    EXPECT_EQ(asked("simple-evals"), last_line + "'Answer: $LETTER' (without quotes) where LETTER is one of ABCD. Think step by step before answering.\n\n"
                                                 " Why\r\n{B}?\n\n\nA) one\nB) two\nC) three {answer}\nD) four");
    EXPECT_EQ(asked("gpt-oss"), " Why\r\n{B}?\n\n\n(A) one\n(B) two\n(C) three {answer}\n(D) four\n\n"
                                "Express your final answer as the corresponding option 'A', 'B', 'C', or 'D'.");
    EXPECT_EQ(asked("lm-eval"), "What is the correct answer to this question: Why\r\n{B}?\n\nChoices:\n(A) one\n(B) two\n(C) three {answer}\n(D) four\n"
                                "Let's think step by step: ");
    EXPECT_EQ(asked("inspect"), last_line + "'ANSWER: $LETTER' (without quotes) where LETTER is one of A,B,C,D. Think step by step before answering.\n\n"
                                            " Why\n{B}?\n\n\nA) one\nB) two\nC) three {answer}\nD) four");
    EXPECT_EQ(asked("evalscope"), last_line + "'ANSWER: [LETTER]' (without quotes) where [LETTER] is one of A,B,C,D. Think step by step before answering.\n\n"
                                              " Why\r\n{B}?\n\n\nA) one\nB) two\nC) three {answer}\nD) four");
}

TEST(Protocol, ReplacesNamesInBracesInsideTheQuestionAsOpenCompassDoes) {
    EXPECT_EQ(asked("opencompass"), "Answer the following multiple choice question. The last line of your response should be of the following format: "
                                    "'ANSWER: $LETTER' (without quotes) where LETTER is one of ABCD. Think step by step before answering.\n\n"
                                    " Why\ntwo?\n\n\nA) one\nB) two\nC) three \nD) four");
}

// The correct letters of `rows` rows; the question of row i is "Question i".
std::string letters_of(std::string_view protocol, int rows) {
    const ChoiceOrder order = protocol_named(protocol).order.start();
    Record record;
    record.incorrect.resize(3);
    std::string letters;
    for (record.row = 0; record.row < rows; ++record.row) {
        record.question = " Question " + std::to_string(record.row) + "\n";
        const std::vector<int> shown = order(record);
        letters += letter_of(static_cast<int>(std::find(shown.begin(), shown.end(), 0) - shown.begin()));
    }
    return letters;
}

// Computed by CPython 3.11's random module, and by the harnesses' own code.
TEST(Protocol, OrdersTheChoicesAsEachHarnessDoes) {
    EXPECT_EQ(files::sha256_hex(letters_of("simple-evals", 198)), "780c3c27679c985fd03ad57a95e2a866b300f88fecbec7b2c2ff16d7b6710343");
    EXPECT_EQ(files::sha256_hex(letters_of("gpt-oss", 1584)), "2a2cc6595fc20e946e7a3356a0ac368cc0ba6580342e8e9ac40b584c1bb764d0");
    EXPECT_EQ(letters_of("lm-eval", 16), "DCDCCACADBBDBAAA");
    EXPECT_EQ(files::sha256_hex(letters_of("lm-eval", 198)), "62cbf3cb8d964da74da80011dc6a1daa3a4ff4a2b9f935bca5aa6d2fdb5ed43e");
    EXPECT_EQ(files::sha256_hex(letters_of("lm-eval", 3000)), "e04901715dd57f3c2088b441c2595e5fe1ce7378ee8e582c61fd98b9990c0d17");
    EXPECT_EQ(letters_of("inspect", 16), "DCDCDDCCACDDCDAB");
    EXPECT_EQ(files::sha256_hex(letters_of("inspect", 198)), "49b0e8b897d1b8ee7e9a490d717a1cb435b0a50a40737ebbddf5e830a61fde76");
    EXPECT_EQ(files::sha256_hex(letters_of("inspect", 3000)), "809900624fb82af0a7cba06a3a67e6033d86c3cefcd95f109be7435a28262037");
    EXPECT_EQ(letters_of("opencompass", 6), "DCBADC");
    EXPECT_EQ(letters_of("evalscope", 16), "BCBBABACBADCAABD");
    EXPECT_EQ(files::sha256_hex(letters_of("evalscope", 400)), "e96877d5970d4032490d458538ba8fde11dae1b7b73c497cc2a60cf81618289f");
    EXPECT_EQ(letters_of("nemo-boxed", 198), letters_of("nemo", 198));
}

struct Asked {
    std::string protocol;
    std::string prompts_sha256;
};

// 20 rows with white space, braces, newlines of all kinds and marks of missing values. The digests are of what each harness's own
// code makes of them, on CPython 3.11 with pandas, Hugging Face datasets and inspect_ai; for OpenCompass, which counts
// columns, after they were brought into GPQA's order.
TEST(Protocol, AsksAWholeFileAsTheHarnessesThemselvesDo) {
    for (const auto& [protocol, sha256] : {
             Asked{"nemo", "fa5c209711ebf264a16cb9071448e7445405da050cfdb4efef7b550aa65a090b"},
             Asked{"nemo-boxed", "406ac983645e211385280ffb91f1e664839adeee1f4318b4d9899b353f688f7c"},
             Asked{"simple-evals", "c85a32a9173916d783af7dd19f764b2b6ca76189480526f318330a291a273bd9"},
             Asked{"gpt-oss", "a1f253f94ac73986e6e975f01cf64de1fc8f7ad602fefd45d7dc5afe9d232f1a"},
             Asked{"lm-eval", "7e623ecbc1b9001b508e9d0bd9fae6d78b9cbbd13d30dc9c2d724dd55ae7ed3e"},
             Asked{"inspect", "67ef10792b3227590ff6faa1f9819a99085d5fb40970efd1ff237da500b2f479"},
             Asked{"evalscope", "b00b192b09059cd0725154fb22a8cf3d6c61fd3c652a5ba95d82d19d4e3cffd7"},
             Asked{"opencompass", "9e55ba8466ef82a7c882e032d91e4ae1b85ee44cc1872f01d04fd5c21035963b"},
         }) {
        const QuestionSet set = load_questions(ASSAY_TEST_DATA "/questions/nasty.csv", protocol_named(protocol));
        EXPECT_EQ(set.prompts_sha256, sha256) << protocol;
        EXPECT_EQ(set.protocol, protocol);
    }
}

TEST(Protocol, TakesPartsOfOthersAndSaysSoInItsName) {
    const Protocol mixed = with_parts(protocol_named("nemo"), "gpt-oss", "opencompass");
    EXPECT_EQ(mixed.name, "nemo+prompt:gpt-oss+order:opencompass");
    EXPECT_EQ(mixed.prompt.name, "gpt-oss");
    EXPECT_EQ(mixed.order.name, "opencompass");
    EXPECT_EQ(mixed.extractor, "nemo-v3");
    const Protocol read_back = protocol_named(mixed.name);
    EXPECT_EQ(read_back.name, mixed.name);
    EXPECT_EQ(read_back.order.name, "opencompass");
    EXPECT_EQ(with_parts(protocol_named("nemo"), "nemo", "nemo-boxed").name, "nemo") << "parts that are its own change nothing";
    EXPECT_EQ(with_parts(protocol_named("gpt-oss"), std::nullopt, "nemo").name, "gpt-oss+order:nemo");
    EXPECT_THAT(thrown([] { (void)protocol_named("nemo+prompt:x"); }), testing::HasSubstr("no protocol is called 'x'; expected --prompt nemo, nemo-boxed, "));
    EXPECT_THAT(thrown([] { (void)with_parts(protocol_named("nemo"), std::nullopt, "y"); }), testing::HasSubstr("expected --choice-order nemo"));
    EXPECT_TRUE(prepares_as_nemo(protocol_named("nemo-boxed")));
    EXPECT_FALSE(prepares_as_nemo(protocol_named("lm-eval")));
    EXPECT_FALSE(prepares_as_nemo(mixed));
}

TEST(Protocol, SaysWhyAHarnessIsNotThere) {
    EXPECT_THAT(thrown([] { (void)protocol_named("lighteval"); }), testing::HasSubstr("no protocol is called 'lighteval' (it places the correct choice by "));
}

TEST(Protocol, NamesTheOnesThereAre) {
    EXPECT_THAT(thrown([] { (void)protocol_named("nemu"); }), testing::HasSubstr("no protocol is called 'nemu'; expected --protocol nemo"));
}

TEST(Protocol, StartsTheChoiceOrderAfreshForEachFile) {
    Record record;
    record.incorrect.resize(3);
    for (int file = 0; file < 2; ++file) {
        const ChoiceOrder order = protocol_named("nemo").order.start();
        EXPECT_THAT(order(record), testing::ElementsAre(3, 2, 0, 1)) << "2130 in [incorrect 1, 2, 3, correct]";
        EXPECT_THAT(order(record), testing::ElementsAre(0, 3, 1, 2)) << "3201";
    }
}

}  // namespace
}  // namespace assay::questions
