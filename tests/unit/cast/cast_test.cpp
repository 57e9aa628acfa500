// The program, as a user runs it: a cast, the audit of what came out, and the way back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/files/digest.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using support::SmallModel;
using support::TemporaryFolder;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr auto mxfp4 = Dialect::compressed_tensors_mxfp4;

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Bytes of every file below a folder, by relative path.
std::map<std::string, std::string> files_in(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(folder).string()] = text_of(entry.path().string());
    }
    return files;
}

support::Run cast(const std::string& source, const std::string& target, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"cast", source, target};
    args.insert(args.end(), more.begin(), more.end());
    return support::run(args);
}

// Casts, audits byte-strictly, and goes back; gives what the audit printed.
std::string round_trip(const CheckpointFiles& files, const std::vector<std::string>& more, bool strict = true) {
    const CheckpointFolder source(files);
    const TemporaryFolder folder;
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

void set_block(support::Weight& weight, std::uint64_t block, std::uint8_t code, std::uint8_t nibble) {
    weight.exponents[block] = code;
    for (std::uint64_t i = 0; i < 32; ++i) weight.nibbles[32 * block + i] = i % 3 == 0 ? 0x8 : nibble;
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
    for (const char* const activations : {"w4a16", "w4a4"}) {
        // Input scales of 1 are said to be placeholders.
        const char* const said =
            std::string(activations) == "w4a4" ? " 0 errors, 1 warning," : " 0 errors, 0 warnings,";
        for (const char* const algorithm : {"NVFP4", "W4A16_NVFP4"}) {
            EXPECT_THAT(round_trip(store(support::kimi_k3_like(), mxfp4),
                                   {"--activations", activations, "--quant-algo", algorithm}),
                        HasSubstr(said));
        }
        EXPECT_THAT(round_trip(store(support::kimi_k3_like(), mxfp4),
                               {"--dialect", "compressed-tensors", "--activations", activations}),
                    HasSubstr(said));
    }
    EXPECT_THAT(round_trip(store(support::kimi_k3_like(), mxfp4), {"--dialect", "card"}), HasSubstr(" 0 errors, "));
}

// Scales of 2^-8 to 2^-4 as usual, so that m is -12 and scales down to 2^-21, code 106, are in range.
SmallModel out_of_range() {
    SmallModel model = support::gpt_oss_like();
    model.weights[0].exponents[9] = 123;
    set_block(model.weights[0], 5, 103, 6);  // 4, three binades below: 0.5
    set_block(model.weights[0], 6, 90, 0);   // zeros far below
    set_block(model.weights[0], 7, 104, 4);  // 2, two binades below: 0.5
    set_block(model.weights[1], 0, 0, 8);    // negative zeros under 2^-127
    return model;
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
                HasSubstr("model.layers.0.mlp.experts.gate_up_proj block 5: scale 2^-24\n"));
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
    ASSERT_EQ(json["shards"].size(), 2U);
    for (const auto& shard : json["shards"]) {
        const std::string file = shard["file"];
        EXPECT_EQ(shard["source"]["sha256"], files::sha256_hex(source.read(file)));
        EXPECT_EQ(shard["target"]["sha256"], files::sha256_hex(text_of(folder.path("cast/" + file))));
    }
}

TEST(Cast, WritesOnlyWhereNothingElseIs) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    const auto before = files_in(source.path());
    EXPECT_THAT(cast(source.path(), source.path("out")).err, HasSubstr("lies in the source"));
    EXPECT_THAT(cast(source.path(), source.path()).err, HasSubstr("lies in the source"));
    EXPECT_THAT(cast(source.path(), fs::path(source.path()).parent_path().string()).err, HasSubstr("the source "));
    folder.write("full/notes.txt", "mine");
    EXPECT_THAT(cast(source.path(), folder.path("full")).err, HasSubstr("is not empty"));
    fs::create_symlink(source.path(), folder.path("link"));
    EXPECT_THAT(cast(source.path(), folder.path("link/out")).err, HasSubstr("lies in the source"));
    EXPECT_EQ(files_in(source.path()), before);
    EXPECT_EQ(cast(source.path(), folder.path("cast")).exit_code, 0);
    EXPECT_THAT(cast(source.path(), folder.path("cast")).err, HasSubstr("holds a finished cast"));
}

