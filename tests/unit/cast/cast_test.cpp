// The program, as a user runs it: a cast, and the audit of what came out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using support::TemporaryFolder;
using testing::EndsWith;
using testing::HasSubstr;

support::Run cast(const CheckpointFolder& source, const std::string& target, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"cast", source.path(), target};
    args.insert(args.end(), more.begin(), more.end());
    return support::run(args);
}

support::Run audit(const CheckpointFolder& source, const std::string& target) {
    return support::run({"audit", target, "--source", source.path(), "--strict-bytes"});
}

TEST(Cast, OfAKimiK3ShapedCheckpointIsBitExactAndRaisesNothing) {
    const CheckpointFolder source(store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4));
    const TemporaryFolder folder;
    const auto run = cast(source, folder.path("out"), {"--verify"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("blocks bit-exact  1,152 / 1,152 (100.0000 %)   max_abs_err 0   payload bytes equal 100.0000 %\n"));
    const auto judged = audit(source, folder.path("out"));
    EXPECT_EQ(judged.exit_code, 0);
    EXPECT_THAT(judged.out, EndsWith("findings 0 errors, 0 warnings, 1 note\n")) << judged.out;
}

}  // namespace
}  // namespace assay
