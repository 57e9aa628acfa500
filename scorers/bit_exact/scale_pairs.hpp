// ScalePairs: what the scales of two encodings are to each other, code by code.
//
// Prepared once for a pair of encodings; a pair of codes is worked out when it is first asked for.
// Pure; one thread at a time.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/checkpoints/number_formats.hpp"
#include "scorers/bit_exact/scale_line.hpp"
#include "scorers/bit_exact/window.hpp"

namespace assay::bit_exact {

// A side's scale as numerator / denominator.
struct ExactScale {
    checkpoints::Exact numerator;
    checkpoints::Exact denominator;
    double value = 0;  // rounded once where it divides, exact elsewhere
};

struct ScalePair {
    bool defined = false;       // neither is NaN or infinite; nothing below means anything where false
    bool equal = false;         // as numbers
    bool out_of_range = false;  // the end of E4M3's range stands where something beyond it was needed
    std::optional<double> factor;  // target / source, where they differ and the source is not 0
    // Bit j of [i]: magnitude i under the source's scale is magnitude j under the target's, both with the same sign, or
    // with opposite ones. Magnitudes are E2M1 codes without their sign.
    std::array<std::uint8_t, 8> same_sign{};
    std::array<std::uint8_t, 8> opposite_sign{};

    // Whether two E2M1 codes stand for the same number.
    [[nodiscard]] bool values_equal(unsigned source, unsigned target) const noexcept {
        const auto& row = ((source ^ target) & 8U) == 0 ? same_sign : opposite_sign;
        return (row[source & 7U] >> (target & 7U) & 1U) != 0;
    }
};

class ScalePairs {
public:
    // No-op where they are those of before.
    void prepare(const Encoding& source, const Encoding& target);

    [[nodiscard]] const ScalePair& pair(std::uint8_t source, std::uint8_t target);
    [[nodiscard]] const std::optional<ExactScale>& source(std::uint8_t code) const noexcept { return source_[code]; }
    [[nodiscard]] const std::optional<ExactScale>& target(std::uint8_t code) const noexcept { return target_[code]; }

    // The only target code whose scale is the source code's, or no_match. Zero has two codes and so no match.
    static constexpr std::uint32_t no_match = 0x10000;
    [[nodiscard]] std::uint32_t match(std::uint8_t source) const noexcept { return match_[source]; }
    [[nodiscard]] const ScaleLine& line() const noexcept { return line_; }  // of match()

private:
    // By code; nothing where the scale is NaN or infinite.
    using Scales = std::array<std::optional<ExactScale>, 256>;

    [[nodiscard]] static Scales scales_of(const Encoding& encoding);
    void find_matches();
    [[nodiscard]] ScalePair worked_out(std::uint8_t source, std::uint8_t target) const;

    std::optional<Encoding> source_encoding_;  // what the tables are for
    std::optional<Encoding> target_encoding_;
    Scales source_;
    Scales target_;
    std::array<std::uint32_t, 256> match_{};
    ScaleLine line_;
    std::vector<ScalePair> pairs_;  // [source code * 256 + target code]; empty until one is asked for
    std::bitset<65536> known_;
};

}  // namespace assay::bit_exact
