#include "runners/drivers/block_walk.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/checkpoints/small_model.hpp"

namespace assay::runners {
namespace {

using bit_exact::Difference;
using bit_exact::PairAudit;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

PairAudit walk(const CheckpointFolder& source, const CheckpointFolder& target, WalkOptions options = {}) {
    const checkpoints::Opened a = checkpoints::open_and_recognise(source.path());
    const checkpoints::Opened b = checkpoints::open_and_recognise(target.path());
    return walk_blocks(a, b, checkpoints::pair_up(a, b), options);
}

struct Cast {
    support::SmallModel model;
    Dialect source;
    Dialect target;
};

std::vector<Cast> casts() {
    using enum Dialect;
    const auto kimi = support::kimi_k3_like();
    const auto deepseek = support::deepseek_v4_like();
    return {{kimi, compressed_tensors_mxfp4, modelopt_nvfp4},
            {kimi, compressed_tensors_mxfp4, compressed_tensors_nvfp4},
            {kimi, modelopt_nvfp4, compressed_tensors_nvfp4},
            {kimi, modelopt_nvfp4, compressed_tensors_mxfp4},
            {kimi, compressed_tensors_mxfp4, compressed_tensors_mxfp4},
            {support::gpt_oss_like(), gpt_oss, modelopt_nvfp4},
            {support::gpt_oss_like(true), gpt_oss_original, modelopt_nvfp4},
            {deepseek, deepseek_v4, modelopt_nvfp4},
            {deepseek, deepseek_v4, compressed_tensors_mxfp4}};
}

std::uint64_t blocks_of(const support::SmallModel& model, unsigned width) {
    std::uint64_t blocks = 0;
    for (const support::Weight& weight : model.weights) blocks += weight.nibbles.size() / width;
    return blocks;
}

TEST(BlockWalk, EveryBlockOfEveryCastBetweenLayoutsIsExact) {
    for (const Cast& cast : casts()) {
        const PairAudit audit =
            walk(CheckpointFolder(store(cast.model, cast.source)), CheckpointFolder(store(cast.model, cast.target)));
        EXPECT_EQ(audit.blocks.blocks, blocks_of(cast.model, cast.source == Dialect::modelopt_nvfp4 ? 16 : 32));
        EXPECT_EQ(audit.blocks.exact, audit.blocks.blocks);
        EXPECT_EQ(audit.blocks.payload_equal, audit.blocks.blocks);
        EXPECT_EQ(audit.blocks.max_abs_err, 0.0);
        EXPECT_EQ(audit.weights, cast.model.weights.size());
        EXPECT_EQ(audit.tensors, audit.tensors_identical);
        EXPECT_GT(audit.tensors, 0U);
        EXPECT_TRUE(audit.unreadable.empty());
    }
}

TEST(BlockWalk, FingerprintsAreThoseOfTheContents) {
    const auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    const PairAudit same = walk(source, source);
    EXPECT_EQ(same.source_fingerprint, same.target_fingerprint);
    const PairAudit cast = walk(source, CheckpointFolder(store(model, Dialect::modelopt_nvfp4)));
    EXPECT_EQ(cast.source_fingerprint, same.source_fingerprint);
    EXPECT_NE(cast.target_fingerprint, same.source_fingerprint);
}

// Expects one block of one weight to differ, and says which.
bit_exact::LocatedDifference only_difference(const PairAudit& audit) {
    EXPECT_EQ(audit.differences.size(), 1U);
    return audit.differences.empty() ? bit_exact::LocatedDifference{} : audit.differences[0];
}

TEST(BlockWalk, EveryBitOfTheScalesIsFoundAndLocated) {
    const auto model = support::kimi_k3_like(1);
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    const std::string name = model.weights[1].name;
    const std::uint64_t in_row = model.weights[1].columns / 16;
    for (const std::size_t byte : {0U, 7U, 100U}) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
            files.tensor(name + ".weight_scale").bytes[byte] ^= static_cast<std::uint8_t>(1U << bit);
            const auto found = only_difference(walk(source, CheckpointFolder(files)));
            EXPECT_EQ(found.weight, name);
            EXPECT_EQ(found.block.row, byte / in_row);
            EXPECT_EQ(found.block.block, byte % in_row / 2);
        }
    }
}

TEST(BlockWalk, EveryBitOfAGlobalScaleIsFound) {
    const auto model = support::kimi_k3_like(1);
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    for (const Dialect dialect : {Dialect::modelopt_nvfp4, Dialect::compressed_tensors_nvfp4}) {
        const std::string global =
            model.weights[0].name + (dialect == Dialect::modelopt_nvfp4 ? ".weight_scale_2" : ".weight_global_scale");
        for (unsigned bit = 0; bit < 32; ++bit) {
            CheckpointFiles files = store(model, dialect);
            files.tensor(global).bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
            const PairAudit audit = walk(source, CheckpointFolder(files));
            EXPECT_LT(audit.blocks.exact, audit.blocks.blocks) << bit;
            EXPECT_EQ(audit.weights_exact, audit.weights - 1) << bit;
            EXPECT_EQ(audit.differences.at(0).weight, model.weights[0].name);
            EXPECT_EQ(audit.blocks.payload_equal, audit.blocks.blocks);
        }
    }
}

