// The way back from a cast, as a user goes it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/files/digest.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/cast/casting.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFolder;
using support::Dialect;
using support::TemporaryFolder;
using testing::HasSubstr;

TEST(CastReverse, GivesEveryShardTheSha256OfTheSources) {
    const auto restores = [](const support::CheckpointFiles& files) {
        const CheckpointFolder source(files);
        const FolderInMemory folder;
        ASSERT_EQ(cast(source.path(), folder.path("cast"), {"--digests"}).exit_code, 0);
        ASSERT_EQ(cast(folder.path("cast"), folder.path("back"), {"--reverse"}).exit_code, 0);
        const auto record = nlohmann::json::parse(text_of(folder.path("cast/assay-cast.json")));
        ASSERT_EQ(record["shards"].size(), files.shards.size());
        bool changed = false;
        for (const auto& shard : record["shards"]) {
            const std::string file = shard["file"];
            const std::string of_source = files::sha256_of_file(source.path(file));
            EXPECT_EQ(files::sha256_of_file(folder.path("back/" + file)), of_source) << file;
            EXPECT_EQ(shard["source"]["sha256"], of_source) << file;
            changed = changed || shard["target"]["sha256"] != of_source;
        }
        EXPECT_TRUE(changed);  // a shard without weights is the same on both sides
    };
    restores(store(support::kimi_k3_like(), mxfp4));
    restores(store(support::gpt_oss_like(true), Dialect::gpt_oss_original));
    restores(store(support::deepseek_v4_like(), Dialect::deepseek_v4));
    restores(store(out_of_range(), Dialect::gpt_oss));
}

TEST(CastReverse, RefusesByTensorWhereTheRecordIsMissingAndNeeded) {
    const CheckpointFolder source(store(out_of_range(), Dialect::gpt_oss));
    const TemporaryFolder folder;
    ASSERT_EQ(cast(source.path(), folder.path("cast")).exit_code, 0);
    auto json = nlohmann::ordered_json::parse(text_of(folder.path("cast/assay-cast.json")));
    json["shards"][0]["changed"] = nlohmann::json::array();
    std::ofstream(folder.path("cast/assay-cast.json")) << json;
    const auto poorer = cast(folder.path("cast"), folder.path("back"), {"--reverse"});
    EXPECT_EQ(poorer.exit_code, 2);
    EXPECT_THAT(poorer.err, HasSubstr("gate_up_proj"));
    EXPECT_THAT(poorer.err, HasSubstr("does not come out as it was"));
    fs::remove(folder.path("cast/assay-cast.json"));
    const auto without = cast(folder.path("cast"), folder.path("back2"), {"--reverse"});
    EXPECT_EQ(without.exit_code, 2);
    EXPECT_THAT(without.err, HasSubstr("cannot be undone without assay-cast.json"));
    EXPECT_FALSE(fs::exists(folder.path("back2/model.safetensors")));
}

TEST(CastReverse, DoesWithoutARecordWhereNoBlockWasMoved) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    ASSERT_EQ(cast(source.path(), folder.path("cast")).exit_code, 0);
    fs::remove(folder.path("cast/assay-cast.json"));
    EXPECT_EQ(cast(folder.path("cast"), folder.path("back"), {"--reverse"}).exit_code, 0);
    EXPECT_EQ(files_in(folder.path("back")), files_in(source.path()));
}

TEST(CastReverse, RefusesWhatIsNoCast) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path("back"), {"--reverse"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("holds no NVFP4 weight: --reverse expects a cast"));
    EXPECT_FALSE(fs::exists(folder.path("back")));
}

TEST(CastReverse, NoticesAChangedCast) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    ASSERT_EQ(cast(source.path(), folder.path("cast")).exit_code, 0);
    const std::string path = folder.path("cast/model-00002-of-000002.safetensors");
    std::string bytes = text_of(path);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    std::ofstream(path, std::ios::binary) << bytes;
    const auto run = cast(folder.path("cast"), folder.path("back"), {"--reverse"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("experts.2.w3.weight_packed does not come out as it was"));
}

}  // namespace
}  // namespace assay
