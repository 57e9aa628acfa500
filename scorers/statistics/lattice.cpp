#include "scorers/statistics/lattice.hpp"

#include <cassert>
#include <cstddef>

#include "scorers/statistics/sums.hpp"

namespace assay::statistics {

double Lattice::below(std::int64_t x) const {
    Sum sum;
    for (std::size_t i = 0; i < p.size() && lowest + static_cast<std::int64_t>(i) < x; ++i) sum.add(p[i]);
    return sum.value();
}

double Lattice::at(std::int64_t x) const { return x < lowest || x > highest() ? 0 : p[static_cast<std::size_t>(x - lowest)]; }

double Lattice::at_least(std::int64_t x) const {
    Sum sum;
    for (std::size_t i = p.size(); i-- > 0 && lowest + static_cast<std::int64_t>(i) >= x;) sum.add(p[i]);
    return sum.value();
}

double Lattice::mean() const {
    Sum sum;
    for (std::size_t i = 0; i < p.size(); ++i) sum.add(static_cast<double>(i) * p[i]);
    return static_cast<double>(lowest) + sum.value();
}

double Lattice::variance() const {
    const double centre = mean() - static_cast<double>(lowest);
    Sum sum;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double away = static_cast<double>(i) - centre;
        sum.add(away * away * p[i]);
    }
    return sum.value();
}

std::int64_t Lattice::quantile(double probability) const {
    Sum sum;
    for (std::size_t i = 0; i < p.size(); ++i) {
        sum.add(p[i]);
        if (sum.value() >= probability) return lowest + static_cast<std::int64_t>(i);
    }
    return highest();
}

Lattice sum_of(const Lattice& a, const Lattice& b) {
    Lattice sum;
    sum.lowest = a.lowest + b.lowest;
    sum.p.assign(a.p.size() + b.p.size() - 1, 0.0);
    for (std::size_t i = 0; i < a.p.size(); ++i) {
        if (a.p[i] == 0) continue;
        for (std::size_t j = 0; j < b.p.size(); ++j) sum.p[i + j] += a.p[i] * b.p[j];
    }
    return sum;
}

Lattice sum_of_copies(const Lattice& one, std::int64_t n) {
    assert(n >= 0);
    Lattice sum;
    Lattice square = one;
    for (; n > 0; n /= 2) {
        if (n % 2 == 1) sum = sum_of(sum, square);
        if (n > 1) square = sum_of(square, square);
    }
    return sum;
}

}  // namespace assay::statistics
