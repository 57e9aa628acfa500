// Each kind of damage to a cast is found, located and told apart.
#include <gtest/gtest.h>

#include "tests/unit/runners_block_walk/walked.hpp"

namespace assay::runners {
namespace {

using bit_exact::Difference;
using bit_exact::PairAudit;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

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

}  // namespace
}  // namespace assay::runners
