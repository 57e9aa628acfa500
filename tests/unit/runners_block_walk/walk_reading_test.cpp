// What is read, how, and what of it could not be.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/runners_block_walk/walked.hpp"

namespace assay::runners {
namespace {

using bit_exact::PairAudit;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

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

TEST(BlockWalk, EveryByteOfBothSidesIsReadOnce) {
    const auto model = support::kimi_k3_like(2);
    const CheckpointFiles files = store(model, Dialect::compressed_tensors_mxfp4);
    CheckpointFiles cast = store(model, Dialect::modelopt_nvfp4);
    cast.remove("language_model.model.norm.weight");
    cast.shards.begin()->second.push_back(support::counted_tensor("new.bias", support::Dtype::BF16, {4}));
    const CheckpointFolder source(files);
    const CheckpointFolder target(cast);
    WalkProgress progress;
    rules::ScalarFacts facts;
    WalkOptions options;
    options.progress = &progress;
    options.target_facts = &facts;
    (void)walk(source, target, options);
    EXPECT_EQ(progress.bytes_done, total_size(files) + total_size(cast));
    EXPECT_EQ(progress.bytes_done, progress.bytes_total);
}

void expect_same_facts(const rules::ScalarFacts& found, const rules::ScalarFacts& wanted) {
    EXPECT_EQ(found.global, wanted.global);
    EXPECT_EQ(found.input_scale, wanted.input_scale);
    ASSERT_EQ(found.a_log.size(), wanted.a_log.size());
    for (std::size_t i = 0; i < wanted.a_log.size(); ++i) {
        EXPECT_EQ(found.a_log[i].tensor, wanted.a_log[i].tensor);
        EXPECT_EQ(found.a_log[i].values, wanted.a_log[i].values);
    }
    ASSERT_EQ(found.surveys.size(), wanted.surveys.size());
    for (std::size_t i = 0; i < wanted.surveys.size(); ++i) {
        EXPECT_EQ(found.surveys[i].whole, wanted.surveys[i].whole);
        EXPECT_EQ(found.surveys[i].scales, wanted.surveys[i].scales);
        EXPECT_EQ(found.surveys[i].counts, wanted.surveys[i].counts);
        EXPECT_EQ(found.surveys[i].first_row, wanted.surveys[i].first_row);
        EXPECT_EQ(found.surveys[i].first_block, wanted.surveys[i].first_block);
    }
}

TEST(BlockWalk, WhatRulesAskForIsThatOfTheTargetReadAlone) {
    for (const Cast& cast : casts()) {
        CheckpointFiles files = store(cast.model, cast.target);
        const std::string name = cast.model.weights[0].name;
        for (const char* part : {".weight_scale", "_weight_scale", "_scales", ".scale"}) {
            for (auto& [shard, tensors] : files.shards) {
                for (auto& tensor : tensors) {
                    if (tensor.name == name + part) tensor.bytes[3] = 0x00, tensor.bytes[5] = 0xff;
                }
            }
        }
        // The second weight stands alone in the target.
        CheckpointFiles lone = store(cast.model, cast.source);
        for (auto& [shard, tensors] : lone.shards) {
            std::erase_if(tensors, [&](const auto& one) { return one.name.starts_with(cast.model.weights[1].name); });
        }
        const CheckpointFolder source(lone);
        const CheckpointFolder target(files);
        const checkpoints::Opened opened = checkpoints::open_and_recognise(target.path());
        rules::ScalarFacts wanted = read_scalars(opened);
        survey_scales(opened, 2, nullptr, wanted);
        rules::ScalarFacts facts;
        WalkOptions options;
        options.target_facts = &facts;
        options.threads = 3;
        (void)walk(source, target, options);
        expect_same_facts(facts, wanted);
    }
}

TEST(BlockWalk, EveryWayOfReadingGivesTheSame) {
    const auto model = support::kimi_k3_like(2);
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
    files.tensor(model.weights[2].name + ".weight").bytes[77] ^= 4;
    const CheckpointFolder target(files);
    const PairAudit wanted = walk(source, target);
    for (const files::Io io : {files::Io::map, files::Io::direct, files::Io::read}) {
        WalkOptions options;
        options.io = io;
        const PairAudit found = walk(source, target, options);
        EXPECT_EQ(found.target_fingerprint, wanted.target_fingerprint);
        EXPECT_EQ(found.source_fingerprint, wanted.source_fingerprint);
        EXPECT_EQ(found.blocks.differences, wanted.blocks.differences);
    }
}

// One weight of a megabyte, so that it is mapped, and a small one behind it.
support::SmallModel large_model() {
    support::SmallModel model = support::kimi_k3_like(1);
    model.weights = {support::random_weight("model.a.w1", 1, 1024, 2048, 1), support::random_weight("model.b.w1", 1, 64, 64, 2)};
    return model;
}

TEST(BlockWalk, AFileCutWhileItIsWalkedIsUnreadableInEveryWayOfReading) {
    const support::SmallModel model = large_model();
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    for (const files::Io io : {files::Io::automatic, files::Io::map, files::Io::direct, files::Io::read}) {
        const CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));
        const checkpoints::Opened a = checkpoints::open_and_recognise(source.path());
        const checkpoints::Opened b = checkpoints::open_and_recognise(target.path());
        // The header has been read; now half of the file goes.
        const std::string shard = target.path("model-00001-of-000001.safetensors");
        std::filesystem::resize_file(shard, std::filesystem::file_size(shard) / 2);
        WalkOptions options;
        options.io = io;
        const PairAudit audit = walk_blocks(a, b, checkpoints::pair_up(a, b), options);
        ASSERT_GE(audit.unreadable.size(), 1U);
        EXPECT_EQ(audit.unreadable[0].shard, "model-00001-of-000001.safetensors");
        EXPECT_NE(audit.unreadable[0].fault.find("the file was cut to"), std::string::npos) << audit.unreadable[0].fault;
        EXPECT_EQ(audit.unread_blocks + audit.blocks.blocks, blocks_of(model, 32));
    }
}

}  // namespace
}  // namespace assay::runners
