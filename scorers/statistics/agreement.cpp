#include "scorers/statistics/agreement.hpp"

#include <cassert>
#include <cmath>
#include <vector>

#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_variance.hpp"

namespace assay::statistics {
namespace {

double real(std::int64_t x) { return static_cast<double>(x); }

}  // namespace

Agreement agreement(std::span<const std::int64_t> correct, std::int64_t seeds) {
    const QuestionVariance v = question_variance(correct, seeds);
    assert(v.within);
    Agreement a;
    a.within_mean_square = *v.within;
    a.between_mean_square = real(seeds) * v.of_means;
    a.flip_rate = 2 * a.within_mean_square;
    if (v.mean > 0 && v.mean < 1) a.kappa = 1 - a.within_mean_square / (v.mean * (1 - v.mean));
    const double apart = a.between_mean_square - a.within_mean_square;
    const double total = a.between_mean_square + real(seeds - 1) * a.within_mean_square;
    if (correct.size() >= 2 && total > 0) a.icc = apart / total;
    if (a.between_mean_square > 0) a.icc_of_means = apart / a.between_mean_square;
    return a;
}

std::optional<CochranQ> cochran_q(std::span<const std::int64_t> correct_by_question, std::span<const std::int64_t> correct_by_seed) {
    const auto seeds = static_cast<std::int64_t>(correct_by_seed.size());
    assert(seeds >= 2);
    std::int64_t mixed = 0;
    for (const std::int64_t c : correct_by_question) mixed += c * (seeds - c);
    if (mixed == 0) return std::nullopt;
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    for (const std::int64_t g : correct_by_seed) {
        sum += g;
        squares += g * g;
    }
    CochranQ test;
    test.q = real(seeds - 1) * real(seeds * squares - sum * sum) / real(mixed);
    test.degrees = real(seeds - 1);
    test.p = test.q > 0 ? chi_squared_upper(test.q, test.degrees) : 1;
    return test;
}

std::optional<double> fleiss_kappa(std::span<const std::int64_t> counts, std::int64_t categories) {
    const auto width = static_cast<std::size_t>(categories);
    assert(width > 0 && !counts.empty() && counts.size() % width == 0);
    std::vector<std::int64_t> by_kind(width, 0);
    std::int64_t squares = 0;
    std::int64_t all = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        by_kind[i % width] += counts[i];
        squares += counts[i] * counts[i];
        all += counts[i];
    }
    const auto questions = static_cast<std::int64_t>(counts.size() / width);
    const double a_question = real(all) / real(questions);
    const double seen = real(squares - all) / (real(all) * (a_question - 1));
    double chance = 0;
    for (const std::int64_t kind : by_kind) chance += real(kind) / real(all) * (real(kind) / real(all));
    if (chance >= 1) return std::nullopt;
    return (seen - chance) / (1 - chance);
}

double spearman_brown(double icc, double k) { return k * icc / (1 + (k - 1) * icc); }

double entropy_bits(std::int64_t c, std::int64_t n) {
    if (c == 0 || c == n) return 0;
    const double p = real(c) / real(n);
    return -p * std::log2(p) - (1 - p) * std::log2(1 - p);
}

ExcessFlips excess_flips(std::span<const std::int64_t> a, std::int64_t seeds_a, std::span<const std::int64_t> b,
                         std::int64_t seeds_b) {
    assert(a.size() == b.size());
    std::int64_t differing = 0;  // pairs of one answer each that differ
    for (std::size_t q = 0; q < a.size(); ++q) differing += a[q] * (seeds_b - b[q]) + b[q] * (seeds_a - a[q]);
    ExcessFlips flips;
    flips.cross = real(differing) / (real(static_cast<std::int64_t>(a.size())) * real(seeds_a) * real(seeds_b));
    flips.self_a = agreement(a, seeds_a).flip_rate;
    flips.self_b = agreement(b, seeds_b).flip_rate;
    flips.excess = flips.cross - (flips.self_a + flips.self_b) / 2;
    return flips;
}

}  // namespace assay::statistics
