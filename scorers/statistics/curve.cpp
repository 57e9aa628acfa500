#include "scorers/statistics/curve.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "scorers/statistics/choose.hpp"
#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/g_pass_at_k.hpp"

namespace assay::statistics {
namespace {

// Questions by their number of right answers: the mean of any function of it is a sum over that number, the same
// whatever the order of the questions.
std::vector<std::int64_t> questions_by_correct(const SeedTable& table) {
    std::vector<std::int64_t> questions(table.columns() + 1, 0);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto cells = row_of(table, row);
        ++questions[static_cast<std::size_t>(std::count_if(cells.begin(), cells.end(), [](const Cell& cell) { return cell.correct; }))];
    }
    return questions;
}

// Ways in which k drawn seeds hold j right answers, over all questions, and all ways: whole numbers up to 56 seeds.
struct Draws {
    std::vector<double> ways;  // by j = 0..k
    double all = 0;

    [[nodiscard]] double at_least(std::int64_t right) const {
        double sum = 0;
        for (std::size_t j = static_cast<std::size_t>(right); j < ways.size(); ++j) sum += ways[j];
        return std::min(1.0, sum / all);
    }
    // The mean of at_least(ceil(tau k)) over tau in [1/2, 1], as a sum of its steps.
    [[nodiscard]] double mean_of_upper_half() const {
        const std::size_t k = ways.size() - 1;
        const std::size_t half = (k + 1) / 2;
        double sum = 0;
        for (std::size_t j = half + 1; j <= k; ++j) sum += static_cast<double>(j - half) * ways[j];
        return 2 * sum / (static_cast<double>(k) * all);
    }
};

Draws draws(const std::vector<std::int64_t>& questions_by_correct, std::int64_t k) {
    const auto seeds = std::ssize(questions_by_correct) - 1;
    const bool exact = seeds <= 56;
    Draws out;
    out.ways.assign(static_cast<std::size_t>(k) + 1, 0.0);
    for (std::int64_t c = 0; c <= seeds; ++c) {
        const std::int64_t questions = questions_by_correct[static_cast<std::size_t>(c)];
        if (questions == 0) continue;
        out.all += static_cast<double>(questions) * (exact ? choose(seeds, k) : 1.0);
        const std::vector<double> shares = exact ? std::vector<double>() : hypergeometric(seeds, c, k);
        for (std::int64_t j = 0; j <= k; ++j) {
            const auto at = static_cast<std::size_t>(j);
            out.ways[at] += static_cast<double>(questions) * (exact ? choose(c, j) * choose(seeds - c, k - j) : shares[at]);
        }
    }
    return out;
}

// Questions by how many answers tie, with the right ones among them: integers until the last division of each kind.
double mean_majority(const SeedTable& table, int k) {
    std::vector<std::int64_t> right_by_tie(static_cast<std::size_t>(k) + 1, 0);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const MajorityVote vote = majority_of_first(row_of(table, row), k);
        right_by_tie[static_cast<std::size_t>(vote.tied)] += vote.right;
    }
    double sum = 0;
    for (int tied = 1; tied <= k; ++tied) sum += static_cast<double>(right_by_tie[static_cast<std::size_t>(tied)]) / tied;
    return sum / static_cast<double>(table.rows());
}

}  // namespace

std::vector<AtK> curve(const SeedTable& table) {
    const auto by_correct = questions_by_correct(table);
    const std::vector<ExpectedMajority> expected = expected_majority_of(table);
    std::vector<AtK> points;
    std::int64_t correct = 0;
    for (int k = 1; k <= static_cast<int>(table.columns()); ++k) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            correct += table.cell(row, static_cast<std::size_t>(k - 1)).correct ? 1 : 0;
        }
        AtK point;
        point.k = k;
        const Draws drawn = draws(by_correct, k);
        point.pass_at_k = drawn.at_least(1);
        point.pass_hat_k = drawn.at_least(k);
        point.g_pass_half = drawn.at_least(g_pass_threshold(1, 2, k));
        point.g_pass_three_quarters = drawn.at_least(g_pass_threshold(3, 4, k));
        point.mg_pass_at_k = drawn.mean_of_upper_half();
        point.average_of_k = static_cast<double>(correct) / (static_cast<double>(table.rows()) * k);
        if (k >= 2) point.majority_at_k = mean_majority(table, k);
        if (k >= 2 && !expected.empty()) point.expected_majority = expected[static_cast<std::size_t>(k - 1)];
        points.push_back(point);
    }
    return points;
}

}  // namespace assay::statistics