TEST(BlockWalk, FlippedBitsOfThePackedWeightsAreFoundAndLocated) {
    const auto model = support::gpt_oss_like();
    const CheckpointFolder source(store(model, Dialect::gpt_oss));
    const support::Weight& weight = model.weights[1];
    const std::uint64_t in_row = weight.columns / 2;
    for (std::size_t byte = 0; byte < weight.nibbles.size() / 2; byte += 17) {
        for (const unsigned bit : {static_cast<unsigned>(byte % 4), static_cast<unsigned>(4 + byte % 4)}) {
            CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
            files.tensor(weight.name).bytes[byte] ^= static_cast<std::uint8_t>(1U << bit);
            const PairAudit audit = walk(source, CheckpointFolder(files));
            const auto found = only_difference(audit);
            EXPECT_EQ(found.weight, weight.name);
            EXPECT_EQ(found.block.row, byte / in_row);
            EXPECT_EQ(found.block.block, byte % in_row / 16);
            EXPECT_EQ(found.block.element, byte % 16 * 2 + bit / 4);
            // The sign of a zero is the one flip that leaves the value.
            const bool value_equal = (found.block.source_code & 7U) == 0 && bit % 4 == 3;
            EXPECT_EQ(audit.blocks.exact, audit.blocks.blocks - (value_equal ? 0U : 1U));
            EXPECT_EQ(found.block.kind == Difference::negative_zero, value_equal);
        }
    }
}

TEST(BlockWalk, AChangedPlainTensorIsFoundWithItsFirstByte) {
    const auto model = support::kimi_k3_like(1);
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
    files.tensor("language_model.model.norm.weight").bytes[5] ^= 1;
    files.tensor("language_model.model.norm.weight").bytes[9] ^= 1;
    const PairAudit audit = walk(source, CheckpointFolder(files));
    ASSERT_EQ(audit.tensor_differences.size(), 1U);
    EXPECT_EQ(audit.tensor_differences[0].first_byte, 5U);
    EXPECT_EQ(audit.tensor_differences[0].bytes, 2U);
    EXPECT_EQ(audit.tensors_identical, audit.tensors - 1);
}

TEST(BlockWalk, NothingDependsOnTheNumberOfThreads) {
    auto model = support::kimi_k3_like(6);
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    for (support::Weight& weight : model.weights) {
        for (std::size_t i = 0; i < weight.nibbles.size(); i += 97) weight.nibbles[i] ^= 3;
    }
    const CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));
    std::vector<std::vector<std::string>> seen;
    std::vector<PairAudit> audits;
    for (const unsigned threads : {1U, 2U, 7U}) {
        WalkOptions options;
        options.threads = threads;
        auto& names = seen.emplace_back();
        options.on_difference = [&](const bit_exact::LocatedDifference& one) {
            names.push_back(one.weight + std::to_string(one.block.row) + "/" + std::to_string(one.block.block));
        };
        audits.push_back(walk(source, target, options));
        EXPECT_GT(names.size(), options.most_differences);
    }
    for (const PairAudit& audit : audits) {
        EXPECT_EQ(audit.blocks.exact, audits[0].blocks.exact);
        EXPECT_EQ(audit.blocks.max_abs_err, audits[0].blocks.max_abs_err);
        EXPECT_EQ(audit.target_fingerprint, audits[0].target_fingerprint);
        EXPECT_EQ(audit.differences.size(), 20U);
    }
    EXPECT_EQ(seen[1], seen[0]);
    EXPECT_EQ(seen[2], seen[0]);
}

TEST(BlockWalk, AFileThatEndsEarlyIsUnreadableAndTheRestIsCompared) {
    const auto model = support::kimi_k3_like(2);
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    const CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));
    const std::string shard = target.path("model-00002-of-000002.safetensors");
    std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 1);
    const PairAudit audit = walk(source, target);
    ASSERT_EQ(audit.unreadable.size(), 1U);
    EXPECT_EQ(audit.unread_blocks + audit.blocks.blocks, blocks_of(model, 32));
    EXPECT_EQ(audit.blocks.exact, audit.blocks.blocks);
    EXPECT_EQ(audit.weights, model.weights.size() - 1);
}

TEST(BlockWalk, ARaisedCancelStopsIt) {
    const CheckpointFolder source(store(support::kimi_k3_like(2), Dialect::compressed_tensors_mxfp4));
    Cancel cancel;
    cancel.raise();
    WalkOptions options;
    options.cancel = &cancel;
    const PairAudit audit = walk(source, source, options);
    EXPECT_TRUE(audit.cancelled);
    EXPECT_EQ(audit.blocks.blocks, 0U);
}

}  // namespace
}  // namespace assay::runners
