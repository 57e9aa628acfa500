// The MXFP4 source of a cast rebuilt from the cast alone, against the source itself.
#include "runners/drivers/rebuild_digests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/error.hpp"
#include "scorers/rules/digest_findings.hpp"
#include "tests/support/checkpoints/small_model.hpp"

namespace assay::runners {
namespace {

using checkpoints::DigestList;
using checkpoints::LayoutId;
using checkpoints::RebuiltDigests;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using testing::HasSubstr;

DigestList digests_of(const CheckpointFolder& folder) {
    return *digest_checkpoint(checkpoints::open_checkpoint(folder.path()), {});
}

RebuiltDigests rebuild(const CheckpointFolder& folder, std::optional<LayoutId> layout = {}, unsigned threads = 1) {
    const checkpoints::Opened cast = checkpoints::open_and_recognise(folder.path());
    DigestOptions options;
    options.threads = threads;
    return digest_rebuilt_source(cast, plan_rebuilt_source(cast, layout), options);
}

struct Cast {
    support::SmallModel model;
    Dialect source;
    Dialect target;
    std::optional<LayoutId> layout;
};

std::vector<Cast> casts() {
    using enum Dialect;
    const auto kimi = support::kimi_k3_like();
    return {{kimi, compressed_tensors_mxfp4, modelopt_nvfp4, {}},
            {kimi, compressed_tensors_mxfp4, compressed_tensors_nvfp4, {}},
            {support::gpt_oss_like(), gpt_oss, modelopt_nvfp4, {}},
            {support::gpt_oss_like(true), gpt_oss_original, modelopt_nvfp4, LayoutId::gpt_oss_original},
            {support::deepseek_v4_like(), deepseek_v4, modelopt_nvfp4, LayoutId::deepseek_v4}};
}

TEST(RebuiltSource, HasTheDigestsOfTheSourceFileByFileAndTensorByTensor) {
    for (const Cast& cast : casts()) {
        const DigestList source = digests_of(CheckpointFolder(store(cast.model, cast.source)));
        const CheckpointFolder target(store(cast.model, cast.target));
        const RebuiltDigests rebuilt = rebuild(target, cast.layout);
        EXPECT_EQ(digests_text(rebuilt.list), digests_text(source));
        EXPECT_EQ(rebuilt.weights, cast.model.weights.size());
        EXPECT_EQ(rebuilt.undone, rebuilt.weights);
        EXPECT_EQ(rebuilt.files_rebuilt, rebuilt.files);
        EXPECT_EQ(rebuilt.cast_fingerprint, digests_of(target).fingerprint);
        EXPECT_NE(rebuilt.cast_fingerprint, rebuilt.list.fingerprint);
        rules::DigestCounts counts;
        EXPECT_TRUE(rules::digest_findings(rebuilt, source, counts).empty());
        EXPECT_EQ(counts.tensors_same, source.tensors.size());
        EXPECT_EQ(counts.files_same, source.files.size());
    }
}

TEST(RebuiltSource, NothingDependsOnTheNumberOfThreads) {
    const CheckpointFolder target(store(support::kimi_k3_like(), Dialect::modelopt_nvfp4));
    EXPECT_EQ(digests_text(rebuild(target, {}, 4).list), digests_text(rebuild(target).list));
}

TEST(RebuiltSource, KeepsTheMetadataOfAShardInASecondDigest) {
    const auto model = support::kimi_k3_like(1);
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
    const CheckpointFolder target(files);
    const std::string shard = "model-00002-of-000002.safetensors";
    target.write(shard, safetensors_file(files.shards[shard], {{"format", "pt"}}));
    CheckpointFiles with = store(model, Dialect::compressed_tensors_mxfp4);
    const std::string plain = digests_of(source).files[1].sha256;
    source.write(shard, safetensors_file(with.shards[shard], {{"format", "pt"}}));
    const RebuiltDigests rebuilt = rebuild(target);
    ASSERT_EQ(rebuilt.list.files.size(), 3U);
    EXPECT_EQ(rebuilt.list.files[1].sha256, plain);
    EXPECT_EQ(rebuilt.list.files[2].file, shard);
    EXPECT_EQ(rebuilt.list.files[2].sha256, digests_of(source).files[1].sha256);
    EXPECT_EQ(rebuilt.list.files[2].bytes, digests_of(source).files[1].bytes);
}

TEST(RebuiltSource, AFlippedBitShowsInItsTensorAndItsFile) {
    const auto model = support::kimi_k3_like(1);
    const DigestList source = digests_of(CheckpointFolder(store(model, Dialect::compressed_tensors_mxfp4)));
    CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
    files.tensor(model.weights[0].name + ".weight").bytes[3] ^= 0x80;
    rules::DigestCounts counts;
    const auto findings = rules::digest_findings(rebuild(CheckpointFolder(files)), source, counts);
    EXPECT_EQ(counts.tensors_same, source.tensors.size() - 1);
    EXPECT_EQ(counts.files_same, 1U);
    ASSERT_EQ(findings.size(), 3U);  // tensor, file, fingerprint
    EXPECT_EQ(findings[0].tensor, model.weights[0].name + ".weight_packed");
    EXPECT_EQ(findings[1].shard, "model-00002-of-000002.safetensors");
    EXPECT_EQ(findings[2].rule, "rebuild.fingerprint");
}

TEST(RebuiltSource, AScaleOfNoClosedFormIsRefusedWithItsBlock) {
    const auto model = support::kimi_k3_like(1);
    const DigestList source = digests_of(CheckpointFolder(store(model, Dialect::compressed_tensors_mxfp4)));
    CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
    const support::Weight& weight = model.weights[1];
    const std::uint64_t in_row = weight.columns / 16;
    files.tensor(weight.name + ".weight_scale").bytes[5 * in_row + 3] ^= 1;
    const RebuiltDigests rebuilt = rebuild(CheckpointFolder(files));
    ASSERT_EQ(rebuilt.refused.size(), 1U);
    EXPECT_EQ(rebuilt.refused[0].tensor, weight.name + ".weight_scale");
    EXPECT_EQ(rebuilt.refused[0].row, 5U);
    EXPECT_EQ(rebuilt.refused[0].block, 1U);
    EXPECT_EQ(rebuilt.undone, rebuilt.weights - 1);
    EXPECT_EQ(rebuilt.files_rebuilt, 1U);
    EXPECT_EQ(rebuilt.list.fingerprint, "");
    rules::DigestCounts counts;
    EXPECT_TRUE(rules::digest_findings(rebuilt, source, counts).empty());  // what is there is right
    EXPECT_EQ(counts.tensors_same, source.tensors.size() - 1);
    EXPECT_EQ(rules::rebuild_findings(rebuilt).size(), 1U);
}

TEST(RebuiltSource, AGlobalScaleThatIsNoPowerOfTwoIsRefused) {
    const auto model = support::kimi_k3_like(1);
    CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
    files.tensor(model.weights[0].name + ".weight_scale_2").bytes[0] ^= 1;
    const RebuiltDigests rebuilt = rebuild(CheckpointFolder(files));
    ASSERT_EQ(rebuilt.refused.size(), 1U);
    EXPECT_EQ(rebuilt.refused[0].tensor, model.weights[0].name + ".weight_scale_2");
    EXPECT_EQ(rebuilt.undone, rebuilt.weights - 1);
}

TEST(RebuiltSource, TensorsThatOneSideLacksAreNamed) {
    const auto model = support::kimi_k3_like(1);
    const CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));
    DigestList source = digests_of(CheckpointFolder(store(model, Dialect::compressed_tensors_mxfp4)));
    source.tensors[0].tensor = "another name";
    source.files[0].file = "another.safetensors";
    rules::DigestCounts counts;
    const auto findings = rules::digest_findings(rebuild(target), source, counts);
    ASSERT_EQ(findings.size(), 3U);
    EXPECT_EQ(findings[0].tensor, "another name");
    EXPECT_THAT(findings[0].message, HasSubstr("no counterpart"));
    EXPECT_THAT(findings[1].message, HasSubstr("not among"));
    EXPECT_EQ(findings[2].shard, "another.safetensors");
}

