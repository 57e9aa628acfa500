// An audit whose checkpoint is cut while it is walked.
//
// That it is in the middle is certain: a walk opens the shards a second time, once all headers are read, and has then tens of
// gigabytes of holes before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/files/read_file.hpp"
#include "tests/support/checkpoints/holes.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t tensors = 4'000;

class CutAudit : public testing::TestWithParam<const char*> {};

TEST_P(CutAudit, EndsUndecidedWithWhatIsGone) {
    const support::TemporaryFolder folder;
    const std::string source = folder.path("source.safetensors");
    const std::string target = folder.path("target.safetensors");
    (void)support::write_holes(target, tensors);
    const std::uint64_t data = support::write_holes(source, tensors);
    support::RunningProgram program({"audit", target, "--source", source, "--io", GetParam(), "--format", "json", "--quiet"}, folder.path("output"));
    ASSERT_TRUE(support::eventually([&] { return program.times_open(source) >= 2; }));
    // Both, so that nothing of the one is read in vain for what is gone of the other.
    for (const std::string& path : {source, target}) std::filesystem::resize_file(path, data + support::hole_bytes / 2);
    EXPECT_EQ(program.wait(), 3);
    const auto report = nlohmann::json::parse(files::read_file(folder.path("output")));
    const auto& against = report["against"];
    EXPECT_GT(against["unreadable"], 0);
    EXPECT_EQ(against["unreadable"].get<std::uint64_t>() + against["tensors_passed_through"].get<std::uint64_t>(), tensors);
    EXPECT_EQ(against["source_fingerprint"], nullptr);
    EXPECT_THAT(report["findings"].dump(), HasSubstr("the file was cut to " + std::to_string(data + support::hole_bytes / 2) + " bytes while it was read"));
}
INSTANTIATE_TEST_SUITE_P(Io, CutAudit, testing::Values("auto", "map", "direct", "read"));

}  // namespace
}  // namespace assay
