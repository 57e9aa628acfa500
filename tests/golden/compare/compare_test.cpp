// assay compare: its words, its numbers and how it ends.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/files/read_file.hpp"
#include "tests/support/nemo_folder.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::run;
using support::TemporaryFolder;
using support::write_nemo_folder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

const std::string published = "190 185 182 181 184 185 180 186 183 181 186 183 184 186 185 184 / 198";

std::vector<std::string> fixture(const char* name) {
    const auto file = nlohmann::json::parse(std::ifstream(ASSAY_TEST_DATA "/statistics_golden.json"));
    return file["fixtures"][name].get<std::vector<std::string>>();
}

class Compare : public testing::Test {
protected:
    std::string write(const std::string& name, const std::vector<std::string>& rows) {
        write_nemo_folder(folder_.path(name), rows);
        return folder_.path(name);
    }
    TemporaryFolder folder_;
};

TEST_F(Compare, GivesGoldenNumbersOfTwoTablesInWordsAndJson) {
    const std::string a = write("A", fixture("A"));
    const std::string b = write("B", fixture("B"));
    const auto text = run({"compare", a, b, "--gate", "2.0"});
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_THAT(text.out, StartsWith("A   198 questions, 16 seeds each\n"));
    EXPECT_THAT(text.out, HasSubstr("gate                 PASS          not worse by 2.00 points or more: the lower bound -1.62 lies above -2.00\n"));
    EXPECT_THAT(text.out, HasSubstr("difference           -0.76 points  95 % CI -1.79 to +0.28: is B worse on questions like these"));
    EXPECT_THAT(text.out, HasSubstr("  this test only     +/- 0.96      95 % CI -1.72 to +0.20: is B worse on these very questions, asked again and again? not shown"));
    EXPECT_THAT(text.out, HasSubstr("sign-flip test       p 0.170       exact: do the two systems differ on questions like these"));
    EXPECT_THAT(text.out, HasSubstr("same system?         p 0.139       exact, within questions"));
    EXPECT_THAT(text.out, HasSubstr("the 10 of 42 changed questions that moved most"));
    const auto json = Json::parse(run({"compare", a, b, "--gate", "2.0", "--format", "json"}).out);
    EXPECT_EQ(json["format"], "assay.comparison/1");
    EXPECT_EQ(json["gate"]["verdict"], "PASS");
    EXPECT_NEAR(json["difference"].get<double>(), -24.0 / 3168, 1e-15);
    EXPECT_NEAR(json["tests"]["sign_flip"]["p_two_sided"].get<double>(), 0.1698390279434534, 1e-9);
    EXPECT_EQ(json["moved"].size(), 42U);
    EXPECT_EQ(json["questions"]["left_out"].size(), 0U);
}

TEST_F(Compare, EndsZeroOneAndThreeByTheGate) {
    const std::string a = write("A", fixture("A"));
    const std::string b = write("B", fixture("B"));
    EXPECT_EQ(run({"compare", a, b, "--gate", "2"}).exit_code, 0);
    EXPECT_THAT(run({"compare", a, b, "--gate"}).err, HasSubstr("--gate needs a value: a margin in points, as in --gate 2.0"));
    const auto undecided = run({"compare", a, b, "--gate", "1"});
    EXPECT_EQ(undecided.exit_code, 3);
    EXPECT_THAT(undecided.out, AllOf(HasSubstr("INCONCLUSIVE"), HasSubstr("to decide")));
    const std::string good = write("good", std::vector<std::string>(198, std::string(16, '1')));
    const std::string bad = write("bad", std::vector<std::string>(198, "1" + std::string(15, '0')));
    const auto failed = run({"compare", good, bad, "--gate", "2"});
    EXPECT_EQ(failed.exit_code, 1);
    EXPECT_THAT(failed.out, HasSubstr("gate                 FAIL"));
    EXPECT_EQ(run({"compare", good, bad}).exit_code, 0);
}

