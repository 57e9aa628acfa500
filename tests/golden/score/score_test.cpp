// assay score as a user runs it: what it prints, how it ends, and what it asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/run_on_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* fast = "simulated:speed=200,think-median=20";

std::vector<std::string> score(const std::string& out, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"score", "--base-url", fast, "--dataset", "sample", "--limit", "12", "--seeds", "3", "--out", out};
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

class Score : public testing::Test {
protected:
    support::TemporaryFolder folder_;
    std::string run_ = folder_.path("run");
};

TEST_F(Score, OfASimulatedEndpointSaysSoInTheFirstLineAndEndsZero) {
    const auto done = support::run(score(run_));
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.out, StartsWith("SIMULATED"));
    EXPECT_THAT(done.out, HasSubstr("sample   12 questions x 3 seeds = 36 attempts, all scored"));
    EXPECT_THAT(done.out, HasSubstr("pass@1 [avg-of-3]"));
}

TEST_F(Score, PrintsOneJsonObjectAndNothingElseOnStdout) {
    const auto done = support::run(score(run_, {"--format", "json"}));
    const json report = json::parse(done.out);
    EXPECT_EQ(report.at("format"), "assay.score_report/1");
    EXPECT_EQ(report.at("counts").at("scored"), 36);
}

TEST_F(Score, SendsSeedBySeedWhatTheFlagsSay) {
    const auto plan = support::run({"score", "--base-url", "simulated:", "--dataset", "sample", "--seeds", "16", "--greedy-seed", "0", "--temperature",
                                    "0.6", "--top-p", "0.95", "--max-tokens", "65536", "--reasoning-effort", "high", "--dry-run"});
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    EXPECT_THAT(plan.out, HasSubstr("requests   1056: 66 questions x 16 seeds; nothing was sent"));
    EXPECT_THAT(plan.out, HasSubstr("temperature 0.6, top_p 0.95, reasoning_effort high; seed 0 with temperature 0"));
    EXPECT_THAT(plan.out, HasSubstr("\"max_tokens\":65536,"));
    EXPECT_THAT(plan.out, HasSubstr("\"reasoning_effort\":\"high\""));
    EXPECT_THAT(plan.out, Not(HasSubstr("max_completion_tokens")));
}

TEST_F(Score, ThatIsDryGivesTheSameAsOneJsonObject) {
    const std::vector<std::string> args{"score", "--base-url", "simulated:", "--dataset", "sample", "--seeds", "4", "--first-seed", "2", "--temperature", "0.6", "--dry-run"};
    auto as_json = args;
    as_json.insert(as_json.end(), {"--format", "json"});
    const auto plan = support::run(as_json);
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    const json dry = json::parse(plan.out);
    EXPECT_EQ(dry.at("format"), "assay.dry_run/1");
    EXPECT_EQ(dry.at("requests"), 264);
    EXPECT_EQ(dry.at("seeds"), json({2, 3, 4, 5}));
    EXPECT_EQ(dry.at("plan").at("sampling").at("temperature"), 0.6);
    const std::string text = support::run(args).out;
    EXPECT_THAT(text, HasSubstr("requests   264: "));
    EXPECT_THAT(text, HasSubstr("\nplan       " + dry.at("plan_hash").get<std::string>() + "\n"));
    EXPECT_EQ(json::parse(text.substr(text.find("first request\n") + 14)), dry.at("first_request"));
}

TEST_F(Score, TakesEveryFlagFromATomlFileAndLetsTheCommandLineWin) {
    const std::string config = folder_.write("run.toml", "base-url = 'simulated:'\ndataset = 'sample'\nseeds = 16\n[score]\ntemperature = 0.6\n"
                                                         "extra-body = { top_k = 20 }\n");
    const auto plan = support::run({"score", "--config", config, "--seeds", "2", "--dry-run"});
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    EXPECT_THAT(plan.out, HasSubstr("132: 66 questions x 2 seeds"));
    EXPECT_THAT(plan.out, HasSubstr("temperature 0.6, extra body {\"top_k\":20}"));
}

