#include <gtest/gtest.h>

#include "tests/unit/runners_block_walk/walked.hpp"

namespace assay::runners {
namespace {

using bit_exact::PairAudit;
using support::CheckpointFolder;
using support::Dialect;

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
