#include "datasets/questions/ambiguity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Question question(int number, std::vector<std::string> choices, int correct) {
    Question result;
    result.number = number;
    result.choices = std::move(choices);
    result.correct = correct;
    return result;
}

std::vector<Question> same_letter(int count, int choices) {
    std::vector<std::string> texts;
    for (int i = 0; i < choices; ++i) texts.push_back(std::string(1, letter_of(i)));
    std::vector<Question> questions;
    for (int i = 0; i < count; ++i) questions.push_back(question(i, texts, 1));
    return questions;
}

std::vector<std::string> notes_of(const std::vector<Question>& questions, bool order_of_file, bool allow) {
    std::vector<int> lines;
    for (const Question& item : questions) lines.push_back(10 * item.number + 2);
    return check_ambiguity({"f", questions, lines, order_of_file, allow});
}

std::string refusal(const std::vector<Question>& questions, bool order_of_file) {
    return thrown([&] { (void)notes_of(questions, order_of_file, false); });
}

TEST(Ambiguity, NotesEqualWrongChoicesAndBlankOnes) {
    EXPECT_THAT(notes_of({question(0, {"a", "b", "b", "c"}, 0), question(1, {"a", "b", "c", "d"}, 0), question(2, {"a", "b", " ", "b"}, 0)}, false, false),
                ElementsAre("two wrong choices are the same text, which leaves the score as it is: row 1 (line 2), row 3 (line 22)", "a choice is blank: row 3 (line 22)"));
}

TEST(Ambiguity, RefusesAWrongChoiceEqualToTheCorrectOneUnlessAllowed) {
    const std::vector<Question> questions{question(0, {"a", "b"}, 0), question(1, {"b", "a", "b"}, 2), question(2, {"a", "a"}, 0)};
    EXPECT_THAT(refusal(questions, false), HasSubstr("f: row 2 (line 12): wrong choice A is the same text as the correct choice C, so no letter can be judged; 2 such rows in all"));
    EXPECT_THAT(notes_of(questions, false, true), ElementsAre(HasSubstr("row 2 (line 12), row 3 (line 22)")));
}

TEST(Ambiguity, RefusesOneLetterThroughoutOnlyWhereChanceCannotGiveIt) {
    EXPECT_THAT(notes_of(same_letter(15, 4), true, false), ElementsAre());
    EXPECT_THAT(refusal(same_letter(16, 4), true), HasSubstr("f: all 16 correct choices are at letter B"));
    EXPECT_THAT(notes_of(same_letter(30, 2), true, false), ElementsAre());
    EXPECT_THAT(refusal(same_letter(31, 2), true), HasSubstr("all 31 correct choices are at letter B"));
    EXPECT_THAT(notes_of(same_letter(16, 4), true, true), ElementsAre("all 16 correct choices are at letter B, which no shuffle gives"));
    EXPECT_THAT(notes_of(same_letter(16, 4), false, false), ElementsAre()) << "an order of our own needs no such check";
}

TEST(Ambiguity, AcceptsOneOtherLetter) {
    std::vector<Question> questions = same_letter(200, 4);
    questions.back().correct = 0;
    EXPECT_THAT(notes_of(questions, true, false), ElementsAre());
}

}  // namespace
}  // namespace assay::questions
