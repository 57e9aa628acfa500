#include "runners/drivers/stop_watch.hpp"

#include <algorithm>
#include <numeric>

#include "runners/drivers/judging.hpp"
#include "scorers/statistics/columns.hpp"
#include "scorers/statistics/counts.hpp"
#include "scorers/statistics/early_stop.hpp"
#include "scorers/statistics/gate.hpp"

namespace assay::runners {
namespace {

using runs::Look;
using statistics::GateLook;
using statistics::GateVerdict;

Look without_figures(std::string rule, std::vector<int> seeds, std::string_view decision) {
    Look look;
    look.rule = std::move(rule);
    look.seeds = std::move(seeds);
    look.decision = decision;
    return look;
}

void measure_precision(Look& look, const statistics::SeedTable& table, double wished, bool is_last) {
    std::vector<std::int64_t> correct;
    for (std::size_t column = 0; column < table.columns(); ++column) {
        const std::vector<std::size_t> one{column};
        correct.push_back(statistics::correct_by_seed_of(table, one).front());
    }
    look.bound = wished;
    std::vector<std::size_t> rows(table.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    look.half_width = statistics::half_width_of_this_test(correct, statistics::correct_by_question(table, rows));
    const bool met = *look.half_width <= wished;
    look.decision = met ? runs::decision::stop : is_last ? runs::decision::end : runs::decision::go_on;
}

void measure_gate(Look& look, const statistics::SeedTable& reference, const statistics::SeedTable& table, double margin, bool is_last) {
    look.bound = margin;
    look.decision = is_last ? runs::decision::end : runs::decision::go_on;
    const auto gate = statistics::gate_with_unscored(reference, table, margin, is_last ? GateLook::last : GateLook::interim);
    if (!gate) return;  // fewer than two questions
    look.lower = gate->lower;
    look.upper = gate->upper;
    look.level = gate->level;
    look.verdict = statistics::to_string(gate->verdict);
    if (gate->verdict != GateVerdict::inconclusive) look.decision = runs::decision::stop;
}

}  // namespace

StopWatch::StopWatch(StopRule rule, std::optional<statistics::SeedTable> reference, const questions::QuestionSet& set)
    : rule_(std::move(rule)), reference_(std::move(reference)), set_(set) {}

void StopWatch::judged(const runs::AttemptKey& key, statistics::Cell cell) {
    if (!cell.scored()) return;
    const std::lock_guard lock(mutex_);
    if (cells_.emplace(key, std::move(cell)).second) ++scored_[key.seed];
}

bool StopWatch::is_whole(int seed) const {
    const auto found = scored_.find(seed);
    return found != scored_.end() && found->second == set_.questions.size();
}

// The seeds that always count, where this rule was begun before and is still in force; and the looks made since.
std::optional<std::size_t> StopWatch::base_on_record(const std::vector<Look>& earlier) {
    for (auto look = earlier.rbegin(); look != earlier.rend(); ++look) {
        if (look->decision == runs::decision::lifted || look->rule != rule_.text) return std::nullopt;
        if (look->decision == runs::decision::begin) {
            order_ = look->seeds;
            return order_.size();
        }
        made_.emplace(look->seeds, *look);
    }
    return std::nullopt;
}

std::vector<Look> StopWatch::open(const std::vector<Look>& earlier, const std::vector<int>& seeds) {
    std::vector<Look> to_record;
    if (!earlier.empty() && earlier.back().decision == runs::decision::stop) {
        if (earlier.back().rule == rule_.text) {
            last_ = stopped_ = earlier.back();
            return {};
        }
        to_record.push_back(without_figures(earlier.back().rule, earlier.back().seeds, runs::decision::lifted));
    }
    const std::lock_guard lock(mutex_);
    std::optional<std::size_t> base;
    if (to_record.empty()) base = base_on_record(earlier);
    if (!base) {
        made_.clear();
        order_.clear();
        for (const auto& [seed, count] : scored_) {
            if (is_whole(seed)) order_.push_back(seed);
        }
        base = order_.size();
        to_record.push_back(without_figures(rule_.text, order_, runs::decision::begin));
    }
    for (const int seed : seeds) {
        if (std::find(order_.begin(), order_.end(), seed) == order_.end()) order_.push_back(seed);
    }
    const int first = rule_.margin ? statistics::first_look_for_gate : statistics::first_look_for_precision;
    next_ = std::max(*base, std::min(static_cast<std::size_t>(first), order_.size()));
    return to_record;
}

Look StopWatch::look_after(std::size_t seeds) const {
    Look look;
    look.rule = rule_.text;
    look.seeds.assign(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(seeds));
    std::sort(look.seeds.begin(), look.seeds.end());
    statistics::SeedTable table = empty_table(set_, look.seeds);
    for (const auto& [key, cell] : cells_) {
        if (statistics::Cell* place = cell_at(table, key)) *place = cell;
    }
    const bool is_last = seeds == order_.size();
    if (rule_.margin) measure_gate(look, *reference_, table, *rule_.margin, is_last);
    else measure_precision(look, table, *rule_.half_width, is_last);
    return look;
}

std::vector<Look> StopWatch::due() {
    std::vector<Look> looks;
    const std::lock_guard lock(mutex_);
    for (; !stopped_ && next_ >= 1 && next_ <= order_.size(); ++next_) {
        if (!std::all_of(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(next_), [&](int seed) { return is_whole(seed); })) break;
        if (next_ < 2 && !rule_.margin) continue;  // one seed has no spread
        Look look = look_after(next_);
        const auto known = made_.find(look.seeds);
        if (known == made_.end()) looks.push_back(look);
        last_ = known == made_.end() ? look : known->second;
        if (last_->decision == runs::decision::stop) stopped_ = last_;
    }
    return looks;
}

std::optional<Look> lifted_stop(const std::vector<Look>& earlier, const std::vector<int>& seeds) {
    if (earlier.empty() || earlier.back().decision != runs::decision::stop) return std::nullopt;
    const std::vector<int>& inside = earlier.back().seeds;
    const bool beyond = std::any_of(seeds.begin(), seeds.end(), [&](int seed) { return !std::binary_search(inside.begin(), inside.end(), seed); });
    return beyond ? std::optional(without_figures(earlier.back().rule, inside, runs::decision::lifted)) : std::nullopt;
}

}  // namespace assay::runners
