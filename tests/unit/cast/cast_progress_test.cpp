// How far a cast says it is.
#include <gtest/gtest.h>

#include "runners/drivers/cast_run.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

// Headers are not counted as done.
TEST(CastRun, ProgressComesToItsTotalWithAndWithoutVerifying) {
    support::CheckpointFiles files;
    for (auto& tensor : store(support::random_weight("model.layers.1.mlp.experts.0.w1", 1, 512, 1536, 7),
                              support::Dialect::compressed_tensors_mxfp4))
        files.shards["model-00001-of-000001.safetensors"].push_back(std::move(tensor));
    files.others["config.json"] = "{}";
    const support::CheckpointFolder source(files);
    for (const bool verify : {false, true}) {
        const support::TemporaryFolder folder;
        runners::WalkProgress progress;
        runners::CastRun run;
        run.source = source.path();
        run.target = folder.path("out");
        run.verify = verify;
        run.rewrite.progress = &progress;
        EXPECT_EQ(runners::run_cast(run).verified.has_value(), verify);
        const auto total = static_cast<double>(progress.bytes_total);
        EXPECT_NEAR(static_cast<double>(progress.bytes_done), total, 0.01 * total);
        EXPECT_GT(total, (verify ? 3 : 1) * 417'000.0);
    }
}

}  // namespace
}  // namespace assay
