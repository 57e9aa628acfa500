// `assay score` against endpoints that misbehave: exit code, tries, journal, and what the report says of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/files/read_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/run_on_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class MisbehavingEndpoint : public testing::Test {
protected:
    support::TemporaryFolder folder;
    std::string out = folder.path("run");

    support::Run score(const std::string& behaviors, std::vector<std::string> more = {}, const support::Environment& environment = {}) {
        std::vector<std::string> args{"score", "--base-url", "simulated:think-median=5,rate=20000,first-token-ms=1," + behaviors, "--dataset", "sample",
                                      "--limit", "10", "--seeds", "2", "--concurrency", "4", "--out", out};
        args.insert(args.end(), more.begin(), more.end());
        return support::run(args, "", environment);
    }
    nlohmann::json report() {
        const auto printed = support::run({"report", out, "--format", "json"});
        EXPECT_EQ(printed.exit_code == 0 || printed.exit_code == 3, true) << printed.err;
        return nlohmann::json::parse(printed.out);
    }
    std::string notes() { return report()["notes"].dump(); }
    int tries() { return support::records(out, "try"); }
};

TEST_F(MisbehavingEndpoint, AStormOf429IsOutlivedAndNothingIsLost) {
    const auto run = score("storm=6");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(tries(), 20 + 6);
    EXPECT_EQ(report()["counts"]["scored"], 20);
}

TEST_F(MisbehavingEndpoint, EachRequestFailedOnceIsScoredAtItsSecondTry) {
    const auto run = score("answer-500,times=1");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(tries(), 40);
    const auto effort = report()["effort"];
    EXPECT_EQ(effort["retries"], 20);
    EXPECT_EQ(effort["failed_tries"]["server_error"], 20);
}

TEST_F(MisbehavingEndpoint, TruncatedAndEmptyRepliesAreNeverTriedAgain) {
    EXPECT_EQ(score("thinking-length").exit_code, 0);
    EXPECT_EQ(tries(), 20);
    EXPECT_EQ(report()["counts"]["truncated"], 20);
}

TEST_F(MisbehavingEndpoint, WhatCannotSucceedStopsTheRunWithTheServersWordsAndTheFlag) {
    const auto wrong_key = score("answer-401");
    EXPECT_EQ(wrong_key.exit_code, 2);
    EXPECT_THAT(wrong_key.err, AllOf(HasSubstr("Incorrect API key provided"), HasSubstr("--api-key-file")));
    out = folder.path("bad-request");
    const auto bad_request = score("answer-400-nested");
    EXPECT_EQ(bad_request.exit_code, 2);
    EXPECT_THAT(bad_request.err, AllOf(HasSubstr("bad sampling, simulated"), HasSubstr("--extra-body")));
    EXPECT_LE(tries(), 6) << "three shared refusals and what was in flight";
}

TEST_F(MisbehavingEndpoint, AServerThatComesBackWithAnotherModelStopsTheRun) {
    const auto run = score("restart=8:300");
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("came back as another"), HasSubstr("restarted-model")));
}

TEST_F(MisbehavingEndpoint, AQuestionThatTakesTheServerDownIsGivenUpByNameAndTheOthersAreScored) {
    const auto run = score("crash-on=Two healthy parents are both heterozygous:2500", {"--max-retries", "12"});
    EXPECT_EQ(run.exit_code, 3) << run.err;
    const auto read = report();
    EXPECT_EQ(read["counts"]["scored"], 18) << "both seeds of one question are not";
    EXPECT_THAT(read["notes"].dump(), HasSubstr("question 2 took the server down"));
}

TEST_F(MisbehavingEndpoint, TextAgainstEveryRuleLeavesReportAndJournalWhole) {
    for (const char* kind : {"u2028", "lone-surrogate", "invalid-utf8", "nul", "escape", "script", "formula", "bidi"}) {
        out = folder.path(kind);
        const auto run = score(std::string("text=") + kind);
        EXPECT_EQ(run.exit_code, 0) << kind << run.err;
        EXPECT_EQ(report()["counts"]["scored"], 20) << kind;
        EXPECT_EQ(tries(), 20) << kind;
        EXPECT_THAT(run.out + run.err, Not(HasSubstr("\x1b]"))) << kind;
    }
}

TEST_F(MisbehavingEndpoint, DoneWithoutAFinishReasonIsScoredOnlyWhereAskedForAndTheReportSaysSo) {
    EXPECT_EQ(score("done-without-finish", {"--accept-done-without-finish"}).exit_code, 0);
    EXPECT_THAT(notes(), HasSubstr("20 replies scored without a finish_reason"));
    out = folder.path("strict");
    const auto strict = score("done-without-finish", {"--max-retries", "0"});
    EXPECT_EQ(strict.exit_code, 3) << strict.err;
    EXPECT_EQ(report()["unscored_by_reason"]["dropped"], 20);
}

