// What `assay audit` reads of a checkpoint alone, and that it says so.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/files/read_file.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::CheckpointFolder;
using support::Dialect;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

CheckpointFolder good() { return CheckpointFolder(store(support::kimi_k3_like(2), Dialect::modelopt_nvfp4)); }

// To its header and a few bytes more.
void cut(const std::string& file) {
    std::uint64_t header = 0;
    const std::string bytes = files::read_file(file);
    std::memcpy(&header, bytes.data(), sizeof header);
    std::filesystem::resize_file(file, sizeof header + header + 8);
}

TEST(AuditReading, TheFingerprintIsThatOfAnAuditAgainstASourceAndAtOnesWish) {
    const CheckpointFolder folder = good();
    const auto pair = nlohmann::json::parse(
        support::run({"audit", folder.path(), "--source", folder.path(), "--format", "json"}).out);
    const auto alone =
        nlohmann::json::parse(support::run({"audit", folder.path(), "--fingerprint", "--format", "json"}).out);
    EXPECT_EQ(alone["fingerprint"], pair["against"]["target_fingerprint"]);
    EXPECT_EQ(alone["fingerprint"], pair["fingerprint"]);
    EXPECT_THAT(support::run({"audit", folder.path()}).out, HasSubstr("fingerprint not computed: --fingerprint reads"));
    EXPECT_THAT(support::run({"audit", folder.path(), "--fingerprint", "--format", "markdown"}).out,
                HasSubstr("| fingerprint | `" + alone["fingerprint"].get<std::string>()));
    EXPECT_EQ(support::run({"audit", folder.path(), "--fingerprint", "--source", folder.path()}).exit_code, 2);
}

// As it would be said of one that is missing, no server could load the checkpoint, and nothing would be bit-exact.
TEST(AuditReading, AShardThatThisProcessCannotOpenIsNotHeldAgainstTheCheckpoint) {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the sanitizer looks at objects through a pipe, for which no descriptor is left here";
#endif
    const CheckpointFolder folder = good();
    const auto shard = [&](int number) { return folder.path("model-000" + std::to_string(number) + "-of-00050.safetensors"); };
    for (int number = 10; number < 60; ++number) std::filesystem::copy_file(folder.path("model-00002-of-000002.safetensors"), shard(number));
    std::filesystem::remove(folder.path("model.safetensors.index.json"));
    const auto with_few_files = [&](const std::string& args) { return support::run_program("/bin/sh", {"-c", "ulimit -n 40; exec " ASSAY_PROGRAM " audit " + args}); };
    const auto of_config = with_few_files(folder.path());
    EXPECT_EQ(of_config.exit_code, 2) << of_config.out;
    EXPECT_THAT(of_config.err, MatchesRegex("assay: cannot open .*/config.json: Too many open files\n"));
    for (const char* config : {"config.json", "hf_quant_config.json"}) std::filesystem::remove(folder.path(config));
    for (const std::string& args : {folder.path(), folder.path() + " --format json", shard(10) + " --source " + folder.path()}) {
        const auto audit = with_few_files(args);
        EXPECT_EQ(audit.exit_code, 2) << audit.out;
        EXPECT_THAT(audit.err, MatchesRegex("assay: cannot open .*/model-000[0-9]+-of-0*[0-9]+.safetensors: Too many open files; an audit has to read every "
                                            "shard, and nothing was decided: mend that, and start again\n"));
        EXPECT_EQ(audit.out, "");
    }
}

TEST(AuditReading, WhatIsNoFileWhereAShardShouldBeIsHeldAgainstIt) {
    const CheckpointFolder folder = good();
    const std::string shard = folder.path("model-00002-of-000002.safetensors");
    std::filesystem::remove(shard);
    ASSERT_EQ(::mknod(shard.c_str(), S_IFSOCK | 0600, 0), 0);
    const auto audit = support::run({"audit", folder.path()});
    EXPECT_EQ(audit.exit_code, 1) << audit.err;
    EXPECT_THAT(audit.out, HasSubstr("no server can load the checkpoint"));
}

TEST(AuditReading, ReadWholeTheRulesSayTheSame) {
    support::CheckpointFiles files = store(support::kimi_k3_like(2), Dialect::modelopt_nvfp4);
    const std::string name = support::kimi_k3_like(2).weights[1].name;
    files.tensor(name + ".weight_scale").bytes[9] = 0x7f;
    files.tensor(name + ".weight_scale_2").bytes[3] ^= 0x80;
    const CheckpointFolder folder(files);
    auto apart = nlohmann::json::parse(support::run({"audit", folder.path(), "--format", "json"}).out);
    auto whole = nlohmann::json::parse(support::run({"audit", folder.path(), "--fingerprint", "--format", "json"}).out);
    EXPECT_EQ(whole["findings"], apart["findings"]);
    EXPECT_GE(apart["findings"].size(), 2U);
}