TEST_F(Compare, SaysWhyItIsNotKnownHowManySeedsWouldDecide) {
    std::vector<std::string> rows(100, "1");
    const std::string one = write("one", rows);
    rows[3] = rows[4] = rows[5] = "0";
    const std::string other = write("other", rows);
    EXPECT_THAT(run({"compare", one, other, "--gate", "4"}).out, HasSubstr("  to decide          not known     there is no spread of seeds to reckon with"));
    std::string file = files::read_file(other + "/output-rs0.jsonl");
    const std::size_t row = file.find("{\"problem\":\"question 7\"");
    ASSERT_NE(row, std::string::npos);
    file.erase(file.find("Answer: B", row), 9).insert(row + 1, "\"error\":\"timeout\",");
    folder_.write("holes/output-rs0.jsonl", file);
    EXPECT_THAT(run({"compare", one, folder_.path("holes"), "--gate", "4"}).out, HasSubstr("  to decide          not known     continue the runs first"));
}

TEST_F(Compare, DoesNotPassEqualTablesOfTooFewQuestions) {
    const std::string few = write("few", std::vector<std::string>(20, "1111"));
    const auto result = run({"compare", few, few, "--gate", "2"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.out, HasSubstr("20 questions cannot show that fewer than 13.91 % of such questions are lost altogether"));
    EXPECT_THAT(result.out, HasSubstr("no number of seeds would decide"));
}

TEST_F(Compare, RefusesAHundredQuestionsAgainstAll) {
    auto rows = fixture("A");
    const std::string all = write("all", rows);
    rows.resize(100);
    const std::string part = write("part", rows);
    const auto refused = run({"compare", part, all, "--gate", "2"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("the runs cannot be compared: questions: A asks 100, B asks 198"));
    EXPECT_EQ(run({"compare", part, all, "--gate", "2", "--anyway"}).exit_code, 2);
    const auto anyway = run({"compare", part, all, "--anyway"});
    EXPECT_EQ(anyway.exit_code, 0);
    EXPECT_THAT(anyway.out, HasSubstr("part   100 questions, 16 seeds each\ncompared anyway: questions: A asks 100, B asks 198\n"
                                      "compared anyway: left out: 0 questions that only A holds, 98 that only B holds\n"));
}

TEST_F(Compare, RefusesOtherQuestionsAndAnotherRightLetter) {
    const std::string a = write("A", {"11", "10"});
    folder_.write("other/output-rs0.jsonl", "{\"problem\":\"another\",\"expected_answer\":\"B\",\"generation\":\"Answer: B\"}\n"
                                            "{\"problem\":\"question 1\",\"expected_answer\":\"C\",\"generation\":\"Answer: B\"}\n");
    const auto result = run({"compare", a, folder_.path("other")});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("questions: 1 of the first 2 rows hold another question"));
    EXPECT_THAT(result.err, HasSubstr("choice order: 1 of the first 2 rows"));
}

TEST_F(Compare, ComparesNoLettersOfChoicesThatStandElsewhere) {
    const std::string a = write("A", {"111", "101", "000"});
    for (const char* file : {"/output-rs0.jsonl", "/output-rs1.jsonl"}) {
        folder_.write("other" + std::string(file), "{\"problem\":\"question 0\",\"expected_answer\":\"C\",\"generation\":\"Answer: C\"}\n"
                                                  "{\"problem\":\"question 1\",\"expected_answer\":\"B\",\"generation\":\"Answer: B\"}\n"
                                                  "{\"problem\":\"question 2\",\"expected_answer\":\"B\",\"generation\":\"Answer: C\"}\n");
    }
    const auto result = run({"compare", a, folder_.path("other"), "--anyway"});
    EXPECT_THAT(result.out, AllOf(HasSubstr("excess flips"), Not(HasSubstr("of letters")), HasSubstr("letters are not compared, since choices stand elsewhere")));
    EXPECT_EQ(Json::parse(run({"compare", a, folder_.path("other"), "--anyway", "--format", "json"}).out)["letter_flips"], nullptr);
}

// Two questions and one degree of freedom: t goes far beyond what a difference of scores can be.
TEST_F(Compare, CutsIntervalsWhereADifferenceEndsInTextAndJson) {
    const std::string a = write("A", {"11", "11"});
    const std::string b = write("B", {"11", "00"});
    EXPECT_THAT(run({"compare", a, b}).out, HasSubstr("95 % CI -100.00 to +100.00: is B worse on questions like these"));
    const auto json = Json::parse(run({"compare", a, b, "--format", "json"}).out);
    EXPECT_EQ(json["intervals"]["over_questions"]["low"], -1.0);
    EXPECT_EQ(json["intervals"]["over_questions"]["high"], 1.0);
    EXPECT_NEAR(json["intervals"]["over_questions"]["error"].get<double>(), 0.5, 1e-12);
}

TEST_F(Compare, SaysInItsFirstLineThatTheNumbersOfSeedsDiffer) {
    const std::string a = write("A", {"1111", "1100", "0000"});
    const std::string b = write("B", {"11", "11", "01"});
    const auto result = run({"compare", a, b});
    EXPECT_THAT(result.out, StartsWith("A   3 questions, A has 4 seeds, B has 2 seeds: each question's share of right answers is compared\n"));
    EXPECT_THAT(result.out, HasSubstr("+33.33 points"));
}

TEST_F(Compare, LeavesNoQuestionOutInSilenceAndEndsUndecided) {
    const std::string a = write("A", {"11", "10", "01", "00"});
    const std::string b = write("B", {"11", "10", "01", "00"});
    folder_.write("B/output-rs1.jsonl", "{\"problem\":\"question 0\",\"expected_answer\":\"B\",\"generation\":\"Answer: B\"}\n"
                                        "{\"problem\":\"question 1\",\"expected_answer\":\"B\",\"generation\":\"\",\"error\":\"timeout\"}\n"
                                        "{\"problem\":\"question 2\",\"expected_answer\":\"B\",\"generation\":\"Answer: B\"}\n"
                                        "{\"problem\":\"question 3\",\"expected_answer\":\"B\",\"generation\":\"Answer: C\"}\n");
    const auto result = run({"compare", a, b});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.out, HasSubstr("1 question left out, since an attempt of theirs has no score in A or B: 1\n"));
}

