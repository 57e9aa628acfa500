// assay questions on files that can be used.
//
// nasty.csv (78 columns, 20 rows of white space, braces, quotes, newlines and marks of missing values, made at random) was
// prepared with NeMo-Skills' own preparation of November 2025 on CPython 3.11 and Hugging Face datasets; nasty.nemo.jsonl
// is what came out, and the sha256 below what came out of the sample set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/files/digest.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::run;
using support::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

const std::string data = std::string(ASSAY_TEST_DATA) + "/questions/";

std::string first_lines(const std::string& text, int count) {
    std::size_t end = 0;
    while (count-- > 0) end = text.find('\n', end) + 1;
    return text.substr(0, end);
}

TEST(Questions, ExportsWhatNeMoSkillsPrepares) {
    const auto result = run({"questions", data + "nasty.csv", "--format", "nemo"});
    EXPECT_EQ(result.out, files::read_file(data + "nasty.nemo.jsonl"));
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.exit_code, 0);
}

TEST(Questions, ExportsTheSampleAsNeMoSkillsPreparesIt) {
    EXPECT_EQ(files::sha256_hex(run({"questions", "sample", "--format", "nemo"}).out), "7732a1880c342d2d2a76db9df9908384cfccce8803b09393433ce1d7f8531701");
}

TEST(Questions, ExportsAPreparedFileAsItIs) {
    const std::string prepared = files::read_file(data + "nasty.nemo.jsonl");
    EXPECT_EQ(run({"questions", data + "nasty.nemo.jsonl", "--format", "nemo"}).out, prepared);
    EXPECT_EQ(run({"questions", data + "nasty.nemo.jsonl", "--format", "nemo", "--limit", "3"}).out, first_lines(prepared, 3));
    EXPECT_EQ(run({"questions", data + "nasty.csv", "--format", "nemo", "--limit", "3"}).out, first_lines(prepared, 3));
}

TEST(Questions, PrintsCountsHashesAndNotes) {
    const TemporaryFolder folder;
    const std::string path = folder.write("two.csv",
        "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,Explanation,Subdomain,Writer's Difficulty Estimate,High-level domain,Record ID\n"
        "q1,r,w1,w2,w2,e,\"Op\x1b[31mtics\",d,Physics,a\n"
        "q2,r,w1,w2,w3,e,Genetics,d,Biology,b\n"
        "q3,r,w1,w2,w3,e,Optics,d,Physics,c\n");
    const auto result = run({"questions", path});
    EXPECT_EQ(result.out, R"(two.csv   3 questions   protocol nemo (NeMo-Skills as of November 2025), extractor nemo-v3

sha256
  file      27b15648a99f4822a81741ea55eea769a4665404845f33d9b2b4787b74c6f7c0
  letters   362d88818ef27ef22e88e457338bbaf00ae52c3f370211e0f33b7d0303d6b135
  prompts   c6321882d13269d42ebf194a470d980accf541cba456c816c471852e983bfb8c

correct letters   A 1  B 1  C 1  D 0

domain   subdomain       questions
Physics                          2
         Op\x1b[31mtics          1
         Optics                  1
Biology                          1
         Genetics                1

note: two wrong choices are the same text, which leaves the score as it is: row 1 (line 2)
)");
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.exit_code, 0);
}