TEST_F(MisbehavingEndpoint, RepliesWithoutDoneAreScoredAndCounted) {
    EXPECT_EQ(score("no-done").exit_code, 0);
    EXPECT_THAT(notes(), HasSubstr("20 replies had a finish_reason and no [DONE]"));
}

TEST_F(MisbehavingEndpoint, UncheckedCertificatesAreOnRecordAndInTheReport) {
    const auto run = score("drop-rate=0", {"--insecure"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("TLS certificates were not checked (--insecure)"));
    const auto document = nlohmann::json::parse(files::read_file(out + "/run.json"));
    EXPECT_EQ(document["info"]["transport"]["insecure"], "true");
    EXPECT_THAT(notes(), HasSubstr("--insecure"));
}

std::vector<std::string> against(const std::string& url, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"score", "--base-url", url, "--dataset", "sample", "--model", "m", "--dry-run"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

TEST(BadConfiguration, AKeyInClearToAPublicHostIsRefusedUnlessAllowed) {
    const support::Environment key{{"OPENAI_API_KEY", "sk-test-only"}, {"http_proxy", ""}};
    const auto refused = support::run(against("http://192.0.2.7/v1"), "", key);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("plain http"), HasSubstr("--allow-plain-http"), Not(HasSubstr("sk-test-only"))));
    const auto allowed = support::run(against("http://192.0.2.7/v1", {"--allow-plain-http"}), "", key);
    EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
    EXPECT_THAT(allowed.out, HasSubstr("allow_plain_http"));
    EXPECT_EQ(support::run(against("http://10.0.0.7/v1"), "", key).exit_code, 0);
    EXPECT_EQ(support::run(against("http://192.0.2.7/v1"), "", {{"OPENAI_API_KEY", ""}}).exit_code, 0);
}

TEST(BadConfiguration, IsRefusedBeforeTheFirstRequest) {
    const auto words = [](const std::vector<std::string>& args) {
        const auto run = support::run(args, "", {{"OPENAI_API_KEY", ""}});
        EXPECT_EQ(run.exit_code, 2) << run.err;
        return run.err;
    };
    EXPECT_THAT(words(against("http://127.0.0.1:1/v1/v1")), HasSubstr("--base-url ends in /v1/v1"));
    EXPECT_THAT(words(against("http://127.0.0.1:1/v1", {"--header", "X-A: 1\nX-B: 2"})), HasSubstr("--header x-a holds a line break"));
    EXPECT_THAT(words(against("http://127.0.0.1:1/v1", {"--header", "no-colon"})), HasSubstr("--header"));
    EXPECT_THAT(words(against("http://127.0.0.1:1/v1", {"--http2"})), HasSubstr("--http2 needs an https"));
    EXPECT_THAT(words(against("http://127.0.0.1:1/v1", {"--extra-body", R"({"n":4})"})), HasSubstr("take n out, and ask more often with --seeds"));
    EXPECT_THAT(words(against("http://127.0.0.1:1/v1", {"--proxy", "proxy"})), HasSubstr("--proxy takes"));
}

TEST(BadConfiguration, MoreRequestsAtOnceThanOpenFilesAreRefused) {
    const std::string command = std::string("ulimit -n 128; exec '") + ASSAY_PROGRAM + "' score --base-url simulated: --dataset sample --dry-run --concurrency ";
    const auto words = [&](const char* concurrency) {
        std::string text;
        std::array<char, 4096> piece{};
        const std::unique_ptr<FILE, int (*)(FILE*)> output(::popen((command + concurrency + " 2>&1").c_str(), "r"), ::pclose);
        while (std::fgets(piece.data(), static_cast<int>(piece.size()), output.get()) != nullptr) text += piece.data();
        return text;
    };
    EXPECT_THAT(words("100"), AllOf(HasSubstr("--concurrency 100 needs more open files"), HasSubstr("room for 64"), HasSubstr("ulimit -n")));
    EXPECT_THAT(words("60"), HasSubstr("first request"));
}

TEST(Proxy, IsShownWithoutItsPassword) {
    const auto run = support::run(against("http://192.0.2.7/v1", {"--proxy", "http://me:hunter2@192.0.2.9:3128"}), "", {{"OPENAI_API_KEY", ""}});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("proxy http://192.0.2.9:3128"));
    EXPECT_THAT(run.out + run.err, Not(HasSubstr("hunter2")));
    const auto environment = support::run(against("http://192.0.2.7/v1"), "", {{"OPENAI_API_KEY", ""}, {"http_proxy", "http://p.example:8080"}});
    EXPECT_THAT(environment.out, HasSubstr("proxy http://p.example:8080"));
    const auto none = support::run(against("http://192.0.2.7/v1", {"--proxy", "none"}), "", {{"OPENAI_API_KEY", ""}, {"http_proxy", "http://p.example:8080"}});
    EXPECT_THAT(none.out, Not(HasSubstr("p.example")));
}

}  // namespace
}  // namespace assay
