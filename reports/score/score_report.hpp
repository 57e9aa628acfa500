// The report of one run: what it scored, how far to trust that, and what went wrong on the way.
//
// Percent in the text has a base of cells that are scored; the JSON has the same numbers as fractions, unrounded,
// with the raw counts. Same inputs, same bytes.
#pragma once

#include <string>

#include "reports/score/run_header.hpp"
#include "reports/terminal/style.hpp"
#include "scorers/statistics/summary.hpp"

namespace assay::reports {

struct Detail {
    bool seeds = true;
    bool domains = true;
    bool subdomains = false;
    bool questions = false;  // the numbers of the questions never solved and unstable
};

// For people. The first line starts with SIMULATED where the endpoint was simulated; then the headline with the
// interval that says how good the model is, the one for this test only, and the one for one more run; then what
// was lost, then seeds and domains. Lines are wrapped to look.width. ASCII but for text from outside, which is
// made visible(). Ends with LF.
[[nodiscard]] std::string score_text(const RunHeader& header, const statistics::Summary& summary, const Look& look,
                                     const Detail& detail = {});

// For programs: one object, "format": "assay.score_report/1", ASCII, indented by two, ended by LF. Keys are always
// there; what is absent or unknown is null.
//
//   run, source, tool_version, simulated, extractor, endpoint, notes
//   plan            hash, dataset, dataset_rows, dataset_sha256, prompts_sha256, protocol, model, sampling
//                   {temperature, top_p, greedy_seed, reasoning_effort, extra_body}, budget, budget_field
//   questions, seeds, full, counts {attempts, scored, correct, no_answer, complete, truncated, truncated_answered,
//                   truncated_correct, answer_in_reasoning, empty, filtered, unscored, missing, tokens_known,
//                   completion_tokens}
//   pass_at_1, bounds {low, high}
//   intervals       over_questions, domains_fixed, this_test, one_more_run: each {low, high, level, method, answers} and its
//                   figures
//   stopping        {rule, decision, seeds, seeds_asked, looks, replies_outside, bound, half_width, lower, upper, level_one_sided,
//                   verdict, coverage_of_this_test}, or null where no rule to stop was given (stopping.hpp)
//   at_k            [{k, pass_at_k, average_of_k, majority_at_k (of the first k seeds, NeMo-Skills'), pass_hat_k, g_pass_at_k
//                   {"0.5", "0.75"}, mg_pass_at_k, expected_majority_at_k {ties_in_part, ties_wrong, ties_right} (over all ways
//                   to draw k)}]: empty where an attempt is without a score
//   never_solved, unstable   {count, questions}
//   truncation_ceiling, unscored_by_reason {name: count}
//   truncation      {truncated, in_thinking, in_answer, with_letter, with_letter_right, without_letter, finished_at_budget,
//                   cut_below_budget, lowest_cut_tokens, highest_cut_tokens, score_on_finished, bounds, true_score,
//                   recovery {recoverable, adjusted, optimistic, method}}
//   agreement       of the sampled seeds {sampled_seeds, flip_rate, icc, kappa, cochran_q {q, degrees, p_runs_differ,
//                   p_as_alike}, beta_binomial {a, b, mean, icc}, copies {copies, texts, most_alike {seeds, same, of}}}
//   greedy          {seed, correct, score, sampled_seeds, sampled_mean, sampled_sd, distance_sd, expected,
//                   prediction_test, within_question_test, without_it {over_questions, this_test}}
//   per_seed        [{seed, greedy, score, counts}]
//   per_domain, per_subdomain   [{name, questions, score, over_questions {low, high, level, method, answers}, counts}]
//   effort          {tries, retries, attempts_retried, failed_tries, processes, work, first_unix_s, last_unix_s}
//                   work: [{session, seconds, mean_in_flight, max_in_flight, target, share_at_target, automatic,
//                   held_by_server_s, held_by_rates_s, held_by_text_s, delay_p50_ms, delay_p99_ms, delay_max_ms,
//                   loop_cpu_share, cpu_share, client_was_the_limit}], one a session: runs::ClientWork
[[nodiscard]] std::string score_json(const RunHeader& header, const statistics::Summary& summary);

}  // namespace assay::reports
