// The first 64 rows of language_model.model.layers.1.block_sparse_moe.experts.0.w1, as published.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <map>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/module.hpp"
#include "datasets/checkpoints/number_formats.hpp"
#include "harness/files/digest.hpp"
#include "tests/support/checkpoints/published.hpp"

namespace assay::checkpoints {
namespace {

class KimiK3Rows : public testing::Test {
protected:
    void SetUp() override {
        const std::string path = support::published_kimi_k3("w1_first64rows.safetensors");
        if (path.empty()) GTEST_SKIP() << support::published_kimi_k3_missing;
        checkpoint = open_checkpoint(path);
        const Recognition found = recognise(checkpoint.tensors);
        ASSERT_EQ(found.modules.size(), 1U);
        module = found.modules[0];
        files::Buffer buffer;
        const auto bytes = [&](std::uint32_t index) {
            const Tensor& tensor = checkpoint.tensors[index];
            const auto view = checkpoint.shards[0].reader->view(tensor.begin, tensor.bytes(), buffer).bytes;
            const auto* first = reinterpret_cast<const std::uint8_t*>(view.data());
            return std::vector<std::uint8_t>(first, first + view.size());
        };
        packed = bytes(module.payload);
        scales = bytes(module.scale);
    }

    [[nodiscard]] unsigned nibble(std::size_t element) const { return packed[element / 2] >> (element % 2 * 4) & 15U; }

    Checkpoint checkpoint;
    Module module;
    std::vector<std::uint8_t> packed;
    std::vector<std::uint8_t> scales;
};

TEST_F(KimiK3Rows, AreOneCompressedTensorsModule) {
    EXPECT_EQ(module.layout, LayoutId::compressed_tensors_mxfp4);
    EXPECT_EQ(module.rows, 64U);
    EXPECT_EQ(module.columns, 3584U);
}

TEST_F(KimiK3Rows, HaveTheScalesThatWereMeasured) {
    std::map<unsigned, int> counts;
    for (const std::uint8_t scale : scales) ++counts[scale];
    EXPECT_EQ(counts.size(), 3U);
    const auto percent = [&](unsigned code) {
        return std::round(1000.0 * counts[code] / static_cast<double>(scales.size())) / 10;
    };
    EXPECT_EQ(percent(121), 84.1);
    EXPECT_EQ(percent(120), 15.4);
    EXPECT_EQ(percent(122), 0.5);
}

TEST_F(KimiK3Rows, HaveTheNegativeZerosThatWereMeasured) {
    int negative_zeros = 0;
    for (std::size_t i = 0; i < module.elements(); ++i) negative_zeros += nibble(i) == 8 ? 1 : 0;
    EXPECT_EQ(module.elements(), 229'376U);
    EXPECT_EQ(negative_zeros, 13'315);
}

TEST_F(KimiK3Rows, ReachThreeFourOrSixInEveryBlock) {
    for (std::size_t block = 0; block < scales.size(); ++block) {
        double largest = 0;
        for (std::size_t i = 0; i < 32; ++i)
            largest = std::max(largest, std::fabs(e2m1_value(nibble(32 * block + i)) * e8m0_value(scales[block])));
        const double unit = e8m0_value(scales[block]);
        EXPECT_TRUE(largest == 3 * unit || largest == 4 * unit || largest == 6 * unit) << block;
    }
}

TEST_F(KimiK3Rows, DecodeToWhatCompressedTensorsDecodes) {
    std::string bf16;
    for (std::size_t i = 0; i < module.elements(); ++i) {
        const auto value = static_cast<float>(e2m1_value(nibble(i)) * e8m0_value(scales[i / 32]));
        const auto bits = std::bit_cast<std::uint32_t>(value);
        ASSERT_EQ(bits & 0xffffU, 0U) << i;  // exact in BF16
        bf16 += static_cast<char>(bits >> 16 & 0xffU);
        bf16 += static_cast<char>(bits >> 24);
    }
    std::ifstream golden(ASSAY_TEST_DATA "/compressed_tensors_values.txt");
    std::string line;
    while (std::getline(golden, line) && !line.starts_with("rows ")) {
    }
    EXPECT_EQ(line, "rows " + files::sha256_hex(bf16));
}

}  // namespace
}  // namespace assay::checkpoints
