#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "harness/error.hpp"
#include "reports/nemo/nemo_metrics.hpp"
#include "reports/nemo/numpy.hpp"
#include "reports/nemo/pass_at_k.hpp"

namespace assay::reports {
namespace {

// The rows of one question, one a run, in the order of the runs.
using Predictions = std::vector<const NemoRow*>;

// Rows by runs of one score, as doubles; all of them are whole numbers, so that sums along a row or a run are exact.
using Scores = std::vector<std::vector<double>>;

struct Answers {
    std::vector<std::int64_t> first_correct;  // [k]: right among the first k
    std::vector<std::int64_t> first_silent;   // [k]: without an answer among the first k
};

Answers counted_answers(const Predictions& row) {
    Answers out;
    out.first_correct.push_back(0);
    out.first_silent.push_back(0);
    for (const NemoRow* prediction : row) {
        out.first_correct.push_back(out.first_correct.back() + (prediction->correct ? 1 : 0));
        out.first_silent.push_back(out.first_silent.back() + (prediction->predicted_answer ? 0 : 1));
    }
    return out;
}

// Of the pairs (answer, correct) with the most votes among the first k: the share that is correct.
double majority_score(const Predictions& row, std::size_t k) {
    std::map<std::pair<std::string, bool>, int> votes;
    for (std::size_t i = 0; i < k; ++i)
        if (row[i]->predicted_answer) ++votes[{*row[i]->predicted_answer, row[i]->correct}];
    int most = 0;
    for (const auto& [pair, count] : votes) most = std::max(most, count);
    int tied = 0;
    int correct = 0;
    for (const auto& [pair, count] : votes) {
        if (count != most) continue;
        tied += 1;
        correct += pair.second ? 1 : 0;
    }
    return tied == 0 ? 0 : static_cast<double>(correct) / tied;
}

// One calculator of the source: everything that is added up row by row.
class Calculator {
public:
    explicit Calculator(std::size_t runs) : runs_(runs), pass_(runs + 1), average_(runs + 1), majority_(runs + 1) {}

    void add(const Predictions& row);
    [[nodiscard]] std::vector<NemoMode> modes() const;

private:
    struct Sums {
        double correct = 0;
        double no_answer = 0;
    };

    void add_tokens(const Predictions& row);
    void add_times(const Predictions& row);
    [[nodiscard]] NemoMode mode(std::string name, const Sums& sums) const;
    [[nodiscard]] NemoStatistics statistics(const Scores& scores, std::size_t k) const;

