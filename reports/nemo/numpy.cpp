#include "reports/nemo/numpy.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <vector>

namespace assay::reports::numpy {
namespace {

constexpr std::size_t block = 128;
constexpr std::size_t lanes = 8;

double sum_of_block(std::span<const double> values) noexcept {
    std::array<double, lanes> r{};
    for (std::size_t lane = 0; lane < lanes; ++lane) r[lane] = values[lane];
    std::size_t i = lanes;
    for (; i + lanes <= values.size(); i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) r[lane] += values[i + lane];
    double total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < values.size(); ++i) total += values[i];
    return total;
}

}  // namespace

double sum(std::span<const double> values) noexcept {
    if (values.size() < lanes) {
        double total = 0;
        for (const double value : values) total += value;
        return total;
    }
    if (values.size() <= block) return sum_of_block(values);
    std::size_t half = values.size() / 2;
    half -= half % lanes;
    return sum(values.first(half)) + sum(values.subspan(half));
}

double mean(std::span<const double> values) noexcept {
    assert(!values.empty());
    return sum(values) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
    assert(values.size() >= 2);
    const double centre = mean(values);
    std::vector<double> squares;
    squares.reserve(values.size());
    for (const double value : values) squares.push_back((value - centre) * (value - centre));
    return std::sqrt(sum(squares) / static_cast<double>(values.size() - 1));
}

}  // namespace assay::reports::numpy
