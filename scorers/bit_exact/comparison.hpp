// Comparison: are the values of a weight the same, block by block?
//
// A block is bit-exact where its values are equal as exact numbers: E2M1 x 2^k, E2M1 x E4M3 x FP32, or E2M1 x E4M3 / FP32.
// They are compared as integers times powers of two, cross-multiplied where a side divides, so nothing is rounded:
// the longest product, E2M1 x E4M3 x FP32 x FP32, has 54 significant bits.
// Equal bytes under equal scales, of which a good conversion is made, cost no work on elements.
// Pure: no I/O; a Comparison may be used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scorers/bit_exact/block_tally.hpp"
#include "scorers/bit_exact/judgement.hpp"
#include "scorers/bit_exact/scale_pairs.hpp"
#include "scorers/bit_exact/window.hpp"

namespace assay::bit_exact {

class Comparison {
public:
    // `most_differences`: how many blocks that differ are kept as evidence, in the order of rows and blocks.
    explicit Comparison(std::size_t most_differences) : most_(most_differences) {}

    // Forgets everything but `most_differences`, so that the next weight can be compared.
    void reset();

    // Adds a window. Windows of one weight come in the order of their rows. True where all payload bytes are equal.
    bool add(const Window& window);

    [[nodiscard]] const BlockTally& tally() const noexcept { return tally_; }
    // What is kept and was not taken. The kind of those in the last row may change with the window that follows it.
    [[nodiscard]] const std::vector<BlockDifference>& differences() const noexcept { return differences_; }
    // Moves those that will not change to the end of `into`.
    void take_settled(std::vector<BlockDifference>& into);

private:
    struct Pending {  // a block of the last row that may be the row below
        std::uint64_t block = 0;
        Difference kind{};
        std::size_t kept = 0;  // index into differences_, or its size where it was not kept
    };

    [[nodiscard]] bool scales_equal(const Window& window, std::uint64_t row) const;
    void judge_row(const Window& window, std::uint64_t row);
    void judge_block(const Window& window, std::uint64_t row, std::uint64_t block);
    void keep(BlockDifference evidence, const Window& window);
    [[nodiscard]] Difference classify(const Window& window, std::uint64_t row, std::uint64_t block,
                                      const Judgement& judged) const;
    void settle_last_row(const Window& next);
    void remember_last_row(const Window& window);
    void note_factor(double factor);

    std::size_t most_;
    std::size_t counted_ = 0;  // blocks that differ, kept or not, up to most_
    BlockTally tally_;
    std::vector<BlockDifference> differences_;
    ScalePairs scales_;
    bool requantized_ = false;

    // The last row of the window before.
    std::uint64_t next_row_ = 0;  // the one after it; 0: there was no window
    std::vector<std::byte> last_source_;
    std::vector<std::byte> last_target_;  // only where something is pending
    std::vector<Pending> pending_;
    std::vector<std::byte> above_;  // source row above the window being added; empty where unknown
};

}  // namespace assay::bit_exact
