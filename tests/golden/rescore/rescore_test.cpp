// assay rescore: saved replies judged again.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "harness/files/read_file.hpp"
#include "tests/support/nemo_folder.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::NemoReply;
using support::run;
using support::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

std::vector<Json> lines_of(const std::string& text) {
    std::vector<Json> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    return lines;
}

// Two questions, two seeds; the right letter is B.
void write_example(const std::string& folder) {
    support::write_nemo_folder(folder, std::vector<std::vector<NemoReply>>{
                                           {{"Answer: B"}, {"\\boxed{C}\nAnswer: B"}},
                                           {{"Answer: C\nno, Answer: B"}, {"Answer: B", "length", 9}},
                                       });
}

TEST(Rescore, PrintsALineForEachAttemptAndExtractorBySeedAndQuestion) {
    const TemporaryFolder folder;
    write_example(folder.path("results"));
    const auto result = run({"rescore", folder.path("results"), "--extractor", "nemo-v3,simple-evals", "--format", "jsonl"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out,
              "{\"question\":0,\"seed\":0,\"extractor\":\"nemo-v3\",\"letter\":\"B\",\"correct\":true}\n"
              "{\"question\":0,\"seed\":0,\"extractor\":\"simple-evals\",\"letter\":\"B\",\"correct\":true}\n"
              "{\"question\":1,\"seed\":0,\"extractor\":\"nemo-v3\",\"letter\":\"B\",\"correct\":true}\n"
              "{\"question\":1,\"seed\":0,\"extractor\":\"simple-evals\",\"letter\":\"C\",\"correct\":false}\n"
              "{\"question\":0,\"seed\":1,\"extractor\":\"nemo-v3\",\"letter\":\"C\",\"correct\":false}\n"
              "{\"question\":0,\"seed\":1,\"extractor\":\"simple-evals\",\"letter\":\"B\",\"correct\":true}\n"
              "{\"question\":1,\"seed\":1,\"extractor\":\"nemo-v3\",\"letter\":\"B\",\"correct\":true}\n"
              "{\"question\":1,\"seed\":1,\"extractor\":\"simple-evals\",\"letter\":\"B\",\"correct\":true}\n");
}

TEST(Rescore, PrintsTheScoreByExtractorAndEveryAttemptOnWhichTheyDisagree) {
    const TemporaryFolder folder;
    write_example(folder.path("results"));
    const auto result = run({"rescore", folder.path("results"), "--extractor", "nemo-v3,simple-evals"});
    EXPECT_THAT(result.out, HasSubstr("nemo-v3       75.00 %    3 / 4          0                 -       -     -\n"
                                      "simple-evals  75.00 %    3 / 4          0                 2       1     1\n"));
    EXPECT_THAT(result.out, HasSubstr("2 of 4 scored attempts are not read the same by all of them ('-': no answer)\n"
                                      "question  seed  right  nemo-v3  simple-evals\n"
                                      "       1     0      B  B        C\n"
                                      "       0     1      B  C        B\n"));
}

TEST(Rescore, SetsEachTwoOfSeveralExtractorsAgainstEachOther) {
    const TemporaryFolder folder;
    write_example(folder.path("results"));
    const auto result = run({"rescore", folder.path("results"), "--extractor", "nemo-v3,simple-evals,lm-eval-strict"});
    EXPECT_THAT(result.out, HasSubstr("read differently  nemo-v3  simple-evals  lm-eval-strict\n"
                                      "nemo-v3                 -             2               4\n"
                                      "simple-evals            2             -               4\n"
                                      "lm-eval-strict          4             4               -\n"));
}

TEST(Rescore, GivesTheSameNumbersAsJson) {
    const TemporaryFolder folder;
    write_example(folder.path("results"));
    const auto json = Json::parse(run({"rescore", folder.path("results"), "--extractor", "nemo-v3,simple-evals", "--format", "json"}).out);
    EXPECT_EQ(json["format"], "assay.rescore/1");
    EXPECT_EQ(json["extractors"][1]["against_first"], (Json{{"differ", 2}, {"gained", 1}, {"lost", 1}}));
    EXPECT_EQ(json["extractors"][0]["pass_at_1"], 0.75);
    EXPECT_EQ(json["differing"], Json::parse("[[0,2],[2,0]]"));
    EXPECT_EQ(json["disagreements"][0]["letters"], (Json{{"nemo-v3", "B"}, {"simple-evals", "C"}}));
    EXPECT_EQ(json["disagreements"].size(), 2U);
}

TEST(Rescore, SaysThatNothingIsScoredAndHowItDiffersFromWhatIsOnRecord) {
    const TemporaryFolder folder;
    folder.write("none/output-rs0.jsonl", "{\"problem\":\"q\",\"expected_answer\":\"B\",\"generation\":\"\",\"error\":\"timeout\"}\n");
    EXPECT_THAT(run({"rescore", folder.path("none")}).out, HasSubstr("no attempt is scored\n"));
    folder.write("judged/output-rs0.jsonl", "{\"problem\":\"q\",\"expected_answer\":\"B\",\"generation\":\"Answer: B\",\"predicted_answer\":null,\"symbolic_correct\":false}\n");
    EXPECT_THAT(run({"rescore", folder.path("judged")}).out, HasSubstr("nemo-v3 reads 1 reply otherwise than is on record there (+1 right)"));
}

TEST(Rescore, MakesLettersFromOutsideVisible) {
    const TemporaryFolder folder;
    support::write_nemo_folder(folder.path("results"), std::vector<std::vector<NemoReply>>{{{"\\boxed{\033}"}}});
    const auto result = run({"rescore", folder.path("results"), "--extractor", "nemo-v3,simple-evals"});
    EXPECT_THAT(result.out, Not(HasSubstr("\033")));
    EXPECT_THAT(result.out, HasSubstr("\\x1b"));
}

TEST(Rescore, ReadsARunAndItsResultsFilesAlike) {
    const TemporaryFolder folder;
    const std::string out = folder.path("run");
    ASSERT_EQ(run({"score", "--base-url", "simulated:rate=100000,speed=100,think-median=300", "--dataset", "sample", "--limit", "12", "--seeds", "3",
                   "--max-tokens", "500", "--out", out, "--quiet"}).exit_code, 0);
    const std::string results = folder.path("results");
    std::filesystem::create_directory(results);
    for (const char* name : {"/output-rs0.jsonl", "/output-rs1.jsonl", "/output-rs2.jsonl"}) std::filesystem::copy(out + name, results + name);
    const auto of_run = run({"rescore", out, "--extractor", "nemo-v3,aa-cascade,gpt-oss", "--format", "jsonl"});
    const auto of_files = run({"rescore", results, "--extractor", "nemo-v3,aa-cascade,gpt-oss", "--format", "jsonl"});
    EXPECT_EQ(of_run.out, of_files.out);
    EXPECT_EQ(lines_of(of_run.out).size(), 12U * 3 * 3);
    const auto report = Json::parse(run({"report", out, "--format", "json"}).out);
    const auto rescored = Json::parse(run({"rescore", out, "--extractor", "nemo-v3", "--format", "json"}).out);
    EXPECT_EQ(report["pass_at_1"], rescored["extractors"][0]["pass_at_1"]);
}

const std::string score_out(const TemporaryFolder& folder, const std::vector<std::string>& more) {
    const std::string out = folder.path("run");
    std::vector<std::string> args{"score", "--base-url", "simulated:rate=100000,speed=100,think-median=20", "--dataset", "sample", "--limit", "10",
                                  "--seeds", "2", "--out", out};
    args.insert(args.end(), more.begin(), more.end());
    const auto result = run(args);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return out;
}

TEST(Rescore, ReadsARunAsTheHarnessOfItsProtocolDoes) {
    const TemporaryFolder folder;
    const std::string out = score_out(folder, {"--protocol", "simple-evals", "--quiet"});
    const auto json = Json::parse(run({"rescore", out, "--format", "json"}).out);
    EXPECT_EQ(json["protocol"], "simple-evals");
    EXPECT_EQ(json["extractors"][0]["name"], "simple-evals");
    EXPECT_THAT(run({"report", out}).out, HasSubstr("protocol simple-evals   extractor simple-evals"));
    const auto other = run({"rescore", out, "--protocol", "nemo"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("was asked under protocol simple-evals, not nemo: leave --protocol out; --extractor reads its replies as another harness does"));
    EXPECT_EQ(run({"rescore", out, "--protocol", "simple-evals", "--format", "json"}).out, run({"rescore", out, "--format", "json"}).out);
}

TEST(Rescore, ReadsTheResultsFilesOfEveryProtocolAsTheRun) {
    for (const char* protocol : {"nemo-boxed", "gpt-oss", "lm-eval", "inspect", "evalscope", "opencompass"}) {
        const TemporaryFolder folder;
        const std::string out = score_out(folder, {"--protocol", protocol, "--quiet"});
        const std::string results = folder.path("results");
        std::filesystem::create_directory(results);
        for (const char* name : {"/output-rs0.jsonl", "/output-rs1.jsonl"}) std::filesystem::copy(out + name, results + name);
        const auto of_run = Json::parse(run({"report", out, "--format", "json"}).out);
        const auto of_files = Json::parse(run({"report", results, "--format", "json"}).out);
        EXPECT_EQ(of_run["pass_at_1"], of_files["pass_at_1"]) << protocol;
        EXPECT_GT(of_run["pass_at_1"], 0.5) << protocol;
        const auto rows = lines_of(files::read_file(out + "/output-rs0.jsonl"));
        for (const Json& row : rows) {
            const std::string letter = row["expected_answer"];
            EXPECT_THAT(std::string(row["problem"]), HasSubstr("\n" + letter + ") " + std::string(row[letter]))) << protocol;
        }
    }
}

TEST(Rescore, WarnsInOneLineWhereAnExtractorDoesNotFitThePrompt) {
    const TemporaryFolder folder;
    const std::string warning = "extractor opencompass does not fit the prompt of nemo-boxed: it reads 'Answer: B' and no box, and the prompt asks for "
                                "'Answer: \\boxed{B}', so letters may be missed or misread; --extractor nemo-v3 fits\n";
    const auto scored = run({"score", "--base-url", "simulated:rate=100000,speed=100,think-median=20", "--dataset", "sample", "--limit", "4", "--seeds", "1",
                             "--protocol", "nemo", "--prompt", "nemo-boxed", "--extractor", "opencompass", "--out", folder.path("run")});
    EXPECT_EQ(scored.exit_code, 0);
    EXPECT_THAT(scored.err, HasSubstr("assay: " + warning));
    EXPECT_THAT(scored.out, HasSubstr("note: " + warning));
    EXPECT_THAT(run({"rescore", folder.path("run"), "--extractor", "nemo-v3,opencompass"}).out, HasSubstr("note: " + warning));
    EXPECT_THAT(run({"report", folder.path("run"), "--extractor", "opencompass"}).out, HasSubstr("note: " + warning));
    EXPECT_THAT(run({"rescore", folder.path("run"), "--extractor", "nemo-v3,assay"}).out, Not(HasSubstr("does not fit")));
}

TEST(Rescore, BelievesWhatItIsToldOfResultsThatDoNotSayHowTheyWereAsked) {
    const TemporaryFolder folder;
    write_example(folder.path("results"));
    const auto unknown = Json::parse(run({"rescore", folder.path("results"), "--format", "json"}).out);
    EXPECT_EQ(unknown["protocol"], nullptr);
    const auto told = run({"rescore", folder.path("results"), "--protocol", "gpt-oss"});
    EXPECT_THAT(told.out, HasSubstr("protocol gpt-oss"));
    EXPECT_THAT(told.out, HasSubstr("\ngpt-oss      75.00 %    3 / 4"));
    EXPECT_THAT(told.out, Not(HasSubstr("does not fit")));  // the columns of its own accord are those that do
    EXPECT_THAT(told.out, HasSubstr("\nassay"));
    EXPECT_THAT(run({"rescore", folder.path("results"), "--protocol", "gpt-oss", "--extractor", "simple-evals"}).out,
                HasSubstr("extractor simple-evals does not fit the prompt of gpt-oss"));
}

std::string only_reasoning(const std::string& reasoning) {
    return Json{{"problem", "question 0"}, {"expected_answer", "B"}, {"generation", ""}, {"reasoning_content", reasoning}, {"finish_reason", "stop"}}.dump() + "\n";
}

TEST(Rescore, GradesTheEndOfTheReasoningOnlyWhereAskedAndSaysSo) {
    const TemporaryFolder folder;
    folder.write("results/output-rs0.jsonl", only_reasoning("Answer: C " + std::string(5000, '.') + " so Answer: B"));
    const auto without = run({"rescore", folder.path("results"), "--extractor", "nemo-v3", "--format", "jsonl"});
    EXPECT_EQ(lines_of(without.out)[0]["letter"], nullptr);
    const auto with = run({"rescore", folder.path("results"), "--extractor", "nemo-v3", "--grade-reasoning", "--format", "jsonl"});
    EXPECT_EQ(lines_of(with.out)[0]["letter"], "B");
    const auto text = run({"rescore", folder.path("results"), "--extractor", "simple-evals", "--grade-reasoning"});
    EXPECT_THAT(text.out, HasSubstr("graded by the last 4,096 bytes of the reasoning (--grade-reasoning)"));
    EXPECT_THAT(text.out, HasSubstr("1 / 1"));  // the first Answer is not in the tail
    EXPECT_THAT(run({"report", folder.path("results"), "--grade-reasoning"}).out, HasSubstr("(--grade-reasoning)"));
}

TEST(Rescore, NamesTheFirstBadLineOfAllFilesHoweverManyThreadsRead) {
    const TemporaryFolder folder;
    const std::string good = Json{{"problem", "p"}, {"expected_answer", "B"}, {"generation", std::string(40'000, 'x')}}.dump() + "\n";
    std::string many;
    for (int row = 0; row < 100; ++row) many += good;
    for (int seed = 0; seed < 3; ++seed) folder.write("results/output-rs" + std::to_string(seed) + ".jsonl", many);
    EXPECT_EQ(run({"rescore", folder.path("results")}).exit_code, 0);
    folder.write("results/output-rs1.jsonl", many.substr(0, good.size() * 90) + "{}\n" + many.substr(good.size() * 91));
    folder.write("results/output-rs2.jsonl", "{}\n" + many);
    const auto bad = run({"rescore", folder.path("results")});
    EXPECT_EQ(bad.exit_code, 2);
    EXPECT_EQ(bad.err, "assay: '" + folder.path("results") + "/output-rs1.jsonl', line 91: expected a row of results, found none of 'generation'\n");
    folder.write("results/output-rs1.jsonl", many.substr(good.size()));
    folder.write("results/output-rs2.jsonl", many);
    EXPECT_THAT(run({"rescore", folder.path("results")}).err, HasSubstr("output-rs1.jsonl' ends after line 99, where output-rs0.jsonl has 100 lines"));
    std::string other = many;
    other.replace(good.size() * 60, good.size(), Json{{"problem", "q"}, {"expected_answer", "B"}, {"generation", ""}}.dump() + "\n");
    folder.write("results/output-rs1.jsonl", other);
    EXPECT_THAT(run({"rescore", folder.path("results")}).err, HasSubstr("output-rs1.jsonl', line 61: its problem or expected_answer is not the one"));
}

TEST(Rescore, GivesUnscoredAttemptsALineWithTheirReasonAndEndsUndecided) {
    const TemporaryFolder folder;
    folder.write("results/output-rs0.jsonl", Json{{"expected_answer", "B"}, {"generation", ""}, {"error", "timed out"}}.dump() + "\n");
    const auto result = run({"rescore", folder.path("results"), "--extractor", "nemo-v3", "--format", "jsonl"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.out, "{\"question\":0,\"seed\":0,\"extractor\":\"nemo-v3\",\"letter\":null,\"correct\":null,\"unscored\":\"server_error\"}\n");
}

TEST(Rescore, NamesTheExtractorsThereAreWhereOneIsNotKnown) {
    const TemporaryFolder folder;
    write_example(folder.path("results"));
    const auto result = run({"rescore", folder.path("results"), "--extractor", "nemo-v3,nemo-v33"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("no extractor is called 'nemo-v33'; choose one of: nemo-v1, "));
    EXPECT_EQ(run({"rescore"}).exit_code, 2);
    EXPECT_EQ(run({"rescore", folder.path("nowhere")}).exit_code, 2);
}

TEST(Report, SaysInOneLineWhereNemoV3AndAssayReadRepliesDifferently) {
    const TemporaryFolder folder;
    support::write_nemo_folder(folder.path("alike"), std::vector<std::string>{"10", "11"});
    EXPECT_THAT(run({"report", folder.path("alike")}).out, Not(HasSubstr("differently")));
    support::write_nemo_folder(folder.path("unlike"), std::vector<std::vector<NemoReply>>{{{"Answer: **B**"}, {"Answer: B"}}});
    const auto result = run({"report", folder.path("unlike")});
    EXPECT_THAT(result.out, HasSubstr("note: nemo-v3 and assay read 1 reply differently (+1 right by assay): assay rescore "));
    EXPECT_THAT(run({"report", folder.path("unlike"), "--extractor", "nemo-v3"}).out, Not(HasSubstr("differently")));
}

}  // namespace
}  // namespace assay
