// assay report: a run, and NeMo-Skills' own files, read again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include <nlohmann/json.hpp>

#include "harness/files/read_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Report : public testing::Test {
protected:
    void SetUp() override {
        const auto done = support::run({"score", "--base-url", "simulated:speed=200,think-median=20", "--dataset", "sample", "--limit", "10", "--seeds", "3",
                                        "--out", run_, "--format", "json"});
        ASSERT_EQ(done.exit_code, 0) << done.err;
        scored_ = done.out;
    }
    support::TemporaryFolder folder_;
    std::string run_ = folder_.path("run");
    std::string scored_;
};

TEST_F(Report, SaysAgainWhatScoreSaid) {
    EXPECT_EQ(support::run({"report", run_, "--format", "json"}).out, scored_);
    EXPECT_EQ(files::read_file(run_ + "/summary.json"), scored_);
}

TEST_F(Report, OfTheRunsOwnNemoFilesHasTheSameScore) {
    const std::string nemo = folder_.path("nemo");
    std::filesystem::create_directory(nemo);
    for (int seed = 0; seed < 3; ++seed) {
        const std::string name = "/output-rs" + std::to_string(seed) + ".jsonl";
        std::filesystem::copy(run_ + name, nemo + name);
    }
    const auto report = support::run({"report", nemo, "--format", "json"});
    EXPECT_EQ(report.exit_code, 0) << report.err;
    const json again = json::parse(report.out);
    EXPECT_EQ(again.at("counts"), json::parse(scored_).at("counts"));
    EXPECT_EQ(again.at("source"), "NeMo-Skills results");
}

TEST_F(Report, NeedsNoQuestionFileAndShowsNoQuestion) {
    const std::string text = support::run({"report", run_, "--subdomains", "--questions"}).out;
    const std::string html = support::run({"report", run_, "--format", "html"}).out;
    const auto first = json::parse(files::read_file(run_ + "/output-rs0.jsonl").substr(0, files::read_file(run_ + "/output-rs0.jsonl").find('\n')));
    const std::string problem = first.at("problem");
    EXPECT_THAT(text, Not(HasSubstr(problem.substr(0, 40))));
    EXPECT_THAT(html, Not(HasSubstr(problem.substr(0, 40))));
    EXPECT_THAT(html, HasSubstr("<svg"));
}

TEST_F(Report, AsCsvHasALineAnAttemptWithTheSameCounts) {
    const auto report = support::run({"report", run_, "--format", "csv"});
    EXPECT_EQ(report.exit_code, 0) << report.err;
    std::istringstream lines(report.out);
    std::string line;
    std::getline(lines, line);
    EXPECT_THAT(line, StartsWith("run,simulated,model,"));
    std::int64_t attempts = 0;
    std::int64_t correct = 0;
    for (; std::getline(lines, line); ++attempts) {
        EXPECT_THAT(line, StartsWith(run_ + ",\"accuracy=0.9,"));
        correct += line.find(",yes,") != std::string::npos ? 1 : 0;
    }
    const json counts = json::parse(scored_).at("counts");
    EXPECT_EQ(attempts, counts.at("attempts"));
    EXPECT_EQ(correct, counts.at("correct"));
    EXPECT_EQ(support::run({"report", run_, "--format", "csv", "--budget-advice"}).exit_code, 2);
}

// A report longer than a buffer: its first part fails to be written long before the program ends.
TEST_F(Report, IsNoSuccessWhereItsOutputWasLost) {
    for (const std::string format : {"text", "json", "html"}) {
        const auto lost = support::run_program("/bin/sh", {"-c", "exec \"$0\" report \"$1\" --format \"$2\" > /dev/full", ASSAY_PROGRAM, run_, format});
        EXPECT_EQ(lost.exit_code, 2) << format;
        EXPECT_THAT(lost.err, HasSubstr("standard output could not be written in full"));
    }
}

TEST_F(Report, RefusesFlagsThatItWouldPassOver) {
    const auto extractor = support::run({"report", run_, "--format", "nemo", "--extractor", "assay"});
    EXPECT_EQ(extractor.exit_code, 2);
    EXPECT_THAT(extractor.err, HasSubstr("--format nemo prints the verdicts on record"));
    EXPECT_EQ(support::run({"report", run_, "--format", "nemo", "--grade-reasoning"}).exit_code, 2);
    EXPECT_THAT(support::run({"report", run_, "--truncated-at-most", "2"}).err, HasSubstr("--truncated-at-most belongs to --budget-advice"));
    EXPECT_EQ(support::run({"report", run_, "--budget-advice", "--truncated-at-most", "2"}).exit_code, 0);
}

TEST_F(Report, AnExchangedQuestionFileIsRefused) {
    std::string kept = files::read_file(run_ + "/questions.jsonl");
    const auto at = kept.find("\"correct\":");
    ASSERT_NE(at, std::string::npos);
    kept[at + 10] = kept[at + 10] == '0' ? '1' : '0';
    std::filesystem::remove(run_ + "/questions.jsonl");
    folder_.write("run/questions.jsonl", kept);
    const auto refused = support::run({"report", run_});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("questions.jsonl"));
}

}  // namespace
}  // namespace assay
