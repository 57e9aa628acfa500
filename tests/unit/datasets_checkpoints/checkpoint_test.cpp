#include "datasets/checkpoints/checkpoint.hpp"

#include <gtest/gtest.h>

#include "datasets/checkpoints/fingerprint.hpp"
#include "harness/error.hpp"
#include "tests/support/checkpoints/small_model.hpp"

namespace assay::checkpoints {
namespace {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

TEST(Checkpoint, OpensAFolderItsIndexAndASingleFile) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4));
    const Checkpoint whole = open_checkpoint(folder.path());
    EXPECT_EQ(whole.shards.size(), 2U);
    EXPECT_EQ(whole.tensors.size(), 27U);
    EXPECT_EQ(open_checkpoint(folder.path("model.safetensors.index.json")).tensors.size(), 27U);
    EXPECT_EQ(open_checkpoint(folder.path("model-00002-of-000002.safetensors")).tensors.size(), 21U);
    ASSERT_NE(whole.find("language_model.model.norm.weight"), nullptr);
    EXPECT_EQ(whole.find("language_model.model.norm"), nullptr);
}

TEST(Checkpoint, AFolderWithoutIndexIsAllItsFiles) {
    CheckpointFiles files = store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4);
    files.with_index = false;
    const CheckpointFolder folder(files);
    EXPECT_EQ(open_checkpoint(folder.path()).tensors.size(), 27U);
}

TEST(Checkpoint, AMissingShardIsSaidAndTheRestIsRead) {
    CheckpointFiles files = store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4);
    const std::string index = index_json(files);
    files.with_index = false;
    files.shards.erase("model-00001-of-000002.safetensors");
    const CheckpointFolder folder(files);
    folder.write("model.safetensors.index.json", index);
    const Checkpoint checkpoint = open_checkpoint(folder.path());
    ASSERT_EQ(checkpoint.shards.size(), 2U);
    EXPECT_FALSE(checkpoint.shards[0].present);
    EXPECT_EQ(checkpoint.tensors.size(), 21U);
}

TEST(Checkpoint, AnIndexCannotLeadOutOfTheFolder) {
    const CheckpointFolder folder;
    folder.write("model.safetensors.index.json", R"({"weight_map":{"a":"../../etc/passwd"}})");
    const Checkpoint checkpoint = open_checkpoint(folder.path());
    ASSERT_EQ(checkpoint.shards.size(), 1U);
    EXPECT_FALSE(checkpoint.shards[0].present);
    EXPECT_EQ(checkpoint.shards[0].reader, nullptr);
}

TEST(Checkpoint, OfTwoTensorsWithOneNameTheIndexsShardWins) {
    CheckpointFiles files;
    files.shards["a.safetensors"] = {support::counted_tensor("t", Dtype::U8, {1})};
    files.shards["b.safetensors"] = {support::counted_tensor("t", Dtype::U8, {2}),
                                     support::counted_tensor("u", Dtype::U8, {1})};
    files.with_index = false;
    const CheckpointFolder folder(files);
    EXPECT_EQ(open_checkpoint(folder.path()).find("t")->shape[0], 2U);
    folder.write("model.safetensors.index.json", R"({"weight_map":{"t":"a.safetensors","u":"b.safetensors"}})");
    const Checkpoint checkpoint = open_checkpoint(folder.path());
    EXPECT_EQ(checkpoint.find("t")->shape[0], 1U);
    ASSERT_EQ(checkpoint.shadowed.size(), 1U);
    EXPECT_EQ(checkpoint.shards[checkpoint.shadowed[0].tensor.shard].file, "b.safetensors");
}

TEST(Checkpoint, FilesTheIndexDoesNotNameAreKeptApart) {
    CheckpointFiles files = store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4);
    const CheckpointFolder folder(files);
    folder.write("extra.safetensors", support::safetensors_file({support::counted_tensor("x", Dtype::U8, {1})}));
    const Checkpoint checkpoint = open_checkpoint(folder.path());
    EXPECT_EQ(checkpoint.unindexed.size(), 1U);
    EXPECT_EQ(checkpoint.find("x"), nullptr);
}

TEST(Checkpoint, WhatCannotBeReadIsRefused) {
    const CheckpointFolder folder;
    EXPECT_THROW((void)open_checkpoint(folder.path()), Error);
    EXPECT_THROW((void)open_checkpoint(folder.path("nothing")), Error);
    folder.write("x.gguf", "GGUF");
    EXPECT_THROW((void)open_checkpoint(folder.path()), Error);
    EXPECT_THROW((void)open_checkpoint(folder.path("x.gguf")), Error);
}

TEST(Checkpoint, ABrokenConfigIsSaidAndDoesNotHideTheTensors) {
    CheckpointFiles files = store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4);
    files.others["config.json"] = "{";
    const CheckpointFolder folder(files);
    const Checkpoint checkpoint = open_checkpoint(folder.path());
    EXPECT_EQ(checkpoint.config_troubles.size(), 1U);
    EXPECT_EQ(checkpoint.tensors.size(), 27U);
}

Digest digest_of(const Tensor& tensor, const Checkpoint& checkpoint) {
    files::Buffer buffer;
    ByteDigest digest;
    digest.add(checkpoint.shards[tensor.shard].reader->view(tensor.begin, tensor.bytes(), buffer).bytes);
    return digest.value();
}

std::string fingerprint_of(const CheckpointFiles& files) {
    const CheckpointFolder folder(files);
    Checkpoint checkpoint = open_checkpoint(folder.path());
    std::reverse(checkpoint.tensors.begin(), checkpoint.tensors.end());
    std::vector<Digest> digests;
    for (const Tensor& tensor : checkpoint.tensors) digests.push_back(digest_of(tensor, checkpoint));
    return to_hex(fingerprint(checkpoint.tensors, digests));
}

TEST(Fingerprint, DoesNotDependOnShardingAndDoesOnEveryField) {
    CheckpointFiles files;
    files.with_index = false;
    files.shards["a.safetensors"] = {support::counted_tensor("t", Dtype::U8, {2, 3}),
                                     support::counted_tensor("u", Dtype::BF16, {2})};
    const std::string whole = fingerprint_of(files);
    CheckpointFiles split = files;
    split.shards["b.safetensors"] = {split.shards["a.safetensors"].back()};
    split.shards["a.safetensors"].pop_back();
    EXPECT_EQ(fingerprint_of(split), whole);
    CheckpointFiles other = files;
    other.tensor("t").bytes[5] ^= 1;
    EXPECT_NE(fingerprint_of(other), whole);
    other = files;
    other.tensor("t").shape = {3, 2};
    EXPECT_NE(fingerprint_of(other), whole);
    other = files;
    other.tensor("t").dtype = Dtype::I8;
    EXPECT_NE(fingerprint_of(other), whole);
    other = files;
    other.tensor("t").name = "s";
    EXPECT_NE(fingerprint_of(other), whole);
}

TEST(Fingerprint, ADigestIsXxh3Of128BitsInItsCanonicalForm) {
    ByteDigest digest;
    EXPECT_EQ(to_hex(digest.value()), "99aa06d3014798d86001c324468d497f");  // the published value of no bytes
}

}  // namespace
}  // namespace assay::checkpoints
