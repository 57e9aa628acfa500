// Every E2M1 code under every block scale, against what the compressed-tensors library decoded
// (tests/interop/compressed_tensors/compare.py wrote the golden file).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/number_formats.hpp"
#include "datasets/checkpoints/tensor_detail.hpp"
#include "tests/support/checkpoints/checkpoint_folder.hpp"

namespace assay::checkpoints {
namespace {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::StoredTensor;

using Values = std::vector<std::uint16_t>;  // BF16 bits of elements 0 to 15

struct Golden {
    std::map<unsigned, Values> mxfp4;                           // by scale code
    std::map<std::uint32_t, std::map<unsigned, Values>> nvfp4;  // by bits of the global scale, then scale code
};

Golden read_golden() {
    Golden golden;
    std::ifstream file(ASSAY_TEST_DATA "/compressed_tensors_values.txt");
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string format;
        words >> format >> std::hex;
        if (format != "mxfp4" && format != "nvfp4") continue;
        std::uint32_t global = 0;
        unsigned scale = 0;
        if (format == "nvfp4") words >> global;
        words >> scale;
        Values& values = format == "mxfp4" ? golden.mxfp4[scale] : golden.nvfp4[global][scale];
        for (std::uint16_t value = 0; words >> value;) values.push_back(value);
    }
    return golden;
}

// A weight of one row for each scale code, all elements in turn: "c0" to "c255".
CheckpointFiles weights(std::uint64_t columns, const float* divisor) {
    CheckpointFiles files;
    files.with_index = false;
    auto& tensors = files.shards["model.safetensors"];
    for (unsigned code = 0; code < 256; ++code) {
        const std::string name = "c" + std::to_string(code);
        std::vector<std::uint8_t> packed;
        for (unsigned i = 0; i < columns; i += 2) packed.push_back(static_cast<std::uint8_t>(i % 16 | (i + 1) % 16 << 4));
        tensors.push_back(support::bytes_tensor(name + ".weight_packed", Dtype::U8, {1, columns / 2}, packed));
        tensors.push_back(support::bytes_tensor(name + ".weight_scale", divisor == nullptr ? Dtype::U8 : Dtype::F8_E4M3,
                                                {1, 1}, {static_cast<std::uint8_t>(code)}));
        if (divisor != nullptr) tensors.push_back(support::f32_tensor(name + ".weight_global_scale", {1}, {*divisor}));
    }
    return files;
}

std::vector<std::vector<double>> values_of(const CheckpointFiles& files) {
    const CheckpointFolder folder(files);
    const Checkpoint checkpoint = open_checkpoint(folder.path());
    const Recognition recognition = recognise(checkpoint.tensors);
    std::vector<std::vector<double>> values;
    for (unsigned code = 0; code < 256; ++code)
        values.push_back(look_closely(checkpoint, recognition, "c" + std::to_string(code)).first_values);
    return values;
}

TEST(CompressedTensors, DecodesMxfp4ToTheSameNumbers) {
    const Golden golden = read_golden();
    ASSERT_EQ(golden.mxfp4.size(), 256U);
    const auto values = values_of(weights(32, nullptr));
    for (unsigned code = 0; code < 256; ++code) {
        ASSERT_EQ(golden.mxfp4.at(code).size(), 16U);
        for (std::size_t i = 0; i < 16; ++i) {
            const double theirs = bf16_value(golden.mxfp4.at(code)[i]);
            const double ours = values[code][i];
            if (code == 255) {  // NaN in the standard; the library has 2^128, infinite in BF16, times the element
                EXPECT_TRUE(std::isnan(ours) && !std::isfinite(theirs));
            } else if (std::isinf(theirs)) {
                EXPECT_GE(std::fabs(ours), 0x1p128) << code;
            } else {
                EXPECT_EQ(ours, theirs) << code << ' ' << i;
                EXPECT_EQ(std::signbit(ours), std::signbit(theirs)) << code << ' ' << i;
            }
        }
    }
}

TEST(CompressedTensors, DecodesNvfp4ToTheSameNumbers) {
    const Golden golden = read_golden();
    ASSERT_EQ(golden.nvfp4.size(), 3U);
    for (const auto& [bits, rows] : golden.nvfp4) {
        ASSERT_EQ(rows.size(), 256U);
        const auto divisor = static_cast<float>(f32_value(bits));
        int exponent = 0;
        const bool power = std::frexp(divisor, &exponent) == 0.5F;
        const auto values = values_of(weights(16, &divisor));
        for (unsigned code = 0; code < 256; ++code) {
            for (std::size_t i = 0; i < 16; ++i) {
                const double theirs = bf16_value(rows.at(code)[i]);
                const double ours = values[code][i];
                if (std::isnan(ours) || std::isnan(theirs)) {
                    EXPECT_TRUE(std::isnan(ours) && std::isnan(theirs)) << code;
                } else {
                    // The library rounds to BF16 twice where the global scale is no power of two.
                    EXPECT_LE(std::fabs(ours - theirs), power ? 0 : std::fabs(ours) * 0x1p-7) << code << ' ' << i;
                    EXPECT_EQ(std::signbit(ours), std::signbit(theirs)) << code << ' ' << i;
                }
            }
        }
    }
}

}  // namespace
}  // namespace assay::checkpoints
