// The survey against one that takes each scale apart by its bit fields, one at a time.
#include "scorers/rules/scale_survey.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace assay::rules {
namespace {

using checkpoints::BlockScale;
using checkpoints::Layout;
using checkpoints::LayoutId;
using Bytes = std::vector<std::byte>;

double value_of(bool e4m3, unsigned code) {
    if (!e4m3) return code == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1, static_cast<int>(code) - 127);
    const unsigned exponent = code >> 3 & 15U;
    const unsigned mantissa = code & 7U;
    if (exponent == 15 && mantissa == 7) return std::numeric_limits<double>::quiet_NaN();
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, static_cast<int>(exponent) - 10);
    return (code & 0x80U) != 0 ? -magnitude : magnitude;
}

bool is_odd(ScaleOddity oddity, bool e4m3, unsigned code, bool zeros_only) {
    const double value = value_of(e4m3, code);
    if (std::isnan(value)) return oddity == ScaleOddity::nan || (oddity == ScaleOddity::no_power && e4m3);
    int exponent = 0;
    switch (oddity) {
        case ScaleOddity::negative: return e4m3 && std::signbit(value);
        case ScaleOddity::live_zero: return !zeros_only && (e4m3 ? value == 0 : code == 0);
        case ScaleOddity::subnormal: return e4m3 && value != 0 && std::fabs(value) < std::ldexp(1, -6);
        case ScaleOddity::no_power:
            if (value == 0) return e4m3 && !zeros_only;
            return e4m3 && std::frexp(std::fabs(value), &exponent) != 0.5;
        default: return false;
    }
}

ScaleSurvey slow_survey(const Layout& layout, std::uint64_t first_row, std::uint64_t columns, const Bytes& scales,
                        const Bytes& payload) {
    const bool e4m3 = layout.block_scale == BlockScale::e4m3;
    const std::uint64_t in_row = columns / layout.block_columns;
    ScaleSurvey survey;
    survey.scales = scales.size();
    for (std::size_t i = 0; i < scales.size(); ++i) {
        bool zeros_only = true;
        for (std::uint64_t element = i * layout.block_columns; element < (i + 1) * layout.block_columns; ++element)
            zeros_only = zeros_only && (static_cast<unsigned>(payload[element / 2]) >> (element % 2 * 4) & 7U) == 0;
        for (std::size_t oddity = 0; oddity < oddity_count; ++oddity) {
            bool found = is_odd(static_cast<ScaleOddity>(oddity), e4m3, static_cast<unsigned>(scales[i]), zeros_only);
            if (static_cast<ScaleOddity>(oddity) == ScaleOddity::unpaired)
                found = e4m3 && i % in_row % 2 == 0 && i % in_row + 1 < in_row && scales[i] != scales[i + 1];
            if (!found || survey.counts[oddity]++ != 0) continue;
            survey.first_row[oddity] = first_row + i / in_row;
            survey.first_block[oddity] = i % in_row;
        }
    }
    return survey;
}

void expect_alike(LayoutId id, std::uint64_t in_row, const Bytes& scales, const Bytes& payload) {
    const Layout& layout = layout_of(id);
    const std::uint64_t columns = in_row * layout.block_columns;
    ScaleSurvey survey;
    survey.add(layout, 7, columns, scales, payload);
    const ScaleSurvey wanted = slow_survey(layout, 7, columns, scales, payload);
    ASSERT_EQ(survey.scales, wanted.scales);
    ASSERT_EQ(survey.counts, wanted.counts);
    ASSERT_EQ(survey.first_row, wanted.first_row);
    ASSERT_EQ(survey.first_block, wanted.first_block);
}

class Survey : public testing::TestWithParam<LayoutId> {};

TEST_P(Survey, FindsEveryCodeAtEveryPlaceAmongCleanOnes) {
    const std::size_t block_bytes = layout_of(GetParam()).block_columns / 2;
    for (const std::uint64_t in_row : {8U, 13U, 24U}) {
        for (const unsigned elements : {0x00U, 0x80U, 0x10U}) {
            const Bytes payload(in_row * block_bytes, static_cast<std::byte>(elements));
            for (std::size_t at = 0; at < in_row; ++at) {
                for (unsigned code = 0; code < 256; ++code) {
                    Bytes scales(in_row, std::byte{0x40});
                    scales[at] = static_cast<std::byte>(code);
                    expect_alike(GetParam(), in_row, scales, payload);
                    if (at + 1 < in_row) scales[at + 1] = scales[at];
                    expect_alike(GetParam(), in_row, scales, payload);
                }
            }
        }
    }
}

TEST_P(Survey, CountsRandomScalesAsOneByOne) {
    std::mt19937 random(5);
    const std::size_t block_bytes = layout_of(GetParam()).block_columns / 2;
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t in_row = 1 + random() % 40;
        const std::uint64_t rows = 1 + random() % 5;
        const unsigned one_in = 1U << random() % 8;  // how often a code is any code
        Bytes scales(in_row * rows);
        for (std::size_t i = 0; i < scales.size(); ++i) {
            const unsigned clean = 8 * (1 + static_cast<unsigned>(random()) % 15);
            scales[i] = i % 2 == 1 && random() % 8 != 0 ? scales[i - 1] : static_cast<std::byte>(clean);
            if (random() % one_in == 0) scales[i] = static_cast<std::byte>(random() % 4 == 0 ? random() & 0x80U : random());
        }
        Bytes payload(scales.size() * block_bytes);
        for (std::size_t i = 0; i < payload.size(); ++i)
            payload[i] = static_cast<std::byte>(i / block_bytes % 3 == 0 ? random() & 0x88U : random());
        expect_alike(GetParam(), in_row, scales, payload);
    }
}

INSTANTIATE_TEST_SUITE_P(OfLayout, Survey,
                         testing::Values(LayoutId::compressed_tensors_mxfp4, LayoutId::modelopt_nvfp4),
                         [](const auto& given) { return given.param == LayoutId::modelopt_nvfp4 ? "nvfp4" : "mxfp4"; });

}  // namespace
}  // namespace assay::rules
