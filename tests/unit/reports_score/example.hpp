// A run's summary to render: 198 questions by 16 seeds with published per-seed counts. The remaining figures are made
// up, and consistent with each other where a reader could check.
#pragma once

#include "reports/score/score_report.hpp"

namespace assay::reports {

inline RunHeader example_header() {
    RunHeader header;
    header.tool_version = "0.1.0";
    header.run = "runs/k3-nvfp4";
    header.source = "journal";
    header.plan.dataset_name = "gpqa:diamond";
    header.plan.dataset_rows = 198;
    header.plan.dataset_sha256 = std::string(64, 'd');
    header.plan.prompts_sha256 = std::string(64, 'e');
    header.plan.protocol = "nemo";
    header.plan.model = "moonshotai/Kimi-K3";
    header.plan.sampling = {0.6, 0.95, 0, "high", ""};
    header.plan.budget = 65536;
    header.plan.budget_field = "max_tokens";
    header.plan_hash = "5f0c9a1b77de" + std::string(52, '0');
    header.extractor = "nemo-v3";
    header.endpoint = "http://10.0.0.7:30000/v1";
    header.effort = Effort{3201, 33, 20, {{"dropped", 20}, {"server_error", 13}}, 2, 1796000251.0, 1796016000.5};
    return header;
}

// Seed 0 against the other fifteen published counts; what needs the table behind them is made up.
inline statistics::GreedySeed published_greedy_seed() {
    statistics::GreedySeed g;
    g.seed = 0;
    g.sampled_seeds = 15;
    g.correct = 190;
    g.score = 190.0 / 198;
    g.sampled_mean = 0.927609427609;
    g.sampled_sd = 0.009858567594;
    g.distance_sd = (g.score - g.sampled_mean) / g.sampled_sd;
    g.prediction = statistics::PredictionTest{3.136, 14, 0.0073, 0.0625, 0.0625};
    g.expected = {0.905771, 0.949448};
    g.within_questions = statistics::WithinQuestionTest{190, 183.9, 5.7, 0.008, 0.997, 0.012};
    g.over_questions = statistics::Interval{0.8955, 0.9504};
    g.this_test = {0.92215, 0.933069};
    return g;
}

inline statistics::Summary example_summary() {
    statistics::Summary s;
    s.questions = 198;
    s.seeds = 16;
    s.full = true;
    constexpr int correct[] = {190, 185, 182, 181, 184, 185, 180, 186, 183, 181, 186, 183, 184, 186, 185, 184};
    for (int seed = 0; seed < 16; ++seed) {
        statistics::Counts c;
        c.attempts = c.scored = c.tokens_known = 198;
        c.correct = correct[seed];
        c.truncated = seed == 0 ? 0 : seed < 4 ? 2 : 1;
        c.complete = 198 - c.truncated;
        c.no_answer = seed % 3 == 0 ? c.truncated : 1;
        c.truncated_answered = seed == 1 || seed == 2 ? 1 : 0;
        c.completion_tokens = 198 * (9000 + 17 * seed);
        s.per_seed.push_back({seed, c});
        s.total.attempts += c.attempts;
        s.total.scored += c.scored;
        s.total.correct += c.correct;
        s.total.no_answer += c.no_answer;
        s.total.complete += c.complete;
        s.total.truncated += c.truncated;
        s.total.truncated_answered += c.truncated_answered;
        s.total.tokens_known += c.tokens_known;
        s.total.completion_tokens += c.completion_tokens;
    }
    s.pass_at_1 = s.total.score();
    s.bounds = statistics::Interval{*s.pass_at_1, *s.pass_at_1};
    s.over_questions = statistics::Interval{0.8976, 0.9517};
    s.n_eff = 347.3;
    s.standard_error_questions = 0.01373;
    s.domains_fixed = statistics::QuestionInterval{{0.8981, 0.9513}, 352.1, 348.6};
    s.seed_sd = 0.012435426517;
    s.seed_se = 0.003108856629;
    s.this_test = statistics::Interval{0.922982, 0.936235};
    s.one_more_run = statistics::Interval{0.90229, 0.95693};
    for (int k = 1; k <= 16; ++k)
        s.at_k.push_back({k, 0.93 + 0.0028 * k, 0.93, k < 2 ? std::nullopt : std::optional<double>(0.94), 0.93 - 0.003 * k, 0.93, 0.93 - 0.001 * k,
                          0.92, k < 2 ? std::nullopt : std::optional(statistics::ExpectedMajority{0.935, 0.934, 0.936})});
    s.never_solved = 5;
    s.never_solved_questions = {3, 41, 77, 150, 197};
    s.unstable = 3;
    s.unstable_questions = {8, 9, 120};
    s.truncation_ceiling = static_cast<double>(s.total.truncated) / 3168.0;
    statistics::TruncationLosses& cut = s.truncation;
    cut.truncated = s.total.truncated;
    cut.with_letter = s.total.truncated_answered;
    cut.without_letter = cut.truncated - cut.with_letter;
    cut.in_thinking = cut.without_letter;
    cut.in_answer = cut.with_letter;
    cut.cut_below_budget = 3;
    cut.lowest_cut = cut.highest_cut = 32768;
    cut.on_finished = 2945.0 / static_cast<double>(3168 - cut.truncated);
    cut.bounds = statistics::Interval{2945.0 / 3168, static_cast<double>(2945 + cut.without_letter) / 3168};
    cut.true_score = statistics::Interval{0.9068, 0.9557};
    cut.recovery = statistics::Recovery{2945.0 / 3168, 0.0035, 2945.0 / 3168 + 0.0035, cut.bounds->high};
    statistics::SeedAgreement& seeds = s.agreement;
    seeds.sampled_seeds = 15;
    seeds.agreement = statistics::Agreement{0.0612, 0.532, 0.531, 0.944, 0.557, 0.0306};
    seeds.cochran = statistics::CochranQ{9.87, 14, 0.772};
    seeds.p_as_alike = 0.228;
    seeds.difficulty = statistics::BetaBinomial{0.819, 0.062, -310.2};
    seeds.copies = 4;
    seeds.texts = 3168;
    seeds.most_alike = statistics::CopiedSeeds{3, 7, 2, 198};
    s.greedy = published_greedy_seed();
    const auto group = [](const char* name, int questions, std::int64_t right, statistics::Interval interval) {
        statistics::GroupRow row;
        row.name = name;
        row.questions = questions;
        row.counts.attempts = row.counts.scored = row.counts.complete = questions * 16;
        row.counts.correct = right;
        row.over_questions = interval;
        return row;
    };
    s.per_domain = {group("Physics", 86, 1320, {0.912, 0.982}), group("Chemistry", 93, 1352, {0.852, 0.948}),
                    group("Biology", 19, 273, {0.69, 0.976})};
    s.per_subdomain = {group("Quantum Mechanics", 25, 390, {0.87, 0.99}), group("Genetics", 4, 50, {0.3, 0.97})};
    return s;
}

// The same run while six attempts were given up and eight not tried yet.
inline statistics::Summary example_with_holes() {
    statistics::Summary s = example_summary();
    s.full = false;
    statistics::Counts& c = s.per_seed[15].counts;
    c = {};
    c.attempts = 198;
    c.scored = c.complete = 184;
    c.correct = 170;
    c.no_answer = 3;
    c.empty = 1;
    c.answer_in_reasoning = 2;
    c.complete = 181;
    c.unscored = 6;
    c.missing = 8;
    s.total.scored -= 14;
    s.total.unscored = 6;
    s.total.missing = 8;
    s.total.complete -= 16;
    s.total.empty = 1;
    s.total.answer_in_reasoning = 2;
    s.total.truncated -= 1;
    s.total.correct -= 14;
    s.total.no_answer += 2;
    s.total.tokens_known -= 198;
    s.total.completion_tokens -= 198 * (9000 + 17 * 15);
    s.pass_at_1 = s.total.score();
    s.bounds = statistics::Interval{2931.0 / 3168, 2945.0 / 3168};
    s.over_questions.reset();
    s.n_eff.reset();
    s.domains_fixed.reset();
    s.seed_sd.reset();
    s.this_test.reset();
    s.one_more_run.reset();
    s.at_k.clear();
    for (statistics::GroupRow& row : s.per_domain) row.over_questions.reset();
    s.truncation_ceiling = 17.0 / 3154;
    s.truncation.true_score.reset();
    s.truncation.recovery.reset();
    s.agreement.agreement.reset();
    s.agreement.cochran.reset();
    s.agreement.difficulty.reset();
    s.greedy.reset();
    s.unscored_by_reason = {{"server_error", 4}, {"timeout", 2}};
    return s;
}

}  // namespace assay::reports
