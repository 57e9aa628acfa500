#include "scorers/statistics/summary.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/question_variance.hpp"
#include "scorers/statistics/seed_intervals.hpp"

namespace assay::statistics {
namespace {

constexpr double kLevel = 0.95;

double ratio(std::int64_t part, std::int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

Interval cut(Interval interval) { return {std::max(0.0, interval.low), std::min(1.0, interval.high)}; }

Counts counts_of(const SeedTable& table, std::span<const std::size_t> rows) {
    Counts counts;
    for (const std::size_t row : rows) {
        for (const Cell& cell : row_of(table, row)) count(counts, cell);
    }
    return counts;
}

// A number for each name, the same for equal ones.
std::vector<int> labels_of(const std::vector<std::string>& names) {
    std::map<std::string, int> numbers;
    for (const std::string& name : names) numbers.emplace(name, static_cast<int>(numbers.size()));
    std::vector<int> labels;
    for (const std::string& name : names) labels.push_back(numbers.at(name));
    return labels;
}

void add_question_statistics(Summary& summary, const SeedTable& table, std::span<const std::size_t> rows) {
    if (!summary.full || rows.size() < 2) return;
    const auto correct = correct_by_question(table, rows);
    const auto seeds = static_cast<std::int64_t>(table.columns());
    const QuestionInterval over = question_interval(correct, seeds, kLevel);
    summary.over_questions = over.interval;
    summary.n_eff = over.n_eff;
    summary.standard_error_questions = question_variance(correct, seeds).standard_error;
    if (std::find(table.domains.begin(), table.domains.end(), std::string()) != table.domains.end()) return;
    summary.domains_fixed = stratified_interval(correct, labels_of(table.domains), seeds, kLevel);
}

void add_seed_statistics(Summary& summary, const SeedTable& table, std::span<const std::size_t> rows) {
    if (!summary.full || summary.seeds < 2) return;
    std::vector<std::int64_t> correct;
    for (const SeedRow& row : summary.per_seed) correct.push_back(row.counts.correct);
    const SeedIntervals spread = seed_intervals(correct, correct_by_question(table, rows), kLevel);
    summary.within_questions = spread.within_questions;
    summary.fixed_error = spread.fixed_error;
    summary.seed_sd = spread.sd;
    summary.seed_se = spread.se;
    summary.this_test = cut(spread.this_test);
    summary.one_more_run = cut(spread.one_more_run);
}

void add_seeds(Summary& summary, const SeedTable& table) {
    for (std::size_t column = 0; column < table.columns(); ++column) {
        SeedRow seed{table.seeds[column], {}};
        for (std::size_t row = 0; row < table.rows(); ++row) count(seed.counts, table.cell(row, column));
        summary.per_seed.push_back(seed);
    }
}

void add_difficulty(Summary& summary, const SeedTable& table) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const Counts counts = counts_of(table, std::span(&row, 1));
        if (counts.scored == 0) continue;
        if (counts.correct == 0) summary.never_solved_questions.push_back(table.questions[row]);
        if (counts.correct > 0 && counts.correct < counts.scored) summary.unstable_questions.push_back(table.questions[row]);
    }
    summary.never_solved = static_cast<int>(summary.never_solved_questions.size());
    summary.unstable = static_cast<int>(summary.unstable_questions.size());
}

std::vector<GroupRow> groups(const SeedTable& table, const std::vector<std::string>& names) {
    if (std::all_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); })) return {};
    std::vector<GroupRow> out;
    std::vector<std::vector<std::size_t>> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto same = std::find_if(out.begin(), out.end(), [&](const GroupRow& group) { return group.name == names[row]; });
        if (same == out.end()) {
            out.push_back({names[row], 0, {}, std::nullopt});
            rows.push_back({row});
        } else {
            rows[static_cast<std::size_t>(same - out.begin())].push_back(row);
        }
    }
    std::vector<std::size_t> full;  // rows of all groups that are
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i].questions = static_cast<int>(rows[i].size());
        out[i].counts = counts_of(table, rows[i]);
        if (is_full(out[i].counts)) full.insert(full.end(), rows[i].begin(), rows[i].end());
    }
    if (full.size() < 2) return out;
    const auto all = correct_by_question(table, full);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (!is_full(out[i].counts) || rows[i].size() < 2) continue;
        out[i].over_questions =
            group_interval(correct_by_question(table, rows[i]), all, static_cast<std::int64_t>(table.columns()), kLevel).interval;
    }
    return out;
}

std::vector<std::pair<std::string, std::int64_t>> unscored_by_reason(const SeedTable& table) {
    std::map<std::string, std::int64_t> reasons;
    for (const Cell& cell : table.cells) {
        if (cell.state == CellState::unscored) ++reasons[cell.why];
    }
    return {reasons.begin(), reasons.end()};
}

}  // namespace

Summary summarize(const SeedTable& table, const Asked& asked) {
    assert(table.cells.size() == table.rows() * table.columns());
    assert(table.domains.size() == table.rows() && table.subdomains.size() == table.rows());
    std::vector<std::size_t> rows(table.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});

    Summary summary;
    summary.questions = static_cast<int>(table.rows());
    summary.seeds = static_cast<int>(table.columns());
    summary.total = counts_of(table, rows);
    summary.full = is_full(summary.total);
    const Counts& total = summary.total;
    summary.pass_at_1 = total.score();
    if (total.attempts > 0) {
        summary.bounds = Interval{ratio(total.correct, total.attempts),
                                  ratio(total.correct + total.unscored + total.missing, total.attempts)};
    }
    if (total.scored > 0) summary.truncation_ceiling = ratio(total.truncated - total.truncated_correct, total.scored);
    add_seeds(summary, table);
    add_question_statistics(summary, table, rows);
    add_seed_statistics(summary, table, rows);
    if (summary.full) summary.at_k = curve(table);
    add_difficulty(summary, table);
    summary.per_domain = groups(table, table.domains);
    summary.per_subdomain = groups(table, table.subdomains);
    summary.unscored_by_reason = unscored_by_reason(table);
    summary.truncation = truncation_losses(table, asked.budget);
    summary.agreement = seed_agreement(table, asked.greedy_seed);
    if (asked.greedy_seed) summary.greedy = greedy_seed(table, *asked.greedy_seed);
    return summary;
}

}  // namespace assay::statistics
