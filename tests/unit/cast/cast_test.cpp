// The program, as a user runs it: a cast, the audit of what came out, and the way back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/files/digest.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/cast/casting.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using support::SmallModel;
using support::TemporaryFolder;
using testing::HasSubstr;

// Casts, audits byte-strictly, and goes back; gives what the audit printed.
std::string round_trip(const CheckpointFiles& files, const std::vector<std::string>& more, bool strict = true) {
    const CheckpointFolder source(files);
    const FolderInMemory folder;
    const auto made = cast(source.path(), folder.path("cast"), more);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    std::vector<std::string> args{"audit", folder.path("cast"), "--source", source.path()};
    if (strict) args.emplace_back("--strict-bytes");
    const auto judged = support::run(args);
    EXPECT_EQ(judged.exit_code, 0) << judged.out << judged.err;
    const auto back = cast(folder.path("cast"), folder.path("back"), {"--reverse"});
    EXPECT_EQ(back.exit_code, 0) << back.err;
    EXPECT_EQ(files_in(folder.path("back")), files_in(source.path()));
    return judged.out;
}

TEST(Cast, OfAKimiK3ShapedCheckpointIsBitExactAndRaisesNothing) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path("out"), {"--verify"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out,
                HasSubstr("blocks bit-exact  1,152 / 1,152 (100.0000 %)   max_abs_err 0   payload bytes equal 100.0000 %\n"
                          "tensors 9   passed through identical 9 / 9   findings 0 errors, 0 warnings, "));
    const auto judged = support::run({"audit", folder.path("out"), "--source", source.path(), "--strict-bytes"});
    EXPECT_EQ(judged.exit_code, 0);
    EXPECT_THAT(judged.out, HasSubstr("findings 0 errors, 0 warnings, ")) << judged.out;
}

TEST(Cast, GoesBackBitForBitInEveryLayoutAndSharing) {
    for (const char* const sharing : {"pair", "tensor", "bank"}) {
        const auto said = round_trip(store(support::kimi_k3_like(), mxfp4), {"--scale-sharing", sharing});
        if (std::string(sharing) != "tensor") {
            EXPECT_THAT(said, HasSubstr(" 0 errors, 0 warnings,")) << said;
        }
        EXPECT_THAT(round_trip(store(support::gpt_oss_like(), Dialect::gpt_oss), {"--scale-sharing", sharing}),
                    HasSubstr(" 0 errors, 0 warnings,"));
    }
    EXPECT_THAT(round_trip(store(support::gpt_oss_like(true), Dialect::gpt_oss_original), {}),
                HasSubstr(" 0 errors, 0 warnings,"));
    EXPECT_THAT(round_trip(store(support::deepseek_v4_like(), Dialect::deepseek_v4), {}),
                HasSubstr(" 0 errors, 0 warnings,"));
}

TEST(Cast, IsReadRightInEveryDialect) {
    constexpr auto clean = " 0 errors, 0 warnings,";
    for (const char* const activations : {"w4a16", "w4a4"}) {
        for (const char* const dialect : {"modelopt", "card", "compressed-tensors"}) {
            for (const char* const algorithm : {"NVFP4", "W4A16_NVFP4"}) {
                if (std::string(dialect) == "compressed-tensors" && std::string(algorithm) != "NVFP4") continue;
                EXPECT_THAT(round_trip(store(support::kimi_k3_like(), mxfp4), {"--dialect", dialect, "--activations",
                                                                              activations, "--quant-algo", algorithm}),
                            HasSubstr(clean));
            }
        }
    }
    EXPECT_THAT(round_trip(store(support::gpt_oss_like(), Dialect::gpt_oss), {"--dialect", "card"}), HasSubstr(clean));
    EXPECT_THAT(round_trip(store(support::deepseek_v4_like(), Dialect::deepseek_v4), {"--dialect", "card"}), HasSubstr(clean));
}

TEST(Cast, RefusesWhatTheDialectCannotSayBeforeAShardIsWritten) {
    const TemporaryFolder folder;
    const auto refuses = [&](const CheckpointFiles& files, const std::string& why) {
        const CheckpointFolder source(files);
        for (const bool dry : {false, true}) {
            std::vector<std::string> args{"--dialect", "compressed-tensors"};
            if (dry) args.emplace_back("--dry-run");
            const auto run = cast(source.path(), folder.path("cast"), args);
            EXPECT_EQ(run.exit_code, 2) << run.out;
            EXPECT_THAT(run.err, HasSubstr(why));
            EXPECT_FALSE(fs::exists(folder.path("cast")));
        }
    };
    refuses(store(support::gpt_oss_like(), Dialect::gpt_oss), "compressed-tensors has no form: use --dialect modelopt or card");
    refuses(store(support::deepseek_v4_like(), Dialect::deepseek_v4), "compressed-tensors has no form for FP8 weights");
    CheckpointFiles broken = store(support::kimi_k3_like(), mxfp4);
    broken.others["config.json"] = "{\"model_type\":";
    refuses(broken, "config.json of the source holds no JSON object");
}

