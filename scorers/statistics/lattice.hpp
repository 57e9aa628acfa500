// Lattice: a distribution on whole numbers, from which exact tests and the exact bootstrap are read off.
//
// p[i] is the probability of lowest + i. Convolution is direct: every term is positive, so small tails keep their
// digits, and the order of additions is fixed.
#pragma once

#include <cstdint>
#include <vector>

namespace assay::statistics {

struct Lattice {
    std::int64_t lowest = 0;
    std::vector<double> p{1.0};  // never empty

    [[nodiscard]] std::int64_t highest() const noexcept { return lowest + static_cast<std::int64_t>(p.size()) - 1; }
    [[nodiscard]] double below(std::int64_t x) const;     // P(X < x)
    [[nodiscard]] double at(std::int64_t x) const;        // P(X = x)
    [[nodiscard]] double at_least(std::int64_t x) const;  // P(X >= x)
    [[nodiscard]] double mean() const;
    [[nodiscard]] double variance() const;
    // The smallest value with P(X <= value) >= probability.
    [[nodiscard]] std::int64_t quantile(double probability) const;
};

// Sum of two independent ones; of n independent copies (n >= 0).
[[nodiscard]] Lattice sum_of(const Lattice& a, const Lattice& b);
[[nodiscard]] Lattice sum_of_copies(const Lattice& one, std::int64_t n);

}  // namespace assay::statistics