    std::size_t runs_;
    std::int64_t rows_ = 0;
    double tokens_ = 0;  // sum over rows of the mean over runs
    double first_start_ = std::numeric_limits<double>::infinity();
    double last_end_ = -std::numeric_limits<double>::infinity();
    std::vector<Sums> pass_, average_, majority_;  // [k]
    Scores reasoning_tokens_, answer_tokens_, correct_;
};

void Calculator::add_tokens(const Predictions& row) {
    std::int64_t generated = 0;
    std::vector<double> reasoning;
    std::vector<double> answer;
    for (const NemoRow* prediction : row) {
        generated += prediction->generated_tokens.value_or(0);
        const std::int64_t thought = prediction->reasoning_tokens.value_or(0);
        std::int64_t said = prediction->answer_tokens.value_or(0);
        // Without a split all tokens count as the answer's.
        if (thought == 0 && said == 0 && prediction->generated_tokens) said = *prediction->generated_tokens;
        reasoning.push_back(static_cast<double>(thought));
        answer.push_back(static_cast<double>(said));
    }
    tokens_ += static_cast<double>(generated) / static_cast<double>(runs_);
    reasoning_tokens_.push_back(std::move(reasoning));
    answer_tokens_.push_back(std::move(answer));
}

// A row without any start is passed over, its ends with it.
void Calculator::add_times(const Predictions& row) {
    const auto started = [](const NemoRow* prediction) { return prediction->started_unix_s.has_value(); };
    if (std::none_of(row.begin(), row.end(), started)) return;
    for (const NemoRow* prediction : row) {
        if (prediction->started_unix_s) first_start_ = std::min(first_start_, *prediction->started_unix_s);
        if (prediction->ended_unix_s) last_end_ = std::max(last_end_, *prediction->ended_unix_s);
    }
}

void Calculator::add(const Predictions& row) {
    rows_ += 1;
    add_tokens(row);
    add_times(row);

    std::vector<double> scores;
    for (const NemoRow* prediction : row) scores.push_back(prediction->correct ? 1 : 0);
    correct_.push_back(std::move(scores));

    const Answers answers = counted_answers(row);
    const auto all_correct = static_cast<int>(answers.first_correct.back());
    for (std::size_t k = 1; k <= runs_; ++k) {
        const auto drawn = static_cast<double>(k);
        const bool silent = answers.first_silent[k] == static_cast<std::int64_t>(k);
        pass_[k].correct += nemo_pass_at_k(static_cast<int>(runs_), all_correct, static_cast<int>(k));
        pass_[k].no_answer += silent ? 1 : 0;
        average_[k].correct += static_cast<double>(answers.first_correct[k]) / drawn;
        average_[k].no_answer += static_cast<double>(answers.first_silent[k]) / drawn;
        if (k < 2) continue;
        majority_[k].correct += majority_score(row, k);
        majority_[k].no_answer += silent ? 1 : 0;
    }
}

NemoMode Calculator::mode(std::string name, const Sums& sums) const {
    const auto rows = static_cast<double>(rows_);
    NemoMode out;
    out.name = std::move(name);
    out.entries = rows_;
    if (tokens_ > 0) out.avg_tokens = static_cast<std::int64_t>(tokens_ / rows);
    if (std::isfinite(first_start_) && std::isfinite(last_end_))
        out.gen_seconds = static_cast<std::int64_t>(last_end_ - first_start_);
    out.symbolic_correct = 100.0 * sums.correct / rows;
    out.no_answer = 100.0 * sums.no_answer / rows;
    return out;
}

NemoStatistics Calculator::statistics(const Scores& scores, std::size_t k) const {
    std::vector<double> row_means;
    std::vector<double> run_totals(k);
    double deviations = 0;
    for (const std::vector<double>& row : scores) {
        const std::span<const double> first(row.data(), k);
        row_means.push_back(numpy::mean(first));
        for (std::size_t i = 0; i < k; ++i) run_totals[i] += row[i];
        deviations += numpy::standard_deviation(first);
    }
    for (double& total : run_totals) total /= static_cast<double>(scores.size());

    NemoStatistics out;
    out.avg = numpy::mean(row_means);
    out.std_dev_across_runs = numpy::standard_deviation(run_totals);
    out.avg_sample_std_dev = deviations / static_cast<double>(scores.size());
    out.std_err_across_runs = out.std_dev_across_runs / std::sqrt(static_cast<double>(k));
    return out;
}

std::vector<NemoMode> Calculator::modes() const {
    std::vector<NemoMode> out;
    if (rows_ == 0) return out;
    for (std::size_t k = 1; k <= runs_; ++k) {
        out.push_back(mode(fmt::format("pass@{}", k), pass_[k]));
        if (k < 2) continue;  // pass@1[avg-of-1] is pass@1
        NemoMode average = mode(fmt::format("pass@1[avg-of-{}]", k), average_[k]);
        average.statistics = {{"reasoning_tokens", statistics(reasoning_tokens_, k)},
                              {"answer_tokens", statistics(answer_tokens_, k)},
                              {"symbolic_correct", statistics(correct_, k)}};
        out.push_back(std::move(average));
    }
    for (std::size_t k = 2; k <= runs_; ++k) out.push_back(mode(fmt::format("majority@{}", k), majority_[k]));
    return out;
}

std::vector<const NemoRun*> in_file_order(const std::vector<NemoRun>& runs) {
    if (runs.empty()) throw Error("expected at least one run to aggregate, found none");
    std::vector<const NemoRun*> order;
    for (const NemoRun& run : runs) order.push_back(&run);
    std::stable_sort(order.begin(), order.end(), [](const NemoRun* a, const NemoRun* b) { return a->file < b->file; });
    for (const NemoRun* run : order) {
        if (run->rows.size() == order.front()->rows.size()) continue;
        throw Error(
            fmt::format("expected as many rows in {} as in {}, found {} and {}: score the missing questions first",
                        run->file, order.front()->file, run->rows.size(), order.front()->rows.size()));
    }
    return order;
}

}  // namespace

std::vector<NemoGroup> nemo_aggregate(const std::string& benchmark, const std::vector<NemoRun>& runs) {
    const std::vector<const NemoRun*> order = in_file_order(runs);
    const std::string everything = "_all_";  // the source's own name: a subset called so is no subset
    Calculator all(order.size());
    std::vector<std::pair<std::string, Calculator>> subsets;
    for (std::size_t i = 0; i < order.front()->rows.size(); ++i) {
        Predictions row;
        for (const NemoRun* run : order) row.push_back(&run->rows[i]);
        all.add(row);
        const std::string subset = row.front()->subset.value_or(everything);
        if (subset == everything) continue;
        auto found =
            std::find_if(subsets.begin(), subsets.end(), [&](const auto& known) { return known.first == subset; });
        if (found == subsets.end()) found = subsets.insert(subsets.end(), {subset, Calculator(order.size())});
        found->second.add(row);
    }

    std::vector<NemoGroup> groups{{benchmark, all.modes()}};
    for (const auto& [name, calculator] : subsets) groups.push_back({benchmark + "-" + name, calculator.modes()});
    return groups;
}

}  // namespace assay::reports
