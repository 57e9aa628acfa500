// Sums of real numbers in the order given, with Neumaier's correction (Neumaier 1974): the terms that rounding
// drops are kept beside the sum, whichever of sum and term is the larger. Same values, same order, same bits.
#pragma once

#include <cmath>
#include <span>

namespace assay::statistics {

class Sum {
public:
    void add(double x) noexcept {
        const double next = sum_ + x;
        lost_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - next) + x : (x - next) + sum_;
        sum_ = next;
    }
    [[nodiscard]] double value() const noexcept { return sum_ + lost_; }

private:
    double sum_ = 0;
    double lost_ = 0;
};

[[nodiscard]] inline double sum(std::span<const double> values) noexcept {
    Sum total;
    for (const double x : values) total.add(x);
    return total.value();
}

}  // namespace assay::statistics