TEST(RebuiltSource, AFileLaidOutInAnotherWayIsAWarningWhereAllItsTensorsAreTheSame) {
    const auto model = support::kimi_k3_like(1);
    DigestList source = digests_of(CheckpointFolder(store(model, Dialect::compressed_tensors_mxfp4)));
    source.files[0].sha256 = std::string(64, '0');
    rules::DigestCounts counts;
    const auto findings = rules::digest_findings(rebuild(CheckpointFolder(store(model, Dialect::modelopt_nvfp4))), source, counts);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].severity, rules::Severity::warning);
}

TEST(RebuiltSource, NeedsAnNvfp4WeightAndALayoutThatHasAFormForIt) {
    const CheckpointFolder source(store(support::kimi_k3_like(1), Dialect::compressed_tensors_mxfp4));
    EXPECT_THROW((void)rebuild(source), Error);
    const CheckpointFolder banks(store(support::gpt_oss_like(), Dialect::modelopt_nvfp4));
    EXPECT_THROW((void)rebuild(banks, LayoutId::compressed_tensors_mxfp4), Error);
    const CheckpointFolder single(store(support::kimi_k3_like(1), Dialect::modelopt_nvfp4));
    EXPECT_THROW((void)rebuild(single, LayoutId::gpt_oss), Error);
}

}  // namespace
}  // namespace assay::runners
