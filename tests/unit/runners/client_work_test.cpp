// What a run says of its own work, and how it bounds its memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runners/drivers/run_notes.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/runners/driven_run.hpp"

namespace assay::runners {
namespace {

using nlohmann::json;

std::vector<std::string> command(const std::string& out, const std::string& format) {
    return {"score", "--base-url", "simulated:rate=2000,think-median=200", "--dataset", "sample", "--limit", "20", "--seeds", "4",
            "--concurrency", "8", "--format", format, "--out", out};
}

TEST(ClientWork, TheReportSaysWhatWasInFlightAndWhatTheClientTook) {
    const support::TemporaryFolder folder;
    const support::Run run = support::run(command(folder.path("run"), "json"));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json works = json::parse(run.out)["effort"]["work"];
    ASSERT_EQ(works.size(), 1U);
    const json& work = works[0];
    EXPECT_EQ(work["target"], 8);
    EXPECT_EQ(work["max_in_flight"], 8);
    EXPECT_GT(work["mean_in_flight"], 2);
    EXPECT_LE(work["mean_in_flight"], 8);
    EXPECT_GT(work["share_at_target"], 0.0);
    EXPECT_LE(work["share_at_target"], 1.0);
    EXPECT_GT(work["seconds"], 0);
    EXPECT_EQ(work["held_by_server_s"], 0);
    EXPECT_GT(work["loop_cpu_share"], 0);
    EXPECT_GE(work["delay_p99_ms"], work["delay_p50_ms"]);
    EXPECT_GE(work["delay_max_ms"], work["delay_p99_ms"]);

    const support::Run text = support::run({"report", folder.path("run")});
    EXPECT_THAT(text.out, testing::HasSubstr("in flight "));
    EXPECT_THAT(text.out, testing::HasSubstr("this client "));
    const support::Run page = support::run({"report", folder.path("run"), "--format", "markdown"});
    EXPECT_THAT(page.out, testing::HasSubstr("this client"));

    // A session that had nothing to do has nothing to say.
    const support::Run again = support::run(command(folder.path("run"), "json"));
    EXPECT_EQ(json::parse(again.out)["effort"]["work"].size(), 1U);
}

TEST(ClientWork, ANoteSaysThatTheClientWasTheLimit) {
    runs::RunContents contents;
    runs::ClientWork work;
    work.seconds = 10;
    work.delay_p99_ms = 99;
    work.loop_cpu_share = 0.79;
    contents.totals.work.push_back(work);
    EXPECT_TRUE(run_notes(contents).empty());
    contents.totals.work[0].delay_p99_ms = 101;
    EXPECT_THAT(run_notes(contents), testing::ElementsAre(testing::HasSubstr("this client was the limit: its loop ran 101.0 ms late (p99) and took 79 %")));
    contents.totals.work[0] = work;
    contents.totals.work[0].loop_cpu_share = 0.81;
    EXPECT_EQ(run_notes(contents).size(), 1U);
    contents.totals.work[0] = work;
    contents.totals.work[0].held_by_text_s = 3;
    EXPECT_THAT(run_notes(contents), testing::ElementsAre(testing::HasSubstr("held back 30 % of the time")));
}

TEST(TextBudget, HoldsRequestsBackAndNothingIsLost) {
    DrivenRun run({"rate=4000,think-median=300,think-sigma=0"});
    run.job.settings.concurrency = 32;
    run.job.settings.text_budget_bytes = 24'000;
    run.job.settings.reply_bytes_expected = 10'000;  // a reply holds about 2,000
    const runs::ClientWork work = run.run(66, 1);
    EXPECT_EQ(run.progress.done, 66);
    EXPECT_EQ(run.progress.unscored, 0);
    EXPECT_LT(run.server().max_in_flight, 28);
    EXPECT_LT(work.max_in_flight, 28);  // of 32 that were allowed
    EXPECT_GT(work.held_by_text_s, 0);
}

TEST(TextBudget, ABudgetSmallerThanAnyReplyStillLetsOneThroughAtATime) {
    DrivenRun run({"rate=50000,think-median=300"});
    run.job.settings.text_budget_bytes = 1;
    run.run(12, 1);
    EXPECT_EQ(run.progress.done, 12);
    EXPECT_EQ(run.server().max_in_flight, 1);
}

}  // namespace
}  // namespace assay::runners
