#include "scorers/statistics/run_comparison.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/excess_flips_test.hpp"
#include "scorers/statistics/power.hpp"
#include "scorers/statistics/question_variance.hpp"

namespace assay::statistics {
namespace {

// Exact tests cost the length of their lattice; beyond this they would take seconds, and with so many seeds the normal
// approximations are as good.
constexpr std::int64_t longest_lattice = 4'000'000;

bool all_scored(const SeedTable& table, std::size_t row) {
    const auto cells = row_of(table, row);
    return std::all_of(cells.begin(), cells.end(), [](const Cell& cell) { return cell.scored(); });
}

std::int64_t cut_of(const SeedTable& table, std::size_t row) {
    const auto cells = row_of(table, row);
    return std::count_if(cells.begin(), cells.end(), [](const Cell& cell) { return cell.state == CellState::truncated; });
}

void add_scores(RunComparison& out) {
    const auto questions = static_cast<double>(out.rows.size());
    const auto total = [](const std::vector<std::int64_t>& counts) {
        return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    };
    out.score_a = total(out.correct_by_question_a) / (questions * static_cast<double>(out.seeds_a));
    out.score_b = total(out.correct_by_question_b) / (questions * static_cast<double>(out.seeds_b));
}

void add_errors(RunComparison& out, const PairedQuestions& paired) {
    const auto questions = static_cast<double>(out.rows.size());
    if (paired.error > 0) out.over_questions = Estimate{out.difference, paired.error, paired.degrees};
    out.within_a = question_variance(out.correct_by_question_a, out.seeds_a).within;
    out.within_b = question_variance(out.correct_by_question_b, out.seeds_b).within;
    if (!out.within_a && !out.within_b) return;
    out.within_borrowed = !out.within_a || !out.within_b;
    if (!out.within_a) out.within_a = out.within_b;
    if (!out.within_b) out.within_b = out.within_a;
    const double sampling = *out.within_a / static_cast<double>(out.seeds_a) + *out.within_b / static_cast<double>(out.seeds_b);
    out.omega2 = std::max(0.0, paired.sd * paired.sd - sampling);
    const double error = std::sqrt(sampling / questions);
    if (error > 0) out.this_test = Estimate{out.difference, error, std::numeric_limits<double>::infinity()};
    const PairedDesign design{*out.omega2, *out.within_a, static_cast<double>(out.seeds_a), *out.within_b, static_cast<double>(out.seeds_b), questions};
    if (design_error(design) > 0) out.detectable = detectable_difference(design, 0.05, 0.80);
}

void add_single_runs(RunComparison& out) {
    if (out.seeds_a != 1 || out.seeds_b != 1) return;
    PairedCells cells;  // of B against A
    for (std::size_t i = 0; i < out.rows.size(); ++i) {
        const bool a = out.correct_by_question_a[i] == 1;
        const bool b = out.correct_by_question_b[i] == 1;
        ++(a ? (b ? cells.both : cells.b_only) : (b ? cells.a_only : cells.neither));
    }
    out.mcnemar = mcnemar(cells.a_only, cells.b_only);
    out.tango = tango(cells, 0.95);
}

void add_exact_tests(RunComparison& out, const RunCounts& a, const RunCounts& b) {
    const auto questions = static_cast<std::int64_t>(out.rows.size());
    out.sign_flip = sign_flip_test(whole_differences(b, a));
    if (questions * out.seeds_b <= longest_lattice / 64) out.within = within_question_test(b.correct, b.seeds, a.correct, a.seeds);
    if (a.seeds < 2 || a.seeds != b.seeds) return;
    if (questions * a.seeds * a.seeds <= longest_lattice) out.flips_p = excess_flips_p(a.correct, b.correct, a.seeds);
}

void add_moved(RunComparison& out) {
    for (std::size_t i = 0; i < out.rows.size(); ++i) {
        MovedQuestion moved{out.rows[i], out.correct_by_question_a[i], out.correct_by_question_b[i], 0, 0, 0};
        if (moved.correct_b * out.seeds_a == moved.correct_a * out.seeds_b) continue;
        moved.change = static_cast<double>(moved.correct_b) / static_cast<double>(out.seeds_b) -
                       static_cast<double>(moved.correct_a) / static_cast<double>(out.seeds_a);
        out.moved.push_back(moved);
    }
    std::stable_sort(out.moved.begin(), out.moved.end(),
                     [](const MovedQuestion& x, const MovedQuestion& y) { return std::fabs(x.change) > std::fabs(y.change); });
}

}  // namespace

RunComparison compare_counts(const RunCounts& a, const RunCounts& b) {
    assert(a.correct.size() == b.correct.size() && a.correct.size() >= 2 && a.seeds >= 1 && b.seeds >= 1);
    RunComparison out;
    out.seeds_a = a.seeds;
    out.seeds_b = b.seeds;
    out.rows.resize(a.correct.size());
    std::iota(out.rows.begin(), out.rows.end(), std::size_t{0});
    out.correct_by_question_a.assign(a.correct.begin(), a.correct.end());
    out.correct_by_question_b.assign(b.correct.begin(), b.correct.end());
    add_scores(out);
    const PairedQuestions paired = paired_questions(b, a);
    out.difference = paired.difference;
    add_errors(out, paired);
    add_single_runs(out);
    if (a.seeds >= 2 && b.seeds >= 2) out.flips = excess_flips(a.correct, a.seeds, b.correct, b.seeds);
    add_moved(out);
    return out;
}

std::optional<RunComparison> compare_runs(const SeedTable& a, const SeedTable& b, ExactTests exact) {
    assert(a.rows() == b.rows());
    if (a.columns() == 0 || b.columns() == 0) return std::nullopt;
    std::vector<std::size_t> rows;
    std::vector<std::size_t> left_out;
    for (std::size_t row = 0; row < a.rows(); ++row) (all_scored(a, row) && all_scored(b, row) ? rows : left_out).push_back(row);
    if (rows.size() < 2) return std::nullopt;
    const auto correct_a = correct_by_question(a, rows);
    const auto correct_b = correct_by_question(b, rows);
    const RunCounts counts_a{correct_a, static_cast<std::int64_t>(a.columns())};
    const RunCounts counts_b{correct_b, static_cast<std::int64_t>(b.columns())};
    RunComparison out = compare_counts(counts_a, counts_b);
    for (MovedQuestion& moved : out.moved) {
        moved.row = rows[moved.row];
        moved.cut_a = cut_of(a, moved.row);
        moved.cut_b = cut_of(b, moved.row);
    }
    out.rows = std::move(rows);
    out.left_out = std::move(left_out);
    if (exact == ExactTests::yes) {
        add_exact_tests(out, counts_a, counts_b);
        out.letters = letter_flips(a, b, out.rows);
    }
    out.truncation = truncation_split(a, b, out.rows);
    return out;
}

}  // namespace assay::statistics
