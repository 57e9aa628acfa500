// A run killed with SIGKILL again and again, and continued, against one that was left alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <random>

#include "tests/support/eventually.hpp"
#include "tests/support/program.hpp"
#include "tests/support/run_on_disk.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

std::vector<std::string> score(const std::string& out, int seeds) {
    return {"score",    "--base-url", "simulated:speed=10,think-median=200", "--dataset", "sample", "--limit",
            "20",       "--seeds",    std::to_string(seeds),                 "--greedy-seed", "0",  "--temperature",
            "0.6",      "--concurrency", "6",                                "--out",     out,      "--format", "json"};
}

TEST(KilledRun, TenTimesKilledAndContinuedEqualsOneLeftAloneAttemptForAttempt) {
    const support::TemporaryFolder folder;
    const std::string alone = folder.path("alone");
    const std::string killed = folder.path("killed");
    ASSERT_EQ(support::run(score(alone, 10)).exit_code, 0);

    std::mt19937 random(20251129);
    for (int kill = 0; kill < 10; ++kill) {
        const int before = std::filesystem::exists(killed + "/journal.jsonl") ? support::records(killed, "try") : 0;
        const int more = 1 + static_cast<int>(random() % 12);
        support::RunningProgram program(score(killed, 10), folder.path("output"));
        ASSERT_TRUE(support::eventually([&] { return !program.running() || support::records(killed, "try") >= before + more; }));
        ASSERT_TRUE(program.running()) << "the run ended before it could be killed";
        program.signal(SIGKILL);
        ASSERT_EQ(program.wait(), 128 + SIGKILL);
    }
    const auto last = support::run(score(killed, 10));
    ASSERT_EQ(last.exit_code, 0) << last.err;

    const auto expected = support::rows_without_times(alone);
    ASSERT_EQ(expected.size(), 200U);
    EXPECT_EQ(support::rows_without_times(killed), expected);
    EXPECT_EQ(support::most_scored_tries(killed), 1) << "an attempt was asked again after its reply was on record";
    // What a kill can lose is what was in flight: at most --concurrency tries each time.
    EXPECT_LE(support::records(killed, "begin") - support::records(killed, "try"), 10 * 6);
}

TEST(KilledRun, MoreSeedsAskOnlyWhatIsNew) {
    const support::TemporaryFolder folder;
    const std::string run = folder.path("run");
    ASSERT_EQ(support::run(score(run, 2)).exit_code, 0);
    ASSERT_EQ(support::records(run, "begin"), 40);
    ASSERT_EQ(support::run(score(run, 4)).exit_code, 0);
    EXPECT_EQ(support::records(run, "begin"), 80);
    EXPECT_EQ(support::rows_without_times(run).size(), 80U);
}

}  // namespace
}  // namespace assay
