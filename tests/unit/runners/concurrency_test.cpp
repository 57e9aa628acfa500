// How many requests go at once and in a minute: over real HTTP, and as the command line says it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>

#include "harness/files/read_file.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/runners/driven_run.hpp"

namespace assay::runners {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using testing::HasSubstr;

void find_the_number(DrivenRun& run, std::int64_t first) {
    run.job.settings.concurrency.reset();
    run.job.settings.window = milliseconds(250);
    run.job.lanes.automatic.emplace();
    run.job.lanes.automatic->first = first;
}

TEST(AutomaticConcurrency, FindsAHiddenKnee) {
    DrivenRun run({"knee=20,rate=20,think-median=0,answer-tokens=4"});
    find_the_number(run, 4);
    const runs::ClientWork work = run.run(66, 4);
    EXPECT_EQ(run.progress.unscored, 0);
    EXPECT_TRUE(work.automatic);
    EXPECT_GE(work.target, 16) << "the knee, less a probe downwards";
    EXPECT_LE(work.max_in_flight, 48);
    EXPECT_LE(work.target, 32);
}

TEST(AutomaticConcurrency, ComesBackAfterAStorm) {
    DrivenRun run({"storm=30,rate=1000,think-median=40"});
    find_the_number(run, 16);
    run.job.lanes.gate = {.first_pause = milliseconds(50), .longest_pause = milliseconds(400), .ramp_step = milliseconds(50)};
    run.job.settings.retry.first_delay = milliseconds(20);
    const runs::ClientWork work = run.run(66, 2);
    EXPECT_EQ(run.progress.done, 132);
    EXPECT_EQ(run.progress.unscored, 0);
    EXPECT_EQ(run.server().refused, 30);
    EXPECT_GE(work.target, 8) << "one decrease a storm";
    EXPECT_GT(work.held_by_server_s, 0);
}

TEST(AutomaticConcurrency, EachServerHasANumberOfItsOwn) {
    DrivenRun run({"rate=1000,think-median=40,rate-limit=3", "rate=1000,think-median=40"});
    find_the_number(run, 8);
    run.job.lanes.gate = {.first_pause = milliseconds(20), .longest_pause = milliseconds(100), .ramp_step = milliseconds(20)};
    run.job.lanes.longest_retry_after = milliseconds(20);
    run.job.settings.retry.longest_retry_after = milliseconds(20);
    run.job.settings.retry.first_delay = milliseconds(20);
    run.run(66, 3);
    EXPECT_EQ(run.progress.unscored, 0);
    EXPECT_GT(run.server(1).completed, run.server(0).completed);
    EXPECT_GE(run.server(1).max_in_flight, 8);
}

std::vector<std::string> command(const std::string& url, const std::string& out, const std::vector<std::string>& flags) {
    std::vector<std::string> args{"score", "--base-url", url, "--dataset", "sample", "--limit", "40", "--seeds", "1", "--format", "json", "--quiet", "--out", out};
    args.insert(args.end(), flags.begin(), flags.end());
    return args;
}

double seconds_of(const json& report) {
    return report["effort"]["last_unix_s"].get<double>() - report["effort"]["first_unix_s"].get<double>();
}

TEST(RatesAMinute, RequestsAreHeldBackAndOnRecord) {
    const support::TemporaryFolder folder;
    // 20 at once, then 20 a second.
    const auto run = support::run(command("simulated:rate=20000", folder.path("run"), {"--requests-per-minute", "1200"}));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_GE(seconds_of(report), 0.9);
    EXPECT_GT(report["effort"]["work"][0]["held_by_rates_s"], 0.5);
    const json info = json::parse(files::read_file(folder.path("run") + "/run.json"))["info"];
    EXPECT_EQ(info["requests_per_minute"], 1200);
    EXPECT_EQ(info["tokens_per_minute"], nullptr);
    EXPECT_EQ(info["automatic_concurrency"], false);
}

TEST(RatesAMinute, TokensAreHeldBack) {
    const support::TemporaryFolder folder;
    const auto run = support::run(command("simulated:rate=20000,think-median=200,think-sigma=0", folder.path("run"),
                                          {"--tokens-per-minute", "240000", "--max-tokens", "1000"}));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    const double tokens = report["counts"]["completion_tokens"].get<double>();
    ASSERT_GT(tokens, 8000);
    EXPECT_GE(seconds_of(report), (tokens - 4000) / 4000 * 0.8);  // 4,000 a second, and a second's worth at first
}

TEST(RatesAMinute, AnInterruptEndsTheWait) {
    const support::TemporaryFolder folder;
    support::RunningProgram program(command("simulated:rate=20000", folder.path("run"), {"--requests-per-minute", "1"}), folder.path("said"));
    ASSERT_TRUE(support::eventually([&] { return std::filesystem::exists(folder.path("run") + "/journal.jsonl"); }));
    const auto asked = std::chrono::steady_clock::now();
    program.signal(SIGINT);
    EXPECT_EQ(program.wait(), 130);
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(20)) << "the next request would go after a minute";
}

TEST(Pacing, ADryRunShowsIt) {
    const auto shown = [](const std::vector<std::string>& flags) {
        std::vector<std::string> args{"score", "--base-url", "simulated:", "--dataset", "sample", "--dry-run"};
        args.insert(args.end(), flags.begin(), flags.end());
        return support::run(args).out;
    };
    EXPECT_THAT(shown({}), HasSubstr("pacing     64 requests in flight, 1024 MiB for text\n"));
    EXPECT_THAT(shown({"--concurrency", "auto", "--requests-per-minute", "90", "--tokens-per-minute", "1e6"}),
                HasSubstr("pacing     as many requests in flight as each server takes, up to 4096, at most 90 requests a minute, at most 1000000 tokens a minute"));
}

TEST(Pacing, NonsenseIsRefusedWithTheFlag) {
    for (const auto& [flag, value] : {std::pair("--concurrency", "many"), std::pair("--concurrency", "8x"), std::pair("--concurrency", "0"),
                                      std::pair("--requests-per-minute", "0"), std::pair("--requests-per-minute", "x"),
                                      std::pair("--tokens-per-minute", "-5"), std::pair("--text-budget", "0")}) {
        const support::Run run = support::run({"score", "--base-url", "simulated:", "--dataset", "sample", "--out", "unused", flag, value});
        EXPECT_EQ(run.exit_code, 2) << flag << ' ' << value;
        EXPECT_THAT(run.err, HasSubstr(flag));
    }
}

}  // namespace
}  // namespace assay::runners
