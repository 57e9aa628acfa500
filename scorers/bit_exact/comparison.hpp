// Comparison: are the values of a window the same, block by block?
//
// A block is bit-exact where its values are equal as exact numbers: E2M1 x 2^k, E2M1 x E4M3 x FP32, or E2M1 x E4M3 / FP32.
// They are compared as integers times powers of two, cross-multiplied where a side divides, so nothing is rounded:
// the longest product, E2M1 x E4M3 x FP32 x FP32, has 54 significant bits.
// Pure: no I/O; a Comparison may be used by one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/checkpoints/number_formats.hpp"
#include "scorers/bit_exact/block_tally.hpp"
#include "scorers/bit_exact/window.hpp"

namespace assay::bit_exact {

// A side's scale as numerator / denominator.
struct ExactScale {
    checkpoints::Exact numerator;
    checkpoints::Exact denominator;
    double value = 0;  // rounded once where it divides, exact elsewhere
};

class Comparison {
public:
    // `most_differences`: how many blocks that differ are kept as evidence, in the order of rows and blocks.
    explicit Comparison(std::size_t most_differences) : most_(most_differences) {}

    // Adds a window. Windows of one weight come in the order of their rows.
    void add(const Window& window);

    [[nodiscard]] const BlockTally& tally() const noexcept { return tally_; }
    [[nodiscard]] const std::vector<BlockDifference>& differences() const noexcept { return differences_; }

private:
    // By code; nothing where the scale is NaN or infinite.
    using Scales = std::array<std::optional<ExactScale>, 256>;

    void prepare(const Encoding& source, const Encoding& target);
    [[nodiscard]] static Scales scales_of(const Encoding& encoding);
    void find_matches();
    [[nodiscard]] bool row_is_equal(const Window& window, std::uint64_t row) const;
    void judge_row(const Window& window, std::uint64_t row);
    void judge_block(const Window& window, std::uint64_t row, std::uint64_t block);
    [[nodiscard]] Difference classify(const Window& window, std::uint64_t row, std::uint64_t block, bool payload_equal,
                                      bool scales_equal, bool out_of_range) const;
    void note_factor(double factor);

    std::size_t most_;
    BlockTally tally_;
    std::vector<BlockDifference> differences_;

    std::optional<Encoding> source_;  // what the tables below are for
    std::optional<Encoding> target_;
    Scales source_scales_;
    Scales target_scales_;
    std::array<std::int16_t, 256> match_{};  // source code -> the only target code of an equal scale; -1: none
    bool requantized_ = false;
};

}  // namespace assay::bit_exact