// 173 of 198 with 19 cut at 16,384 tokens against 190 of 198.
TEST_F(Compare, SplitsADifferenceIntoFinishedRepliesAndTruncation) {
    std::vector<std::string> low(198, "0");
    std::vector<std::string> high(198, "0");
    for (std::size_t q = 0; q < 192; ++q) low[q] = q < 173 ? "1" : "t";
    for (std::size_t q = 0; q < 191; ++q) high[q] = q == 4 ? "0" : "1";
    const auto result = run({"compare", write("low", low), write("high", high)});
    EXPECT_THAT(result.out, HasSubstr("difference           +8.59 points"));
    EXPECT_THAT(result.out, HasSubstr("truncated            19 / 0        in A (9.60 %) and in B (0.00 %)"));
    EXPECT_THAT(result.out, HasSubstr("  by finished ones   -0.66         points of the difference"));
    EXPECT_THAT(result.out, HasSubstr("  by truncation      +9.24         points: +9.24 by how many were cut, +0.00 by what the cut ones said"));
    EXPECT_THAT(result.out, HasSubstr("  by question        +9.09         points from the 19 questions with a cut reply in either run, -0.51 from the others"));
    EXPECT_THAT(result.out, HasSubstr("McNemar              p"));
}

TEST_F(Compare, PutsTheGreedySeedAgainstTheSampledOnes) {
    const std::string a = write("A", fixture("A"));
    const auto result = run({"compare", a, "--greedy", "--greedy-seed", "0"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("the greedy seed lies +3.2 sd from the sampled mean"));
    EXPECT_THAT(result.out, HasSubstr("sampled              92.76 %       mean of the sampled seeds, sd 0.99"));
    EXPECT_THAT(result.out, HasSubstr("prediction test      p 0.0072      t 3.14 with 14 degrees of freedom"));
    EXPECT_THAT(result.out, HasSubstr("within questions     p 0.031"));
    const auto json = Json::parse(run({"compare", a, "--greedy", "--greedy-seed", "0", "--format", "json"}).out);
    EXPECT_EQ(json["format"], "assay.greedy_comparison/1");
    EXPECT_NEAR(json["distance_sd"].get<double>(), 3.2447, 1e-3);
    const auto unknown = run({"compare", a, "--greedy"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("does not say which seed is greedy: give --greedy-seed N"));
}

TEST_F(Compare, PutsARunAgainstPublishedCountsOfThisTestOnly) {
    const std::string a = write("A", fixture("A"));
    const auto result = run({"compare", a, "--against", published, "--gate", "1"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("this test only\n"));
    EXPECT_THAT(result.out, HasSubstr("published   92.96 %   16 seeds, sd 1.24"));
    EXPECT_THAT(result.out, HasSubstr("gate                 PASS"));
    const auto of_file = Json::parse(run({"compare", a, "--against", folder_.write("card.txt", published + "\n"), "--format", "json"}).out);
    EXPECT_EQ(of_file["answers"], "this test only");
    EXPECT_NEAR(of_file["difference"].get<double>(), 0, 1e-15);
    EXPECT_EQ(of_file["gate"], nullptr);
}

TEST_F(Compare, RefusesPublishedCountsOfAnotherTestAndTextThatIsNone) {
    const std::string a = write("A", {"11", "10"});
    EXPECT_THAT(run({"compare", a, "--against", "3 4 / 5"}).err, HasSubstr("holds 2 questions and the published counts are of 5"));
    EXPECT_THAT(run({"compare", a, "--against", "3 4"}).err, HasSubstr("there is no '/'"));
    EXPECT_THAT(run({"compare", a, "--against", "7 / 5"}).err, HasSubstr("7 is more than 5 questions"));
    EXPECT_THAT(run({"compare", a, "--against", folder_.path("nowhere")}).err, HasSubstr("nowhere"));
    EXPECT_THAT(run({"compare", a, "--against", "50.5 / 2"}).err, HasSubstr("'50.5 / 2' is neither right answers a seed, as in"));
    EXPECT_THAT(run({"compare", a, "--against", folder_.write("words.txt", "half of them")}).err, HasSubstr("something is no number"));
    EXPECT_EQ(run({"compare", a, "--against", "3 4"}).exit_code, 2);
}

TEST_F(Compare, SaysWhatIsMissingOrWrongOnTheCommandLine) {
    const std::string a = write("A", {"11", "10"});
    EXPECT_THAT(run({"compare", a}).err, HasSubstr("expected the folders of two runs and found 1"));
    EXPECT_THAT(run({"compare", a, a, "--greedy"}).err, HasSubstr("expected the folder of one run and found 2"));
    EXPECT_THAT(run({"compare", a, a, "--gate", "0"}).err, HasSubstr("--gate must lie above 0"));
    EXPECT_EQ(run({"compare", a, a, "--gate", "-1"}).exit_code, 2);
}

// A run of the program's own beside results files, greedy seed and all.
TEST_F(Compare, MixesRunsAndResultsFoldersAndNamesGreedySeeds) {
    const std::string own = folder_.path("own");
    ASSERT_EQ(run({"score", "--base-url", "simulated:rate=100000,speed=100,think-median=0", "--dataset", "sample", "--seeds", "3", "--greedy-seed", "0",
                   "--out", own, "--quiet"}).exit_code, 0);
    std::filesystem::create_directory(folder_.path("files"));
    for (const char* name : {"/output-rs0.jsonl", "/output-rs1.jsonl"}) std::filesystem::copy(own + name, folder_.path("files") + name);
    const auto result = run({"compare", own, folder_.path("files")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, StartsWith("SIMULATED"));
    EXPECT_THAT(result.out, HasSubstr("A has 3 seeds, B has 2 seeds"));
    EXPECT_THAT(result.out, HasSubstr("seed 0 is greedy and counted as if it were sampled; --without-greedy leaves it out"));
    const auto without = run({"compare", own, folder_.path("files"), "--without-greedy", "--greedy-seed", "0"});
    EXPECT_THAT(without.out, HasSubstr("A has 2 seeds, B has 1 seed"));
    EXPECT_THAT(without.out, HasSubstr("seed 0 is greedy and left out"));
    EXPECT_THAT(without.out, HasSubstr("note: B is of NeMo-Skills results, whose files do not say in what words"));
    EXPECT_THAT(run({"compare", own, folder_.path("files"), "--without-greedy"}).out, HasSubstr("files: no seed is known to be greedy, so that none is left out"));
    const auto other = run({"compare", own, "--greedy", "--greedy-seed", "1"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("was asked with seed 0 greedy, and --greedy-seed is 1"));
    EXPECT_THAT(run({"compare", folder_.path("files"), folder_.path("files"), "--greedy-seed", "7"}).err, HasSubstr("has no seed 7"));
    const auto greedy = run({"compare", own, "--greedy"});
    EXPECT_EQ(greedy.exit_code, 0) << greedy.err;
    EXPECT_THAT(greedy.out, HasSubstr("greedy seed 0 against 2 sampled seeds, 66 questions"));
}

}  // namespace
}  // namespace assay
