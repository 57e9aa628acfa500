#include "runners/drivers/block_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "harness/error.hpp"
#include "runners/drivers/difference_spool.hpp"
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
    walk(source, target, options);
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
        walk(source, target, options);
        expect_same_facts(facts, wanted);
    }
}

TEST(Sample, RunsAreInsideApartAndOfTheShareAskedFor) {
    for (const std::uint64_t length : {1UL, 2UL, 63UL, 64UL, 1000UL, 3072UL, 1'000'003UL}) {
        for (const double fraction : {0.0001, 0.01, 0.3, 0.99, 1.0}) {
            std::uint64_t end = 0;
            std::uint64_t rows = 0;
            for (const RowRun& run : runs_of(length, Sample{fraction, 7}, "a")) {
                EXPECT_GE(run.first, end);
                EXPECT_GT(run.count, 0U);
                EXPECT_LE(run.count, fraction == 1.0 ? length : longest_run);
                end = run.first + run.count;
                rows += run.count;
            }
            EXPECT_LE(end, length);
            EXPECT_EQ(rows, std::max(1.0, std::round(static_cast<double>(length) * fraction)));
        }
    }
    EXPECT_TRUE(runs_of(0, Sample{0.5, 1}, "a").empty());
}

TEST(Sample, OtherSeedsAndNamesDrawOtherRowsAndTheSameOnesTheSame) {
    const auto first = [](std::uint64_t seed, const char* name) {
        return runs_of(1'000'000, Sample{0.0001, seed}, name).at(0).first;
    };
    EXPECT_EQ(first(1, "a"), first(1, "a"));
    EXPECT_NE(first(1, "a"), first(2, "a"));
    EXPECT_NE(first(1, "a"), first(1, "b"));
}

TEST(Sample, SharesAreReadAndOthersRefused) {
    EXPECT_EQ(share_from("1%"), 0.01);
    EXPECT_EQ(share_from("0.5 %"), 0.005);
    EXPECT_EQ(share_from("1"), 1.0);
    for (const char* bad : {"", "0", "-1%", "101%", "1.5", "x", "1%%", "nan", "1 percent"})
        EXPECT_THROW((void)share_from(bad), Error) << bad;
}

TEST(BlockWalk, ASampleVisitsEveryWeightWhateverTheThreads) {
    auto model = support::kimi_k3_like(4);
    for (support::Weight& weight : model.weights)
        weight = support::random_weight(weight.name, 1, 400, 64, static_cast<unsigned>(weight.name.size()));
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    for (support::Weight& weight : model.weights) {
        for (std::size_t i = 0; i < weight.nibbles.size(); i += 64) weight.nibbles[i] ^= 3;
    }
    const CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));
    std::vector<PairAudit> audits;
    for (const unsigned threads : {1U, 3U}) {
        WalkOptions options;
        options.threads = threads;
        options.sample = Sample{0.05, 11};
        audits.push_back(walk(source, target, options));
    }
    for (const PairAudit& audit : audits) {
        ASSERT_TRUE(audit.sample);
        EXPECT_EQ(audit.weights, model.weights.size());
        EXPECT_EQ(audit.weights_exact, 0U);
        EXPECT_EQ(audit.blocks.blocks, model.weights.size() * 20 * 2);
        EXPECT_EQ(audit.blocks.exact, model.weights.size() * 20);
        EXPECT_LT(audit.sample->bytes, audit.sample->bytes_all / 8);
        ASSERT_EQ(audit.differences.size(), audits[0].differences.size());
        for (std::size_t i = 0; i < audit.differences.size(); ++i)
            EXPECT_EQ(audit.differences[i].block.row, audits[0].differences[i].block.row);
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

TEST(BlockWalk, ASquareWeightThatIsTransposedIsToldAsAWhole) {
    support::SmallModel model = support::kimi_k3_like(1);
    model.weights = {support::random_weight("model.a.w1", 1, 64, 64, 1, 120, 120),
                     support::random_weight("model.b.w1", 2, 32, 32, 2, 120, 120)};
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    for (support::Weight& weight : model.weights) {
        const auto before = weight.nibbles;
        const std::uint64_t n = weight.columns;
        for (std::uint64_t bank = 0; bank < weight.banks; ++bank) {
            for (std::uint64_t row = 0; row < n; ++row) {
                for (std::uint64_t column = 0; column < n; ++column)
                    weight.nibbles[(bank * n + row) * n + column] = before[(bank * n + column) * n + row];
            }
        }
    }
    PairAudit audit = walk(source, CheckpointFolder(store(model, Dialect::modelopt_nvfp4)));
    EXPECT_EQ(audit.blocks.count(Difference::transposed), audit.blocks.blocks - audit.blocks.exact);
    EXPECT_GT(audit.blocks.count(Difference::transposed), 100U);
    EXPECT_EQ(audit.differences.at(0).block.kind, Difference::transposed);
    model.weights[0].nibbles[5] ^= 1;
    audit = walk(source, CheckpointFolder(store(model, Dialect::modelopt_nvfp4)));
    EXPECT_EQ(audit.differences.at(0).block.kind, Difference::nibble);
}

TEST(BlockWalk, TensorsUnderAnotherNameAreFoundByTheirBytes) {
    const auto model = support::kimi_k3_like(1);
    const CheckpointFiles files = store(model, Dialect::compressed_tensors_mxfp4);
    CheckpointFiles renamed = store(model, Dialect::modelopt_nvfp4);
    renamed.tensor("language_model.model.norm.weight").name = "model.norm.weight";
    const PairAudit audit = walk(CheckpointFolder(files), CheckpointFolder(renamed));
    ASSERT_EQ(audit.renamed.size(), 1U);
    EXPECT_EQ(audit.tensors, audit.tensors_identical);
    renamed.tensor("model.norm.weight").bytes[0] ^= 1;
    EXPECT_TRUE(walk(CheckpointFolder(files), CheckpointFolder(renamed)).renamed.empty());
}

TEST(DifferenceSpool, KeepsTheOrderWhateverTheNumber) {
    DifferenceSpool spool;
    std::uint64_t row = 0;
    while (spool.size() < 3 * DifferenceSpool::most_in_memory + 17) {
        std::vector<bit_exact::BlockDifference> some(1000);
        for (auto& one : some) one.row = row++;
        spool.add(some);
        EXPECT_TRUE(some.empty());
    }
    std::uint64_t next = 0;
    spool.each([&](const bit_exact::BlockDifference& one) { return one.row == next++; });
    EXPECT_EQ(next, spool.size());
    next = 0;
    spool.each([&](const bit_exact::BlockDifference&) { return ++next < 5; });
    EXPECT_EQ(next, 5U);
}

}  // namespace
}  // namespace assay::runners
