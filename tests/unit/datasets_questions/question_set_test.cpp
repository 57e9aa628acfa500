#include "datasets/questions/question_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/questions/prepared_file.hpp"
#include "harness/files/digest.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

using ::testing::HasSubstr;

const std::string header = "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,Explanation,Subdomain,Writer's Difficulty Estimate,High-level domain,Record ID\n";

std::string csv_of(int rows) {
    std::string text = header;
    for (int i = 0; i < rows; ++i) text += fmt::format("q{0},right{0},w1,w2,w3,e,s,d (x),D,id{0}\n", i);
    return text;
}

Protocol nemo() { return protocol_named("nemo"); }

class QuestionSetTest : public testing::Test {
protected:
    QuestionSet load(const std::string& bytes, const LoadOptions& options = {}) {
        return load_questions(folder_.write("set.csv", bytes), nemo(), options);
    }
    const support::TemporaryFolder folder_;
};

TEST_F(QuestionSetTest, GivesTheLettersOfDiamondMainAndExtended) {
    EXPECT_EQ(load(csv_of(198)).letters_sha256, "30565eaa5599b932ba71e28e6ff8b8eb6ba0a0573ed854b8382b579e253445d9");
    EXPECT_EQ(load(csv_of(448)).letters_sha256, "2cd68b744b5afa9f6f67fa101358fbfd798c66c617a7bf8f2deb3667807b2c22");
    EXPECT_EQ(load(csv_of(546)).letters_sha256, "b8b82a68abdacc5c4446fe91903d5d8e04a95e760f3bf360e5656349465c6201");
}

TEST_F(QuestionSetTest, FollowsTheCorrectChoiceThroughTheShuffle) {
    const QuestionSet set = load(csv_of(50));
    for (const Question& question : set.questions) EXPECT_EQ(question.choices.at(question.correct), fmt::format("right{}", question.number));
}

TEST_F(QuestionSetTest, JudgesByIndexWhereAChoiceIsEqualToTheCorrectOne) {
    // The first two rows come out as 2130 and 3201: the equal wrong choice, number 1, stands before the correct one in the first.
    const std::string text = header + "q,same,w1,same,w3,e,s,d,D,id\nq,same,w1,same,w3,e,s,d,D,id\n";
    EXPECT_THAT(thrown([&] { (void)load(text); }), HasSubstr("set.csv: row 1 (line 2): wrong choice B is the same text as the correct choice C"));
    const QuestionSet set = load(text, {.allow_ambiguous = true});
    EXPECT_EQ(correct_letter(set.questions.at(0)), 'C');
    EXPECT_EQ(correct_letter(set.questions.at(1)), 'A');
}

TEST_F(QuestionSetTest, TakesChoicesThatCleanUpMakesEqualForEqual) {
    EXPECT_THAT(thrown([&] { (void)load(header + "q,a b,\" a  b\t\",w2,w3,e,s,d,D,id\n"); }), HasSubstr("is the same text"));
}

TEST_F(QuestionSetTest, FillsEveryFieldOfAQuestion) {
    const QuestionSet set = load("\xef\xbb\xbf" + header + "\"\nq?\r\n\n\", right ,w1,w2,w3,\" e  f \",Optics,Hard (x),Physics,rec1\r\n");
    EXPECT_EQ(set.name, "set.csv");
    EXPECT_EQ(set.rows, 1);
    EXPECT_EQ(set.most_choices, 4);
    EXPECT_FALSE(set.prepared);
    const Question& question = set.questions.at(0);
    EXPECT_EQ(question.text, "\nq?\r\n\n");
    EXPECT_THAT(question.choices, testing::ElementsAre("w3", "w2", "right", "w1"));
    EXPECT_EQ(question.problem, "q?\r\n\nA) w3\nB) w2\nC) right\nD) w1");
    EXPECT_EQ(question.explanation, "e f");
    EXPECT_EQ(question.subdomain, "Optics");
    EXPECT_EQ(question.difficulty, "Hard");
    EXPECT_EQ(question.domain, "Physics");
    EXPECT_EQ(question.record_id, "rec1");
}

