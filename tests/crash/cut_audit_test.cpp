// An audit whose checkpoint is cut while it is walked.
//
// That it is in the middle is certain: a walk opens the shards a second time, once all headers are read, and has then tens of
// gigabytes of holes before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/files/read_file.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t tensor_bytes = std::uint64_t{8} << 20;
constexpr std::uint64_t tensors = 4'000;

// Zeros by the ten gigabytes, none of them on disk. Gives where they begin.
std::uint64_t write_holes(const std::string& path) {
    std::string header = "{";
    for (std::uint64_t i = 0; i < tensors; ++i) {
        header += (i == 0 ? "\"" : ",\"") + std::to_string(100'000 + i) + R"(":{"dtype":"U8","shape":[)" + std::to_string(tensor_bytes) +
                  R"(],"data_offsets":[)" + std::to_string(i * tensor_bytes) + "," + std::to_string((i + 1) * tensor_bytes) + "]}";
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::array<char, 8> size{};
    for (std::size_t i = 0; i < size.size(); ++i) size[i] = static_cast<char>(header.size() >> 8 * i & 0xff);
    std::ofstream(path, std::ios::binary).write(size.data(), size.size()) << header;
    std::filesystem::resize_file(path, 8 + header.size() + tensors * tensor_bytes);
    return 8 + header.size();
}

// How often a process holds the file open.
int times_open(pid_t process, const std::string& path) {
    std::error_code gone;
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone)) {
        count += std::filesystem::read_symlink(entry.path(), gone) == path ? 1 : 0;
    }
    return count;
}

class CutAudit : public testing::TestWithParam<const char*> {};

TEST_P(CutAudit, EndsUndecidedWithWhatIsGone) {
    const support::TemporaryFolder folder;
    const std::string source = folder.path("source.safetensors");
    const std::string target = folder.path("target.safetensors");
    (void)write_holes(target);
    const std::uint64_t data = write_holes(source);
    support::RunningProgram program({"audit", target, "--source", source, "--io", GetParam(), "--format", "json", "--quiet"}, folder.path("output"));
    ASSERT_TRUE(support::eventually([&] { return times_open(program.process(), source) >= 2; }));
    // Both, so that nothing of the one is read in vain for what is gone of the other.
    for (const std::string& path : {source, target}) std::filesystem::resize_file(path, data + tensor_bytes / 2);
    EXPECT_EQ(program.wait(), 3);
    const auto report = nlohmann::json::parse(files::read_file(folder.path("output")));
    const auto& against = report["against"];
    EXPECT_GT(against["unreadable"], 0);
    EXPECT_EQ(against["unreadable"].get<std::uint64_t>() + against["tensors_passed_through"].get<std::uint64_t>(), tensors);
    EXPECT_EQ(against["source_fingerprint"], nullptr);
    EXPECT_THAT(report["findings"].dump(), HasSubstr("the file was cut to " + std::to_string(data + tensor_bytes / 2) + " bytes while it was read"));
}
INSTANTIATE_TEST_SUITE_P(Io, CutAudit, testing::Values("auto", "map", "direct", "read"));

}  // namespace
}  // namespace assay