TEST(Cast, CarriesFilesOverAndLeavesForeignWeightsOut) {
    CheckpointFiles files = store(support::kimi_k3_like(), mxfp4);
    files.others["tokenizer.json"] = "{}";
    files.others["pytorch_model.bin"] = "x";
    const CheckpointFolder source(files);
    fs::create_directories(source.path("code"));
    source.write("code/tool.py", "pass\n");
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path("cast"));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(text_of(folder.path("cast/tokenizer.json")), "{}");
    EXPECT_EQ(text_of(folder.path("cast/code/tool.py")), "pass\n");
    EXPECT_FALSE(fs::exists(folder.path("cast/pytorch_model.bin")));
    EXPECT_THAT(run.out, HasSubstr("pytorch_model.bin is no part of the checkpoint and was left out"));
    EXPECT_THAT(run.out, HasSubstr("not verified: "));
    EXPECT_THAT(run.out, HasSubstr("1 A_log with 128 entries, of which 96 heads use the first"));
}

TEST(Cast, FixesTheModelingCodeItKnowsAndRestoresIt) {
    CheckpointFiles files = store(support::kimi_k3_like(), mxfp4);
    files.others["modeling_kimi_linear.py"] =
        "        self.head_dim = 128\n        self.A_log = torch.nn.Parameter(torch.log(torch.empty(\n"
        "            self.num_heads, dtype=torch.float32).uniform_(1, 16)))\n";
    const CheckpointFolder source(files);
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path("cast"), {"--fix-modeling"});
    EXPECT_THAT(run.out, HasSubstr("+            self.head_dim, dtype=torch.float32).uniform_(1, 16)))\n"));
    EXPECT_THAT(text_of(folder.path("cast/modeling_kimi_linear.py")), Not(HasSubstr("num_heads")));
    EXPECT_EQ(cast(folder.path("cast"), folder.path("back"), {"--reverse"}).exit_code, 0);
    EXPECT_EQ(files_in(folder.path("back")), files_in(source.path()));
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

// Six shards of three weights, 1.2 MB each.
CheckpointFiles six_shards() {
    CheckpointFiles files;
    for (unsigned shard = 1; shard <= 6; ++shard) {
        auto& tensors = files.shards["model-0000" + std::to_string(shard) + "-of-000006.safetensors"];
        for (const unsigned w : {1U, 2U, 3U}) {
            const std::string name = "model.layers." + std::to_string(shard) + ".mlp.experts.0.w" + std::to_string(w);
            const auto weight = support::random_weight(name, 1, 512, 1536, shard * 3 + w);
            for (auto& tensor : store(weight, mxfp4)) tensors.push_back(std::move(tensor));
        }
    }
    files.others["config.json"] = "{\"model_type\": \"six\"}";
    return files;
}

std::string shard_of_six(unsigned number) { return "model-0000" + std::to_string(number) + "-of-000006.safetensors"; }

