#include <algorithm>
#include <cmath>
#include <numeric>

#include "golden.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_variance.hpp"
#include "scorers/statistics/seed_spread.hpp"
#include "scorers/statistics/student_t.hpp"

namespace assay::statistics::golden {
namespace {

json seed_card(const json& in, const json&) {
    auto counts = values<std::int64_t>(in["counts"]);
    const std::int64_t questions = in["n_questions"];
    const SeedSpread seen = seed_spread(counts, questions, 0.95);
    const ImpliedSpread implied = implied_spread(counts, questions, 0.95);
    std::sort(counts.begin(), counts.end());
    const double n = static_cast<double>(questions);
    const std::size_t half = counts.size() / 2;
    return {{"mean", seen.mean},
            {"mean_pct", 100 * seen.mean},
            {"sd_ddof1", seen.sd},
            {"sd_pct", 100 * seen.sd},
            {"se_seeds", seen.se},
            {"t975_15", two_sided_t(0.95, 15)},
            {"t_ci_lo", seen.this_test.low},
            {"t_ci_hi", seen.this_test.high},
            {"min", static_cast<double>(counts.front()) / n},
            {"max", static_cast<double>(counts.back()) / n},
            {"median", static_cast<double>(counts[half - 1] + counts[half]) / (2 * n)},
            {"pooled_correct", std::accumulate(counts.begin(), counts.end(), std::int64_t{0})},
            {"binomial_sd_of_one_run", implied.binomial_sd},
            {"dispersion_vs_binomial", implied.dispersion},
            {"implied_within_var_W", implied.within},
            {"implied_between_var_plus", implied.between},
            {"implied_kappa", implied.kappa},
            {"implied_flip_rate", implied.flip_rate},
            {"implied_flips_per_pair", implied.flip_rate * n},
            {"implied_var_of_question_means", implied.of_means},
            {"implied_se_question", implied.standard_error},
            {"implied_ci_question_lo", implied.over_questions.low},
            {"implied_ci_question_hi", implied.over_questions.high},
            {"implied_n_eff", implied.n_eff},
            {"ratio_se", implied.standard_error / seen.se}};
}

json prediction(const json& in, const json&) {
    const auto sample = values<double>(in["sample"]);
    const double scale = in["scale"];
    const TInterval t = t_interval(sample, in["level"]);
    const Interval next = t_prediction(t.mean, t.sd, static_cast<double>(sample.size()), in["level"]);
    const PredictionTest test = t_prediction_test(in["new"], sample);
    return {{"mean", t.mean},
            {"sd", t.sd},
            {"t", test.t},
            {"df", test.degrees},
            {"p_two_sided", test.p_two_sided},
            {"pi_lo_count", next.low},
            {"pi_hi_count", next.high},
            {"pi_lo", next.low / scale},
            {"pi_hi", next.high / scale},
            {"perm_p_one_sided", test.rank_p_one_sided},
            {"perm_p_two_sided", test.rank_p_two_sided}};
}

json variance(const json& in, const json&) {
    const auto v = question_variance(values<std::int64_t>(in["correct"]), in["k"]);
    return {{"mean", v.mean},
            {"within", *v.within},
            {"var_question_means", v.of_means},
            {"between", *v.between},
            {"total_single_draw", *v.between + *v.within},
            {"icc", *v.icc},
            {"se", v.standard_error},
            {"se_if_k1", standard_error_with(v, 1)},
            {"se_if_kinf", standard_error_with(v, INFINITY)},
            {"se_fixed_questions", *v.fixed_error},
            {"neff", v.mean * (1 - v.mean) / (v.standard_error * v.standard_error)}};
}

}  // namespace

void add_seeds(Functions& functions) {
    functions["seed_card"] = seed_card;
    functions["t_prediction"] = prediction;
    functions["variance_decomposition"] = variance;
    functions["t_interval"] = [](const json& in, const json&) {
        const TInterval t = t_interval(values<double>(in["values"]), in["level"]);
        return json{{"mean", t.mean}, {"sd", t.sd}, {"se", t.se}, {"tcrit", t.t}, {"lo", t.interval.low}, {"hi", t.interval.high}};
    };
    functions["welch_t"] = [](const json& in, const json&) {
        const TTest test = welch(values<double>(in["a"]), values<double>(in["b"]));
        return json{{"t", test.t}, {"p", test.p_two_sided}, {"df", test.degrees}};
    };
}

}  // namespace assay::statistics::golden
