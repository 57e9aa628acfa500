#include "datasets/questions/prepared_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(const std::string& text) {
    return thrown([&] { (void)read_prepared_file(text, "f.jsonl"); });
}

const std::string row =
    R"({"expected_answer": "B", "explanation": "why", "subset_for_metrics": "Optics", "difficulty": null, "problem": "Q\u00e9?\n\nA) 1\nB) 2", "options": "A) 1\nB) 2", "A": "1", "B": "2"})";

TEST(PreparedFile, KeepsTheOrderAndTheProblemOfTheFile) {
    const PreparedFile file = read_prepared_file(row + "\r\n\n" + row, "f.jsonl");
    ASSERT_EQ(file.questions.size(), 2U);
    const Question& question = file.questions[1];
    EXPECT_EQ(question.number, 1);
    EXPECT_EQ(question.text, "Q\u00e9?");
    EXPECT_EQ(question.problem, "Q\u00e9?\n\nA) 1\nB) 2");
    EXPECT_THAT(question.choices, ElementsAre("1", "2"));
    EXPECT_EQ(question.correct, 1);
    EXPECT_EQ(question.explanation, "why");
    EXPECT_EQ(question.subdomain, "Optics");
    EXPECT_EQ(question.difficulty, std::nullopt);
    EXPECT_THAT(file.lines, ElementsAre(row, row));
    EXPECT_THAT(file.line_numbers, ElementsAre(1, 3));
}

TEST(PreparedFile, WritesARowOfGpqaAsItWasRead) { EXPECT_EQ(prepared_row(read_prepared_file(row, "f.jsonl").questions.at(0)), row); }

TEST(PreparedFile, ReadsTenChoicesAndIgnoresOtherKeys) {
    const PreparedFile file = read_prepared_file(
        R"({"expected_answer":"J","uuid":7,"problem":"p","A":"a","B":"b","C":"c","D":"d","E":"e","F":"f","G":"g","H":"h","I":"i","J":"j"})", "f.jsonl");
    EXPECT_EQ(file.questions.at(0).choices.size(), 10U);
    EXPECT_EQ(file.questions.at(0).correct, 9);
    EXPECT_EQ(file.questions.at(0).text, "p");
}

TEST(PreparedFile, NamesTheRowThatIsNotAnObject) {
    EXPECT_THAT(refusal(row + "\n\n{\"secret words\": \n"), AllOf(HasSubstr("f.jsonl: row 2 (line 3): not valid JSON at byte"), Not(HasSubstr("secret"))));
    EXPECT_THAT(refusal(row + "\n[1]\n"), HasSubstr("f.jsonl: row 2 (line 2): found a JSON array, expected an object"));
    EXPECT_THAT(refusal(R"({"a": 1e999})"), HasSubstr("f.jsonl: row 1 (line 1): holds a number that is out of range"));
}

TEST(PreparedFile, NamesTheMissingOrMistypedKey) {
    EXPECT_THAT(refusal(R"({"expected_answer": "A", "A": "1", "B": "2"})"), HasSubstr("row 1 (line 1): key \"problem\" is missing"));
    EXPECT_THAT(refusal(R"({"problem": "p", "A": "1", "B": "2"})"), HasSubstr("key \"expected_answer\" is missing"));
    EXPECT_THAT(refusal(R"({"problem": "p", "expected_answer": "A", "A": "1", "B": 2})"), HasSubstr("key \"B\" holds a JSON number, expected a string"));
}

TEST(PreparedFile, RefusesLettersThatAreNotInOrder) {
    EXPECT_THAT(refusal(R"({"problem": "p", "expected_answer": "A", "B": "1", "A": "2"})"), HasSubstr("choice \"B\" where \"A\" was expected"));
    EXPECT_THAT(refusal(R"({"problem": "p", "expected_answer": "A", "A": "1", "C": "2"})"), HasSubstr("choice \"C\" where \"B\" was expected"));
    EXPECT_THAT(refusal(R"({"problem": "p", "expected_answer": "A", "A": "1"})"), HasSubstr("only one choice"));
    EXPECT_THAT(refusal(R"({"problem": "p", "expected_answer": "A"})"), HasSubstr("no choices"));
    EXPECT_THAT(refusal(R"({"problem":"p","expected_answer":"A","A":"","B":"","C":"","D":"","E":"","F":"","G":"","H":"","I":"","J":"","K":""})"),
                HasSubstr("choice \"K\" after \"J\""));
}

TEST(PreparedFile, RefusesAnAnswerThatIsNoLetterOfAChoice) {
    for (const char* answer : {"C", "a", "", "AB", "@"}) {
        EXPECT_THAT(refusal(std::string(R"({"problem": "p", "expected_answer": ")") + answer + R"(", "A": "1", "B": "2"})"),
                    HasSubstr("\"expected_answer\" is not the letter of one of the 2 choices, A to B"));
    }
}

}  // namespace
}  // namespace assay::questions
