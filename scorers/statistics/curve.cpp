#include "scorers/statistics/curve.hpp"

#include <algorithm>
#include <cstdint>

#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/majority.hpp"
#include "scorers/statistics/pass_at_k.hpp"

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

double mean_pass(const std::vector<std::int64_t>& questions_by_correct, int k) {
    const auto seeds = static_cast<std::int64_t>(questions_by_correct.size()) - 1;
    double sum = 0;
    std::int64_t questions = 0;
    for (std::int64_t c = 0; c <= seeds; ++c) {
        const std::int64_t n = questions_by_correct[static_cast<std::size_t>(c)];
        questions += n;
        sum += static_cast<double>(n) * pass_at_k(seeds, c, k);
    }
    return sum / static_cast<double>(questions);
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
    std::vector<AtK> points;
    std::int64_t correct = 0;
    for (int k = 1; k <= static_cast<int>(table.columns()); ++k) {
        for (std::size_t row = 0; row < table.rows(); ++row) {
            correct += table.cell(row, static_cast<std::size_t>(k - 1)).correct ? 1 : 0;
        }
        AtK point;
        point.k = k;
        point.pass_at_k = mean_pass(by_correct, k);
        point.average_of_k = static_cast<double>(correct) / (static_cast<double>(table.rows()) * k);
        if (k >= 2) point.majority_at_k = mean_majority(table, k);
        points.push_back(point);
    }
    return points;
}

}  // namespace assay::statistics
