// `assay score` with several --base-url, over real HTTP.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>

#include "tests/support/program.hpp"
#include "tests/support/run_on_disk.hpp"
#include "tests/support/scripted_server.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/runners/driven_run.hpp"

namespace assay::runners {
namespace {

using Json = nlohmann::json;

std::vector<std::string> command(const std::string& out, const std::vector<std::string>& urls, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args{"score", "--dataset", "sample", "--limit", "12", "--seeds", "2", "--concurrency", "6", "--quiet", "--out", out};
    for (const auto& url : urls) args.insert(args.end(), {"--base-url", url});
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

// Tries by the endpoint that the journal names; -1: none.
std::map<int, int> tries_by_endpoint(const std::string& run) {
    std::map<int, int> counts;
    std::ifstream journal(run + "/journal.jsonl");
    for (std::string line; std::getline(journal, line);) {
        const Json payload = Json::parse(line)["payload"];
        if (payload["type"] == "try") ++counts[payload.value("endpoint", -1)];
    }
    return counts;
}

TEST(SeveralEndpoints, ShareTheRequestsAndAnswerAsOneDoes) {
    const support::TemporaryFolder folder;
    const std::string url = "simulated:rate=5000,think-median=50";
    ASSERT_EQ(support::run(command(folder.path() + "/two", {url, url})).exit_code, 0);
    ASSERT_EQ(support::run(command(folder.path() + "/one", {url})).exit_code, 0);
    EXPECT_EQ(support::rows_without_times(folder.path() + "/two"), support::rows_without_times(folder.path() + "/one"));
    const auto counts = tries_by_endpoint(folder.path() + "/two");
    EXPECT_EQ(counts.size(), 2U);
    EXPECT_GE(counts.at(0), 6);
    EXPECT_GE(counts.at(1), 6);
    EXPECT_EQ(tries_by_endpoint(folder.path() + "/one"), (std::map<int, int>{{-1, 24}}));
}

TEST(SeveralEndpoints, ARunMayBeContinuedWithOthers) {
    const support::TemporaryFolder folder;
    const std::string out = folder.path() + "/run";
    ASSERT_EQ(support::run(command(out, {"simulated:rate=5000"})).exit_code, 0);
    EXPECT_EQ(support::run(command(out, {"simulated:rate=5000", "simulated:rate=9000"}, {"--first-seed", "2"})).exit_code, 0);
}

TEST(SeveralEndpoints, OneThatAlwaysFailsIsTakenOutAndNothingIsLost) {
    const support::TemporaryFolder folder;
    const std::string out = folder.path() + "/run";
    const support::Run run = support::run(command(out, {"simulated:rate=5000,error-rate=1", "simulated:rate=5000"}));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto counts = tries_by_endpoint(out);
    EXPECT_EQ(counts.at(1), 24);
    EXPECT_LE(counts.at(0), 8);  // three in a row, and what was in flight beside them
}

TEST(SeveralEndpoints, AQuestionThatTakesEachOfThemDownIsGivenUpByNameAndTheOthersAreScored) {
    const std::string crashing = "rate=2000,think-median=50,crash-on=Two healthy parents are both heterozygous:300";
    DrivenRun run({crashing, crashing});
    run.job.settings.concurrency = 6;
    run.job.settings.retry.tries = 30;
    run.job.settings.retry.turned_away = 100;
    run.job.settings.retry.first_delay = std::chrono::milliseconds(20);
    run.job.settings.retry.longest_delay = std::chrono::milliseconds(200);
    run.job.lanes.endpoints = {3, std::chrono::milliseconds(200), std::chrono::milliseconds(400)};
    run.run(10, 2);
    EXPECT_EQ(run.progress.done, 20);
    EXPECT_EQ(run.progress.unscored, 2) << "both seeds of one question; notes: " << testing::PrintToString(run.contents.totals.notes);
    EXPECT_THAT(run.contents.totals.notes, testing::Contains(testing::HasSubstr("question 2 took a server down 3 times")));
}

TEST(SeveralEndpoints, SimulatedOnesWithOtherAnswersOrBesideRealOnesAreRefused) {
    const support::TemporaryFolder folder;
    const auto refused = [&](const std::vector<std::string>& urls) {
        const support::Run run = support::run(command(folder.path() + "/run", urls));
        EXPECT_EQ(run.exit_code, 2);
        return run.err;
    };
    EXPECT_NE(refused({"simulated:", "simulated:accuracy=0.5"}).find("gives other answers"), std::string::npos);
    EXPECT_NE(refused({"simulated:", "http://127.0.0.1:1/v1"}).find("must not be mixed"), std::string::npos);
    EXPECT_NE(refused({"http://127.0.0.1:1/v1", "simulated:"}).find("must not be mixed"), std::string::npos);
}

}  // namespace
}  // namespace assay::runners