// Parts of the checkpoint's last weight lie in its first shard.
TEST(Cast, VerifiesAWeightThatIsSplitOverShards) {
    for (const char* const moved : {"_scale", "_packed"}) {
        CheckpointFiles files = store(support::kimi_k3_like(), mxfp4);
        auto& first = files.shards.begin()->second;
        auto& last = files.shards.rbegin()->second;
        const auto part = std::find_if(last.begin(), last.end(), [&](const support::StoredTensor& tensor) {
            return tensor.name.ends_with(std::string(".w3.weight") + moved);
        });
        ASSERT_NE(part, last.end());
        first.push_back(*part);
        last.erase(part);
        const CheckpointFolder source(files);
        const TemporaryFolder folder;
        const auto run = cast(source.path(), folder.path("cast"), {"--verify"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        EXPECT_THAT(run.out, HasSubstr("blocks bit-exact  1,152 / 1,152 (100.0000 %)"));
        round_trip(files, {});
    }
}

TEST(Cast, MovesElementsOfBlocksOutOfRangeAndPutsThemBack) {
    const CheckpointFolder source(store(out_of_range(), Dialect::gpt_oss));
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path("cast"), {"--verify", "--format", "json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["rescued"], 2);
    EXPECT_EQ(json["zero_blocks_under_another_scale"], 2);
    EXPECT_EQ(json["verified"]["blocks_exact"], json["blocks"]);
    EXPECT_EQ(json["verified"]["payload_equal"], json["blocks"].get<int>() - 2);
    EXPECT_EQ(json["verified"]["max_abs_err"], 0);
    EXPECT_THAT(cast(source.path(), folder.path("text")).out,
                HasSubstr("model.layers.0.mlp.experts.gate_up_proj row 2 block 1: scale 2^-24, rescued\n"));
    round_trip(store(out_of_range(), Dialect::gpt_oss), {}, false);
}

TEST(Cast, RefusesWhatCannotBeExactByItsPlaceAndRoundsItOnDemand) {
    SmallModel model = out_of_range();
    set_block(model.weights[0], 130, 100, 6);  // 4, six binades below
    model.weights[1].exponents[4] = 255;
    const CheckpointFolder source(store(model, Dialect::gpt_oss));
    const TemporaryFolder folder;
    const auto refused = cast(source.path(), folder.path("cast"));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("2 blocks in model.safetensors cannot be cast with every value unchanged"));
    EXPECT_THAT(refused.err, HasSubstr("model.layers.0.mlp.experts.gate_up_proj row 65 block 0 (scale 2^-27)"));
    EXPECT_THAT(refused.err, HasSubstr("model.layers.0.mlp.experts.down_proj row 1 block 1 (its scale is NaN)"));
    EXPECT_FALSE(fs::exists(folder.path("cast/model.safetensors")));
    const auto rounded = cast(source.path(), folder.path("cast"), {"--allow-inexact", "--format", "json", "--verify"});
    EXPECT_EQ(rounded.exit_code, 1) << rounded.err;
    const auto json = nlohmann::json::parse(rounded.out);
    EXPECT_EQ(json["rounded"], 1);
    EXPECT_EQ(json["nan"], 1);
    EXPECT_EQ(json["verified"]["blocks_exact"], json["blocks"].get<int>() - 2);
    const auto back = cast(folder.path("cast"), folder.path("back"), {"--reverse"});
    EXPECT_EQ(back.exit_code, 0) << back.err;
    EXPECT_EQ(files_in(folder.path("back")), files_in(source.path()));
}

TEST(Cast, DoesNotDependOnThreads) {
    const CheckpointFolder source(store(support::kimi_k3_like(5), mxfp4));
    const TemporaryFolder folder;
    EXPECT_EQ(cast(source.path(), folder.path("one"), {"--threads", "1"}).exit_code, 0);
    EXPECT_EQ(cast(source.path(), folder.path("four"), {"--threads", "4"}).exit_code, 0);
    auto one = files_in(folder.path("one"));
    auto four = files_in(folder.path("four"));
    one.erase("assay-cast.json");  // tells when files were written
    four.erase("assay-cast.json");
    EXPECT_EQ(one, four);
}

TEST(Cast, KeepsTheDigestsThatTheShardsHave) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    ASSERT_EQ(cast(source.path(), folder.path("cast"), {"--digests"}).exit_code, 0);
    const auto json = nlohmann::json::parse(text_of(folder.path("cast/assay-cast.json")));
    EXPECT_EQ(json["format"], "assay.cast/1");
    EXPECT_EQ(json["verification"], "not verified");
    ASSERT_EQ(json["shards"].size(), 2U);
    for (const auto& shard : json["shards"]) {
        const std::string file = shard["file"];
        EXPECT_EQ(shard["source"]["sha256"], files::sha256_hex(source.read(file)));
        EXPECT_EQ(shard["target"]["sha256"], files::sha256_hex(text_of(folder.path("cast/" + file))));
    }
}

}  // namespace
}  // namespace assay
