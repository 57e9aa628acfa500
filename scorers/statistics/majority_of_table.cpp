#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "scorers/statistics/choose.hpp"
#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/majority.hpp"

namespace assay::statistics {
namespace {

// The answers to one question: how many are right, how many are none, and how many of each wrong kind, largest first.
struct Pattern {
    int right = 0;
    int none = 0;
    std::vector<int> wrong;

    friend auto operator<=>(const Pattern&, const Pattern&) = default;
};

Pattern pattern_of(std::span<const Cell> row) {
    Pattern pattern;
    std::map<std::string, int> wrong;
    for (const Cell& cell : row) {
        if (!cell.prediction) ++pattern.none;
        else if (cell.correct) ++pattern.right;
        else ++wrong[*cell.prediction];
    }
    for (const auto& [answer, count] : wrong) pattern.wrong.push_back(count);
    std::sort(pattern.wrong.begin(), pattern.wrong.end(), std::greater<>());
    return pattern;
}

using Ways = std::vector<std::vector<double>>;  // [answers drawn][wrong kinds that tie with the right one], whole numbers

// Ways to draw d of the none and wrong ones such that no wrong kind has more than `votes`, by how many have as many.
Ways others(const Pattern& pattern, int votes, std::size_t n) {
    Ways ways(n + 1, std::vector<double>(pattern.wrong.size() + 1, 0.0));
    for (int d = 0; d <= pattern.none; ++d) ways[static_cast<std::size_t>(d)][0] = choose(pattern.none, d);
    for (const int count : pattern.wrong) {
        Ways next(n + 1, std::vector<double>(pattern.wrong.size() + 1, 0.0));
        for (std::size_t d = 0; d <= n; ++d) {
            for (std::size_t tied = 0; tied < ways[d].size(); ++tied) {
                if (ways[d][tied] == 0) continue;
                for (int j = 0; j <= std::min(count, votes) && d + static_cast<std::size_t>(j) <= n; ++j) {
                    next[d + static_cast<std::size_t>(j)][tied + (j == votes ? 1 : 0)] += ways[d][tied] * choose(count, j);
                }
            }
        }
        ways = std::move(next);
    }
    return ways;
}

// Adds, for each k, the draws in which the right answer shares the highest count, by how many wrong kinds share it.
void add_wins(Ways& wins, const Pattern& pattern, double questions) {
    const std::size_t n = wins.size() - 1;
    for (int votes = 1; votes <= pattern.right; ++votes) {
        const double right = questions * choose(pattern.right, votes);
        const Ways rest = others(pattern, votes, n);
        for (std::size_t k = static_cast<std::size_t>(votes); k <= n; ++k) {
            const auto& by_tie = rest[k - static_cast<std::size_t>(votes)];
            if (wins[k].size() < by_tie.size()) wins[k].resize(by_tie.size(), 0.0);
            for (std::size_t tied = 0; tied < by_tie.size(); ++tied) wins[k][tied] += right * by_tie[tied];
        }
    }
}

}  // namespace

std::vector<ExpectedMajority> expected_majority_of(const SeedTable& table) {
    const std::size_t n = table.columns();
    if (n > most_seeds_of_expected_majority || table.rows() == 0) return {};
    std::map<Pattern, std::int64_t> patterns;
    for (std::size_t row = 0; row < table.rows(); ++row) ++patterns[pattern_of(row_of(table, row))];
    Ways wins(n + 1, std::vector<double>(1, 0.0));
    for (const auto& [pattern, questions] : patterns) add_wins(wins, pattern, static_cast<double>(questions));
    std::vector<ExpectedMajority> curve;
    for (std::size_t k = 1; k <= n; ++k) {
        const double all = static_cast<double>(table.rows()) * choose(static_cast<std::int64_t>(n), static_cast<std::int64_t>(k));
        ExpectedMajority sum;
        for (std::size_t tied = 0; tied < wins[k].size(); ++tied) {
            sum.uniform += wins[k][tied] / static_cast<double>(tied + 1);
            sum.optimistic += wins[k][tied];
        }
        curve.push_back({sum.uniform / all, wins[k][0] / all, sum.optimistic / all});
    }
    return curve;
}

}  // namespace assay::statistics
