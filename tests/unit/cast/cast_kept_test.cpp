#include "runners/drivers/cast_kept.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::runners {
namespace {

namespace fs = std::filesystem;

TEST(CastKept, ReadsTouchedFilesNoFurtherOnceItIsCancelled) {
    const support::CheckpointFolder source(store(support::kimi_k3_like(), support::Dialect::compressed_tensors_mxfp4));
    const support::TemporaryFolder folder;
    ASSERT_EQ(support::run({"cast", source.path(), folder.path("out")}).exit_code, 0);
    const auto written = nlohmann::json::parse(files::read_file(folder.path("out/assay-cast.json")));
    const auto record = cast::parse_record(written.at("shards").at(0).dump(), "the record");
    const checkpoints::Opened opened = checkpoints::open_and_recognise(source.path());
    const cast::CastPlan plan(opened, {});
    const std::uint32_t shard = plan.shards().front();
    const std::string from = source.path(record.file);
    const std::string made = folder.path("out/" + record.file);

    const Cancel open;
    Cancel raised;
    raised.raise();
    EXPECT_EQ(is_source_of(plan, shard, from, record, &raised), true) << "nothing has to be read";
    EXPECT_EQ(is_kept(plan, shard, made, record, &raised), true);
    for (const std::string& path : {from, made}) fs::permissions(path, fs::perms::owner_read);
    EXPECT_EQ(is_source_of(plan, shard, from, record, &raised), std::nullopt);
    EXPECT_EQ(is_kept(plan, shard, made, record, &raised), std::nullopt);
    EXPECT_EQ(is_source_of(plan, shard, from, record, &open), true);
    EXPECT_EQ(is_kept(plan, shard, made, record, &open), true);
}

}  // namespace
}  // namespace assay::runners