TEST_F(QuestionSetTest, HashesPromptsAsItsHeaderSays) {
    const QuestionSet set = load(header + "\"q\u00e9 \"\"x\"\"\",r,w1,w2,w3,e,s,d,D,id\n");
    const std::string line =
        R"({"correct": "C", "messages": [{"role": "user", "content": "Answer the following multiple choice question. The last line of your response should be in the following format: 'Answer: A/B/C/D' (e.g. 'Answer: A').\n\nq\u00e9 \"x\"\n\nA) w3\nB) w2\nC) r\nD) w1"}]})";
    EXPECT_EQ(set.prompts_sha256, files::sha256_hex(line + "\n"));
}

TEST_F(QuestionSetTest, RefusesOtherNumbersOfChoicesWhereThePromptIsWordedForFour) {
    const std::string three = R"({"expected_answer": "A", "problem": "p", "A": "1", "B": "2", "C": "3"})" "\n";
    const std::string path = folder_.write("three.jsonl", three);
    EXPECT_THAT(thrown([&] { (void)load_questions(path, protocol_named("simple-evals")); }),
                HasSubstr("three.jsonl: row 1 has 3 choices, and the prompt of simple-evals is worded for four: give --prompt nemo, inspect or evalscope"));
    EXPECT_THAT(render_prompts(load_questions(path, protocol_named("inspect")), protocol_named("inspect")).at(0).at(0).content, HasSubstr("one of A,B,C."));
}

TEST_F(QuestionSetTest, HashesTheWholeFileWhateverTheLimit) {
    QuestionSet set = load(csv_of(20));
    const QuestionSet whole = set;
    keep_first(set, 3);
    EXPECT_EQ(set.questions.size(), 3U);
    EXPECT_EQ(set.rows, 20);
    EXPECT_EQ(set.prompts_sha256, whole.prompts_sha256);
    EXPECT_EQ(render_prompts(set, nemo()).at(2).at(0).content, render_prompts(whole, nemo()).at(2).at(0).content);
    EXPECT_EQ(set.file_sha256, files::sha256_hex(csv_of(20)));
    keep_first(set, 100);
    EXPECT_EQ(set.questions.size(), 3U);
}

TEST_F(QuestionSetTest, AsksAPreparedFileLikeTheCsvItCameFrom) {
    const QuestionSet csv = load(csv_of(40));
    std::string rows;
    for (const Question& question : csv.questions) rows += prepared_row(question) + "\n";
    const QuestionSet prepared = load(rows);
    EXPECT_TRUE(prepared.prepared);
    EXPECT_EQ(prepared.letters_sha256, csv.letters_sha256);
    EXPECT_EQ(prepared.prompts_sha256, csv.prompts_sha256);
    EXPECT_NE(prepared.file_sha256, csv.file_sha256);
}

TEST(SampleSet, IsInTheProgramAndUnambiguous) {
    const QuestionSet set = load_questions("sample", nemo());
    EXPECT_EQ(set.name, "sample");
    EXPECT_GE(set.rows, 60);
    EXPECT_EQ(set.file_sha256, load_questions(ASSAY_SAMPLE_CSV, nemo()).file_sha256);
    EXPECT_EQ(set.notes, std::vector<std::string>{});
    for (const Question& question : set.questions) {
        EXPECT_THAT(question.domain, testing::AnyOf("Physics", "Chemistry", "Biology"));
        EXPECT_FALSE(question.record_id.empty());
    }
}

TEST(QuestionSets, NamesTheNamesThereAre) {
    EXPECT_THAT(thrown([] { (void)load_questions("gpqa:platinum", nemo()); }), HasSubstr("no question set is called 'gpqa:platinum'; expected gpqa:diamond"));
}

}  // namespace
}  // namespace assay::questions
