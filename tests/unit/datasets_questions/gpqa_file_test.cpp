#include "datasets/questions/gpqa_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string header = "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,Explanation,Subdomain,Writer's Difficulty Estimate";

std::string refusal(const std::string& text) {
    return thrown([&] { (void)read_gpqa_file(text, "f.csv"); });
}

TEST(GpqaFile, FindsColumnsByNameAndIgnoresOthers) {
    const GpqaFile file = read_gpqa_file(
        "x,Record ID,Incorrect Answer 3,Incorrect Answer 2,Incorrect Answer 1,High-level domain,Subdomain,Writer's Difficulty Estimate,Explanation,Correct Answer,Question,x\n"
        "-,id,w3,w2,w1,D,S,hard,E,right,Q,-\n", "f.csv");
    ASSERT_EQ(file.records.size(), 1U);
    const Record& record = file.records[0];
    EXPECT_EQ(record.question, "Q");
    EXPECT_EQ(record.correct, "right");
    EXPECT_THAT(record.incorrect, ElementsAre("w1", "w2", "w3"));
    EXPECT_EQ(record.explanation, "E");
    EXPECT_EQ(record.subdomain, "S");
    EXPECT_EQ(record.difficulty, "hard");
    EXPECT_EQ(record.domain, "D");
    EXPECT_EQ(record.record_id, "id");
    EXPECT_THAT(file.notes, ElementsAre());
}

TEST(GpqaFile, NamesTheMissingColumns) {
    EXPECT_THAT(refusal("Question,question\nq,q\n"), AllOf(HasSubstr("f.csv: header (line 1): missing columns 'Correct Answer', 'Incorrect Answer 1'"),
                                                           HasSubstr("found 2 columns: 'Question', 'question'")));
    EXPECT_THAT(refusal(header.substr(9) + "\n"), HasSubstr("missing column 'Question'; found 7 columns"));
}

TEST(GpqaFile, ShowsNoLongTextWhereAHeaderShouldBe) {
    EXPECT_THAT(refusal("The mass of the Sun is about 2e30 kg; how many,b\n"), AllOf(HasSubstr("'The mass of the Sun is a..'"), Not(HasSubstr("about 2e30"))));
}

TEST(GpqaFile, RefusesADoubledColumn) { EXPECT_THAT(refusal(header + ",Question\n"), HasSubstr("column 'Question' is there twice")); }

TEST(GpqaFile, NamesTheRaggedRow) {
    EXPECT_THAT(refusal(header + "\nq,1,2,3,4,5,6,7\n\"q\n\",1,2,3\n"), HasSubstr("f.csv: row 2 (line 3): 4 fields where the header has 8"));
    EXPECT_THAT(refusal(header + "\nq,1,2,3,4,5,6,7,8\n"), HasSubstr("f.csv: row 1 (line 2): 9 fields where the header has 8"));
}

TEST(GpqaFile, RefusesAFileWithoutRows) { EXPECT_THAT(refusal(header + "\r\n\r\n"), HasSubstr("f.csv: no rows after the header (line 1)")); }

TEST(GpqaFile, RefusesARowWithoutAQuestion) {
    EXPECT_THAT(refusal(header + "\n,1,2,3,4,5,6,7\n"), HasSubstr("f.csv: row 1 (line 2): column 'Question' has no value"));
}

TEST(GpqaFile, ReadsPandasMarksOfMissingValuesAsAbsentAndSaysSo) {
    const GpqaFile file = read_gpqa_file(header + "\nq,None,\"nan\",NA ,none,,N/A,null\n", "f.csv");
    const Record& record = file.records.at(0);
    EXPECT_EQ(record.correct, std::nullopt);
    EXPECT_THAT(record.incorrect, ElementsAre(std::nullopt, "NA ", "none")) << "only where the whole cell is the mark";
    EXPECT_EQ(record.explanation, std::nullopt);
    EXPECT_EQ(record.subdomain, std::nullopt);
    EXPECT_EQ(record.difficulty, std::nullopt);
    EXPECT_THAT(file.notes, ElementsAre("the file has no column 'High-level domain'", "the file has no column 'Record ID'",
                                        AllOf(HasSubstr("read as a missing value"), HasSubstr(": row 1 (line 2)"))));
}

}  // namespace
}  // namespace assay::questions