bool wait_until(const std::function<bool()>& there) {
    for (int i = 0; i < 20'000; ++i) {
        if (there()) return true;
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return false;
}

TEST(Cast, KilledAnywhereGoesOnAndComesOutTheSame) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_EQ(cast(source.path(), folder.path("whole"), {"--verify"}).exit_code, 0);
    const std::string out = folder.path("out");
    unsigned kills = 0;
    for (unsigned shard = 1; shard <= 6; ++shard) {
        support::RunningProgram program({"cast", source.path(), out, "--verify"}, folder.path("log"));
        // Some are killed inside a shard, some between the shard and its record, some behind it.
        const std::string place = shard % 3 == 0   ? "/." + shard_of_six(shard) + ".partial"
                                  : shard % 3 == 1 ? "/" + shard_of_six(shard)
                                                   : "/.assay-cast/" + shard_of_six(shard) + ".json";
        ASSERT_TRUE(wait_until([&] { return fs::exists(out + place) || !program.running(); }));
        if (!program.running()) break;
        program.signal(SIGKILL);
        program.wait();
        ++kills;
    }
    EXPECT_GE(kills, 1U);
    if (!fs::exists(out + "/assay-cast.json")) {
        const auto last = cast(source.path(), out, {"--verify"});
        EXPECT_EQ(last.exit_code, 0) << last.err;
        EXPECT_THAT(last.out, HasSubstr("blocks bit-exact  442,368 / 442,368 (100.0000 %)"));
    }
    auto one = files_in(folder.path("whole"));
    auto other = files_in(out);
    one.erase("assay-cast.json");
    other.erase("assay-cast.json");
    EXPECT_EQ(one.size(), other.size());
    for (const auto& [name, bytes] : one) EXPECT_TRUE(other[name] == bytes) << name;
}

// A cast that was stopped behind its second shard; begun anew where it ended before the signal came.
void stop_behind_second(const CheckpointFolder& source, const TemporaryFolder& folder) {
    const std::string plan = folder.path("out/.assay-cast/plan.json");
    for (int start = 0; start < 50 && !fs::exists(plan); ++start) {
        fs::remove_all(folder.path("out"));
        support::RunningProgram program({"cast", source.path(), folder.path("out")}, folder.path("log"));
        ASSERT_TRUE(wait_until(
            [&] { return fs::exists(folder.path("out/.assay-cast/" + shard_of_six(2) + ".json")) || !program.running(); }));
        program.signal(SIGKILL);
        program.wait();
    }
    ASSERT_TRUE(fs::exists(plan)) << "it always finished before it was stopped";
    // Where it had got further, that is taken back.
    fs::remove(folder.path("out/assay-cast.json"));
    for (unsigned shard = 3; shard <= 6; ++shard) {
        fs::remove(folder.path("out/" + shard_of_six(shard)));
        fs::remove(folder.path("out/.assay-cast/" + shard_of_six(shard) + ".json"));
    }
}

TEST(Cast, NoticesASourceThatChangedInBetween) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_NO_FATAL_FAILURE(stop_behind_second(source, folder));
    EXPECT_THAT(cast(source.path(), folder.path("out"), {"--scale-sharing", "tensor"}).err,
                HasSubstr("was begun otherwise: --scale-sharing was pair and is tensor"));
    source.write(shard_of_six(1), source.read(shard_of_six(1)));
    const auto run = cast(source.path(), folder.path("out"));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(shard_of_six(1) + " of the source was written to since"));
}

TEST(Cast, ChecksAFinishedShardAndWritesItAnewWhereItWasChanged) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_NO_FATAL_FAILURE(stop_behind_second(source, folder));
    const std::string touched = folder.path("out/" + shard_of_six(1));
    const std::string changed = folder.path("out/" + shard_of_six(2));
    fs::last_write_time(touched, fs::last_write_time(touched) + std::chrono::seconds(5));
    std::string bytes = text_of(changed);
    bytes[bytes.size() - 7] = static_cast<char>(bytes[bytes.size() - 7] ^ 4);
    std::ofstream(changed, std::ios::binary) << bytes;
    const auto run = cast(source.path(), folder.path("out"), {"--verify"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("1 shard of an earlier start kept"));
    EXPECT_EQ(support::run({"audit", folder.path("out"), "--source", source.path(), "--strict-bytes"}).exit_code, 0);
}

TEST(Cast, SaysAtOnceThatTheDiskIsTooSmall) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    fs::create_directories(folder.path("small"));
    if (::mount("none", folder.path("small").c_str(), "tmpfs", 0, "size=1m") != 0)
        GTEST_SKIP() << "mounting a file system of its own is not permitted here";
    const auto run = cast(source.path(), folder.path("small/out"));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("and its file system has 0.001 GB left"));
    EXPECT_EQ(::umount(folder.path("small").c_str()), 0);
}

}  // namespace
}  // namespace assay