TEST_F(Score, RefusesAConfigKeyThatIsNoFlagAndNamesTheNearest) {
    const std::string config = folder_.write("run.toml", "base-url = 'simulated:'\nseed = 16\n");
    const auto refused = support::run({"score", "--config", config, "--dry-run"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("line 2: 'seed' is no flag of `assay score`; did you mean 'seeds'?"));
}

TEST_F(Score, EndsOneBelowFailUnderAndZeroAtIt) {
    EXPECT_EQ(support::run(score(run_, {"--fail-under", "100"})).exit_code, 1);
    EXPECT_EQ(support::run(score(run_, {"--fail-under", "0"})).exit_code, 0);
}

TEST_F(Score, EndsThreeAndShowsTheBoundsWhereAttemptsStayUnscored) {
    const auto done = support::run({"score", "--base-url", "simulated:speed=200,error-rate=1", "--dataset", "sample", "--limit", "2", "--seeds", "1",
                                    "--max-retries", "0", "--out", run_, "--skip-preflight"});
    EXPECT_EQ(done.exit_code, 3) << done.err;
    EXPECT_THAT(done.out, HasSubstr("0 scored, 2 unscored"));
    EXPECT_THAT(done.out, HasSubstr("0.0 - 100.0"));
}

TEST_F(Score, AnUnscoredAttemptDoesNotStopTheAccuracySoFar) {
    const auto done = support::run({"score", "--base-url", "simulated:speed=200,think-median=20,error-rate=0.3", "--dataset", "sample", "--limit", "12",
                                    "--seeds", "2", "--max-retries", "0", "--out", run_, "--format", "json", "--skip-preflight"});
    ASSERT_EQ(done.exit_code, 3) << done.err;
    const json counts = json::parse(done.out).at("counts");
    ASSERT_GT(counts.at("unscored"), 0);
    EXPECT_THAT(done.err, HasSubstr("of the first " + std::to_string(counts.at("scored").get<int>()) + " "));
}

TEST_F(Score, TriesAFailedAttemptAgainUntilItIsScored) {
    const auto done = support::run({"score", "--base-url", "simulated:speed=200,think-median=20,drop-rate=0.3", "--dataset", "sample", "--limit", "6",
                                    "--seeds", "2", "--max-retries", "20", "--out", run_, "--format", "json"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const json effort = json::parse(done.out).at("effort");
    EXPECT_GT(effort.at("retries"), 0);
    EXPECT_EQ(effort.at("failed_tries").at("dropped"), effort.at("retries"));
    EXPECT_EQ(effort.at("tries"), 12 + effort.at("retries").get<int>());
}

TEST_F(Score, AnotherPlanInTheSameFolderIsRefusedByName) {
    ASSERT_EQ(support::run(score(run_)).exit_code, 0);
    const auto refused = support::run(score(run_, {"--temperature", "0.7"}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("temperature: this run was made with nothing, now 0.7"));
}

TEST_F(Score, AnotherLimitAndAnotherSpeedContinueTheRun) {
    ASSERT_EQ(support::run(score(run_)).exit_code, 0);
    const auto more = support::run({"score", "--base-url", "simulated:speed=100,think-median=20", "--dataset", "sample", "--limit", "20", "--seeds", "3",
                                    "--out", run_, "--format", "json"});
    EXPECT_EQ(more.exit_code, 0) << more.err;
    EXPECT_EQ(support::records(run_, "begin"), 60);
    EXPECT_EQ(json::parse(more.out).at("counts").at("scored"), 60);
}

TEST_F(Score, CountsTruncatedRepliesApart) {
    const auto done = support::run({"score", "--base-url", fast, "--dataset", "sample", "--limit", "6", "--seeds", "2", "--max-tokens", "8", "--out", run_,
                                    "--format", "json", "--skip-preflight"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const json counts = json::parse(done.out).at("counts");
    EXPECT_EQ(counts.at("truncated"), 12);
    EXPECT_EQ(counts.at("truncated_answered"), 0);
    EXPECT_EQ(counts.at("scored"), 12);
}

// Within sampling error of what the endpoint was told to be: five standard errors over the set's own difficulties.
TEST_F(Score, ReportsWhatTheSimulatedEndpointWasToldToBe) {
    const auto done = support::run({"score", "--base-url", "simulated:speed=200,think-median=5,accuracy=0.7", "--dataset", "sample", "--seeds", "16",
                                    "--out", run_, "--format", "json"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    const json report = json::parse(done.out);
    const double se = report.at("intervals").at("this_test").at("se");
    EXPECT_NEAR(report.at("pass_at_1").get<double>(), 0.7, 5 * se);
    EXPECT_LT(se, 0.02);
}

}  // namespace
}  // namespace assay