TEST(AuditReading, OfUnreadableBytesThereIsNoFingerprint) {
    const CheckpointFolder folder = good();
    cut(folder.path("model-00001-of-000002.safetensors"));
    const auto run = support::run({"audit", folder.path(), "--fingerprint", "--rules", "scale"});
    EXPECT_EQ(run.exit_code, 3) << run.out;
    EXPECT_THAT(run.out, HasSubstr("read.scalar"));
    EXPECT_THAT(run.out, Not(HasSubstr("fingerprint ")));
    const auto pair = support::run({"audit", folder.path(), "--source", folder.path()});
    EXPECT_THAT(pair.out, Not(HasSubstr("fingerprint ")));
    const auto json = nlohmann::json::parse(support::run({"audit", folder.path(), "--source", folder.path(), "--format", "json"}).out);
    EXPECT_EQ(json["against"]["target_fingerprint"], nullptr);
    EXPECT_EQ(json["against"]["source_fingerprint"], nullptr);
}

TEST(AuditReading, OfACheckpointWithoutOneOfItsShardsThereIsNoFingerprint) {
    const CheckpointFolder source = good();
    const CheckpointFolder folder = good();
    std::filesystem::remove(folder.path("model-00002-of-000002.safetensors"));
    const auto alone = nlohmann::json::parse(support::run({"audit", folder.path(), "--fingerprint", "--format", "json"}).out);
    EXPECT_EQ(alone["fingerprint"], nullptr);
    const auto pair = nlohmann::json::parse(support::run({"audit", folder.path(), "--source", source.path(), "--format", "json"}).out);
    EXPECT_EQ(pair["against"]["target_fingerprint"], nullptr);
    EXPECT_TRUE(pair["against"]["source_fingerprint"].is_string());
    EXPECT_THAT(support::run({"audit", folder.path(), "--source", source.path()}).out, HasSubstr("\nfingerprint of the source "));
}

TEST(AuditReading, RulesReadOnlyWhatTheyAskFor) {
    const CheckpointFolder folder = good();
    for (const char* file : {"model-00001-of-000002.safetensors", "model-00002-of-000002.safetensors"}) cut(folder.path(file));
    EXPECT_THAT(support::run({"audit", folder.path(), "--rules", "config,index"}).out, Not(HasSubstr("read.scalar")));
    EXPECT_THAT(support::run({"audit", folder.path(), "--rules", "scale,block_scale"}).out, HasSubstr("read.scalar"));
}

TEST(AuditReading, OfNoTensorsNothingIsDecided) {
    const support::TemporaryFolder folder;
    folder.write("model.safetensors.index.json", "{\"metadata\": {\"total_size\": 0}, \"weight_map\": {}}");
    EXPECT_EQ(support::run({"audit", folder.path()}).exit_code, 3);
}

TEST(AuditReading, AThousandWarningsDoNotHideAnErrorBehindThem) {
    support::CheckpointFiles files = store(support::kimi_k3_like(1), Dialect::modelopt_nvfp4);
    const std::string index = index_json(files);
    for (int i = 0; i < 1100; ++i)  // which the index does not name
        files.shards.begin()->second.push_back(
            support::counted_tensor("extra." + std::to_string(i), support::Dtype::U8, {1}));
    files.tensor(support::kimi_k3_like(1).weights[0].name + ".weight_scale").bytes[0] = 0x7f;
    const CheckpointFolder folder(files);
    folder.write("model.safetensors.index.json", index);
    const auto json = nlohmann::json::parse(support::run({"audit", folder.path(), "--format", "json"}).out);
    EXPECT_GT(json["warnings"], 1000);
    EXPECT_EQ(json["findings"].size(), 1000U);
    EXPECT_EQ(json["errors"], 1);
    int errors = 0;
    for (const auto& one : json["findings"]) errors += one["severity"] == "error" ? 1 : 0;
    EXPECT_EQ(errors, 1);
}

TEST(AuditReading, ASingleFileIsNamedByItsPath) {
    const CheckpointFolder folder = good();
    const std::string file = folder.path("model-00001-of-000002.safetensors");
    EXPECT_THAT(support::run({"audit", file}).out, testing::StartsWith(file + "   not quantized\n"));
}

}  // namespace
}  // namespace assay
