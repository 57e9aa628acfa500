// assay questions on input that cannot be used: one line on standard error, nothing on standard output, exit code 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::run;

const std::string header = "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,Explanation,Subdomain,Writer's Difficulty Estimate\n";
const std::string prepared_tail = R"(, "problem": "p", "A": "1", "B": "2", "C": "3", "D": "4"})";

struct Refusal {
    std::string name;
    std::string file;
    std::string bytes;
    std::string message;  // on standard error, after "assay: " and the folder of the file

    friend std::ostream& operator<<(std::ostream& out, const Refusal& refusal) { return out << refusal.name; }
};

std::string one_letter(int rows) {
    std::string text;
    for (int i = 0; i < rows; ++i) text += R"({"expected_answer": "C")" + prepared_tail + "\n";
    return text;
}

std::vector<Refusal> refusals() {
    const std::string expected = "expected a CSV file with GPQA's column names, or NeMo-Skills' prepared JSON lines\n";
    return {
        {"MissingColumn", "a.csv", header.substr(0, header.rfind(',')) + "\n1,2,3,4,5,6,7\n",
         "a.csv: header (line 1): missing column 'Writer's Difficulty Estimate'; found 7 columns: 'Question', 'Correct Answer', 'Incorrect Answer 1', ..; "
         "expected a CSV file with GPQA's column names in its first line, or NeMo-Skills' prepared JSON lines\n"},
        {"RaggedRow", "a.csv", header + "\"q\r\nq\",1,2,3,4,5,6,7\r\nq,1,2\r\n",
         "a.csv: row 2 (line 4): 3 fields where the header has 8; look for a missing or a surplus comma, or a field with commas that is not quoted\n"},
        {"UnclosedQuote", "a.csv", header + "q,1,2,3,4,5,6,7\n\"q,1,2,3,4,5,6,7\nq,1,2,3,4,5,6,7\n",
         "a.csv: row 2 (line 3): the quoted field that begins on line 3 is not closed before the end of the file; close it, and double the quotes inside it\n"},
        {"StrayQuote", "a.csv", header + "q,1,the \"second\",3,4,5,6,7\n",
         "a.csv: row 1 (line 2): byte 9 of line 2 is a quote inside an unquoted field; quote the whole field and double the quotes inside it\n"},
        {"EmptyFile", "a.csv", "", "a.csv: the file is empty; " + expected},
        {"HeaderOnly", "a.csv", header, "a.csv: no rows after the header (line 1); expected a row a question\n"},
        {"InvalidUtf8", "a.csv", header + "q\xfc,1,2,3,4,5,6,7\n", "a.csv: byte 0xfc on line 2 (offset 133) is not valid UTF-8; save the file as UTF-8\n"},
        {"NulByte", "a.csv", header + "q" + std::string(1, '\0') + ",1,2,3,4,5,6,7\n",
         "a.csv: a NUL byte on line 2 (offset 133), so this is not a text file or it is damaged; " + expected},
        {"Html", "a.csv", "<html>", "a.csv: this is HTML or XML, perhaps an error page saved under this name; download the file again; " + expected},
        {"LfsPointer", "a.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
         "a.csv: this is a Git LFS pointer, not the file itself; fetch the file with 'git lfs pull'; " + expected},
        {"CorrectAnswerTwice", "a.csv", header + "q,1,2,3,4,5,6,7\nq,1,2,3, 1,5,6,7\n",
         "a.csv: row 2 (line 3): wrong choice B is the same text as the correct choice A, so no letter can be judged; correct the file, or pass --allow-ambiguous\n"},
        {"BadJsonLine", "a.jsonl", R"({"expected_answer": "A")" + prepared_tail + "\n{\"expected_answer\"\n",
         "a.jsonl: row 2 (line 2): not valid JSON at byte 19 of the line; expected one JSON object a line\n"},
        {"MissingKey", "a.jsonl", R"({"problem": "p", "A": "1", "B": "2"})",
         "a.jsonl: row 1 (line 1): key \"expected_answer\" is missing; expected a row of NeMo-Skills' prepared files\n"},
        {"AnswerOutsideTheLetters", "a.jsonl", R"({"expected_answer": "E")" + prepared_tail,
         "a.jsonl: row 1 (line 1): \"expected_answer\" is not the letter of one of the 4 choices, A to D\n"},
        {"AllAtOneLetter", "a.jsonl", one_letter(16),
         "a.jsonl: all 16 correct choices are at letter C, which no shuffle gives; prepare the file again with shuffled choices, or pass --allow-ambiguous\n"},
    };
}

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, InOneLineThatSaysWhereAndWhatToDo) {
    const support::TemporaryFolder folder;
    const std::string path = folder.write(GetParam().file, GetParam().bytes);
    const auto result = run({"questions", path});
    EXPECT_EQ(result.err, "assay: " + folder.path() + "/" + GetParam().message);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.exit_code, 2);
}

INSTANTIATE_TEST_SUITE_P(Questions, Refused, testing::ValuesIn(refusals()), [](const auto& test) { return test.param.name; });

TEST(Questions, RefusesWhatIsNoFile) {
    const support::TemporaryFolder folder;
    EXPECT_EQ(run({"questions", folder.path()}).err, "assay: cannot read '" + folder.path() + "': it is a directory; give the path of a file\n");
    EXPECT_EQ(run({"questions", folder.path("absent.csv")}).err,
              "assay: cannot read '" + folder.path("absent.csv") + "': there is no such file; check the path\n");
}

TEST(Questions, SaysWhereItLookedForGpqa) {
    const support::TemporaryFolder folder;
    const auto result = run({"questions", "gpqa:diamond"}, "", {{"HF_HOME", folder.path()}, {"HF_HUB_CACHE", ""}});
    EXPECT_EQ(result.err, "assay: gpqa:diamond: no gpqa_diamond.csv in '" + folder.path("hub/datasets--Idavidrein--gpqa") +
                              "' (looked in snapshots/*/); the set is gated and assay downloads nothing: accept its terms, fetch Idavidrein/gpqa with Hugging "
                              "Face's tools, set HF_HOME if its cache is elsewhere, or give the path of gpqa_diamond.csv instead of the name\n");
    EXPECT_EQ(result.exit_code, 2);
}

TEST(Questions, PassesAmbiguousFilesWithANoteWhenAsked) {
    const support::TemporaryFolder folder;
    const std::string csv = folder.write("a.csv", header + "q,1,2,3, 1,5,6,7\n");
    const std::string prepared = folder.write("a.jsonl", one_letter(16));
    const auto twin = run({"questions", csv, "--allow-ambiguous"});
    EXPECT_EQ(twin.exit_code, 0);
    EXPECT_THAT(twin.out, testing::HasSubstr("note: a wrong choice is the same text as the correct one, which alone counts as right: row 1 (line 2)\n"));
    const auto one = run({"questions", prepared, "--allow-ambiguous"});
    EXPECT_EQ(one.exit_code, 0);
    EXPECT_THAT(one.out, testing::HasSubstr("note: all 16 correct choices are at letter C, which no shuffle gives\n"));
}

TEST(Questions, RefusesALimitBelowOne) {
    const auto result = run({"questions", "sample", "--limit", "0"});
    EXPECT_EQ(result.err, "assay: --limit must be at least 1\n");
    EXPECT_EQ(result.exit_code, 2);
}

}  // namespace
}  // namespace assay
