// A run that is interrupted, or that finds another process in its folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "harness/files/read_file.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/program.hpp"
#include "tests/support/run_on_disk.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

std::vector<std::string> slow_score(const std::string& out) {
    return {"score", "--base-url", "simulated:rate=20,think-median=2000", "--dataset", "sample", "--limit", "4", "--seeds", "2", "--out", out};
}

class InterruptedRun : public testing::TestWithParam<int> {};

TEST_P(InterruptedRun, EndsAtOnceWith130AndSaysHowToGoOn) {
    const support::TemporaryFolder folder;
    const std::string run = folder.path("run");
    support::RunningProgram program(slow_score(run), folder.path("output"));
    ASSERT_TRUE(support::eventually([&] { return support::records(run, "begin") == 8; }));
    program.signal(GetParam());
    EXPECT_EQ(program.wait(), 130);
    EXPECT_THAT(files::read_file(folder.path("output")), HasSubstr("interrupted; every reply received is in " + run + ": the same command continues there"));
}
INSTANTIATE_TEST_SUITE_P(Signals, InterruptedRun, testing::Values(SIGINT, SIGTERM));

TEST(RunInUse, ASecondProcessIsRefusedAndToldWhoHoldsIt) {
    const support::TemporaryFolder folder;
    const std::string run = folder.path("run");
    support::RunningProgram first(slow_score(run), folder.path("output"));
    ASSERT_TRUE(support::eventually([&] { return support::records(run, "begin") == 8; }));
    const auto second = support::run(slow_score(run));
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_THAT(second.err, HasSubstr("is held by process "));
    first.signal(SIGINT);
    EXPECT_EQ(first.wait(), 130);
}

}  // namespace
}  // namespace assay
