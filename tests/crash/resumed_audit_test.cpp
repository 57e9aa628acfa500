// An audit that is interrupted while it walks, and gone on with: it says what an undisturbed one says, byte for byte.
//
// That it is in the middle is certain: the signal comes once a first state is on disk, which is replaced as the walk goes on,
// and seconds of holes lie before it then.
#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/files/read_file.hpp"
#include "tests/support/checkpoints/holes.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

#if defined(__SANITIZE_THREAD__)  // under which comparing takes some ten times as long
constexpr std::uint64_t tensors = 400;
#else
constexpr std::uint64_t tensors = 4'000;
#endif

class ResumedAudit : public testing::TestWithParam<int> {
protected:
    // The target differs in every hundredth tensor and in the last.
    ResumedAudit() {
        (void)support::write_holes(source_, tensors);
        const std::uint64_t data = support::write_holes(target_, tensors);
        std::fstream target(target_, std::ios::binary | std::ios::in | std::ios::out);
        for (std::uint64_t tensor = 0; tensor < tensors; ++tensor) {
            if (tensor % 100 == 0 || tensor + 1 == tensors)
                target.seekp(static_cast<std::streamoff>(data + tensor * support::hole_bytes + tensor)).put('x');
        }
    }

    // Past the page cache, which holes would fill.
    [[nodiscard]] std::vector<std::string> audit(const std::vector<std::string>& more) const {
        std::vector<std::string> args{"audit", target_, "--source", source_, "--io", "direct", "--threads", "1", "--format", "json", "--quiet"};
        args.insert(args.end(), more.begin(), more.end());
        return args;
    }

    const support::TemporaryFolder folder_;
    const std::string source_ = folder_.path("source.safetensors");
    const std::string target_ = folder_.path("target.safetensors");
    const std::string state_ = folder_.path("state");
};

TEST_P(ResumedAudit, SaysWhatAnUndisturbedOneSays) {
    const auto undisturbed = support::run(audit({}));
    ASSERT_EQ(undisturbed.exit_code, 1) << undisturbed.err;
    support::RunningProgram program(audit({"--resume", state_}), folder_.path("output"));
    ASSERT_TRUE(support::eventually([&] { return std::filesystem::exists(state_); }));
    program.signal(GetParam());
    EXPECT_EQ(program.wait(), GetParam() == SIGKILL ? 128 + SIGKILL : 130);
    if (GetParam() != SIGKILL) {
        const auto part = nlohmann::json::parse(files::read_file(folder_.path("output")));
        EXPECT_EQ(part["against"]["interrupted"], true);
        EXPECT_EQ(part["fingerprint"], nullptr);  // not that of the part that was read
        EXPECT_EQ(part["against"]["source_fingerprint"], nullptr);
        EXPECT_GT(part["against"]["tensors_passed_through"], 0);
        EXPECT_LT(part["against"]["tensors_passed_through"], tensors);
    }
    const auto resumed = support::run(audit({"--resume", state_}));
    EXPECT_EQ(resumed.exit_code, 1) << resumed.err;
    EXPECT_EQ(resumed.out, undisturbed.out);
}
INSTANTIATE_TEST_SUITE_P(Signal, ResumedAudit, testing::Values(SIGINT, SIGKILL),
                         [](const auto& of) { return std::string(sigabbrev_np(of.param)); });

}  // namespace
}  // namespace assay