TEST(Questions, PrintsTheSameNumbersAsJson) {
    const auto result = run({"questions", data + "nasty.csv", "--format", "json", "--limit", "7"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Json report = Json::parse(result.out);
    EXPECT_EQ(report["format"], "assay.questions-report/1");
    EXPECT_EQ(report["name"], "nasty.csv");
    EXPECT_EQ(report["rows"], 20);
    EXPECT_EQ(report["questions"], 7);
    EXPECT_EQ(report["letters"], Json::parse(R"({"A": 1, "B": 2, "C": 2, "D": 2})")) << "CABDCBD are the first seven letters of seed 42";
    EXPECT_EQ(report["sha256"]["file"], files::sha256_hex(files::read_file(data + "nasty.csv")));
    int counted = 0;
    for (const Json& domain : report["domains"]) counted += domain["questions"].get<int>();
    EXPECT_EQ(counted, 7);
    EXPECT_FALSE(report.contains("texts"));
}

TEST(Questions, HashesTheWholeFileWhateverTheLimit) {
    const Json whole = Json::parse(run({"questions", "sample", "--format", "json"}).out);
    const Json limited = Json::parse(run({"questions", "sample", "--format", "json", "--limit", "1"}).out);
    EXPECT_EQ(limited["sha256"], whole["sha256"]);
    EXPECT_EQ(limited["questions"], 1);
    EXPECT_THAT(run({"questions", "sample", "--limit", "1"}).out, HasSubstr("the first 1 of "));
}

TEST(Questions, ShowsTextsOnlyWhenAsked) {
    const std::string marker = "A uniform solid sphere is released from rest";
    EXPECT_THAT(run({"questions", "sample"}).out, Not(HasSubstr(marker)));
    EXPECT_THAT(run({"questions", "sample", "--format", "json"}).out, Not(HasSubstr(marker)));
    EXPECT_THAT(run({"questions", "sample", "--include-questions", "--limit", "1"}).out, HasSubstr(marker));
    EXPECT_THAT(run({"questions", "sample", "--include-questions", "--limit", "1", "--format", "json"}).out, HasSubstr(marker));
}

TEST(Questions, FindsGpqaInTheHubCache) {
    const TemporaryFolder folder;
    folder.write("hub/datasets--Idavidrein--gpqa/snapshots/abc/gpqa_diamond.csv", files::read_file(data + "nasty.csv"));
    const support::Environment environment{{"HF_HOME", folder.path()}, {"HF_HUB_CACHE", ""}};
    const auto result = run({"questions", "gpqa:diamond", "--format", "json"}, "", environment);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Json::parse(result.out)["name"], "gpqa:diamond");
}

TEST(Questions, ListsTheProtocolsAndSaysWhichHarnessesHaveNone) {
    const auto text = run({"questions", "--protocols"});
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_THAT(text.out, HasSubstr("nemo-boxed    asks for 'Answer: \\boxed{B}'         nemo          nemo-v3\n"));
    EXPECT_THAT(text.out, HasSubstr("gpt-oss       asks for a letter in no stated form  simple-evals  gpt-oss\n"));
    EXPECT_THAT(text.out, HasSubstr("no lighteval: it places the correct choice by Python's global generator"));
    const Json json = Json::parse(run({"questions", "--protocols", "--format", "json"}).out);
    EXPECT_EQ(json["format"], "assay.protocols/1");
    EXPECT_EQ(json["protocols"].size(), 8U);
    EXPECT_EQ(json["protocols"][4], (Json{{"name", "lm-eval"}, {"about", json["protocols"][4]["about"]}, {"prompt", "lm-eval"},
                                          {"asks", "does not say how to end"}, {"choice_order", "lm-eval"}, {"extractor", "lm-eval-flexible"}}));
    EXPECT_EQ(run({"questions", "sample", "--protocols"}).exit_code, 2);
}

TEST(Questions, NamesTheProtocolAndThePartsOfOthers) {
    EXPECT_THAT(run({"questions", "sample", "--protocol", "inspect"}).out, HasSubstr("protocol inspect (inspect_evals 0.26.0, gpqa_diamond with its default seed 42), extractor inspect\n"));
    EXPECT_THAT(run({"questions", "sample", "--prompt", "gpt-oss", "--choice-order", "lm-eval"}).out,
                HasSubstr("protocol nemo+prompt:gpt-oss+order:lm-eval (parts of more than one harness), extractor nemo-v3\n"));
    const auto unknown = run({"questions", "sample", "--choice-order", "random"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("no protocol is called 'random'; expected --choice-order nemo, nemo-boxed, simple-evals, gpt-oss, lm-eval, inspect, evalscope, opencompass\n"));
}

TEST(Questions, ExportsNeMoSkillsFileOnlyUnderAProtocolWithItsTextsAndOrder) {
    EXPECT_EQ(run({"questions", "sample", "--format", "nemo", "--protocol", "nemo-boxed"}).out, run({"questions", "sample", "--format", "nemo"}).out);
    for (const char* protocol : {"simple-evals", "lm-eval", "opencompass"}) {
        const auto refused = run({"questions", "sample", "--format", "nemo", "--protocol", protocol});
        EXPECT_EQ(refused.exit_code, 2) << protocol;
        EXPECT_EQ(refused.out, "") << protocol;
        EXPECT_THAT(refused.err, HasSubstr("cleans or orders the choices otherwise: give --protocol nemo\n")) << protocol;
    }
    const std::string prepared = data + "nasty.nemo.jsonl";
    EXPECT_EQ(run({"questions", prepared, "--format", "nemo", "--protocol", "inspect"}).out, files::read_file(prepared)) << "a prepared file is itself";
}

TEST(Questions, PrintsTheSameInEveryLocale) {
    const std::string plain = run({"questions", data + "nasty.csv"}, "", {{"LC_ALL", "C"}}).out;
    EXPECT_EQ(run({"questions", data + "nasty.csv"}, "", {{"LC_ALL", "tr_TR.UTF-8"}}).out, plain);
}

}  // namespace
}  // namespace assay
