#include <cmath>

#include "golden.hpp"
#include "scorers/statistics/agreement.hpp"
#include "scorers/statistics/beta_binomial.hpp"
#include "scorers/statistics/lognormal_lengths.hpp"
#include "scorers/statistics/question_variance.hpp"
#include "scorers/statistics/survival.hpp"
#include "scorers/statistics/truncation_bounds.hpp"

namespace assay::statistics::golden {
namespace {

std::vector<Length> lengths(const json& in) {
    std::vector<Length> out;
    for (std::size_t i = 0; i < in["tokens"].size(); ++i) out.push_back({in["tokens"][i], in["finished"][i] == 1});
    return out;
}

json survival(const json& in, const json&) {
    const auto steps = kaplan_meier(lengths(in), 0.95);
    json out{{"time", json::array()},         {"at_risk", json::array()},      {"events", json::array()}, {"surv", json::array()},
             {"greenwood_se", json::array()}, {"loglog_ci95", json::array()}};
    for (const SurvivalStep& step : steps) {
        out["time"].push_back(step.tokens);
        out["at_risk"].push_back(step.at_risk);
        out["events"].push_back(step.finished);
        out["surv"].push_back(step.longer);
        out["greenwood_se"].push_back(*step.standard_error);
        out["loglog_ci95"].push_back(array(*step.interval));
    }
    const auto budget = budget_for(steps, 0.25);
    out["median"] = *budget_for(steps, 0.5);
    out["trunc_rate_at_4096"] = share_longer_than(steps, 4096);
    out["smallest_budget_for_rate_0_25"] = budget ? json(*budget) : json(nullptr);
    return out;
}

json agreement_binary(const json& in, const json&) {
    const auto correct = correct_of(in["rows"]);
    const std::size_t seeds = in["rows"][0].get<std::string>().size();
    const auto s = static_cast<std::int64_t>(seeds);
    std::vector<std::int64_t> by_seed(seeds, 0);
    json unstable = json::array();
    json difficulty = json::array();
    json entropy = json::array();
    for (std::size_t q = 0; q < correct.size(); ++q) {
        const auto row = in["rows"][q].get<std::string>();
        for (std::size_t i = 0; i < seeds; ++i) by_seed[i] += row[i] == '1' ? 1 : 0;
        if (correct[q] > 0 && correct[q] < s) unstable.push_back(q);
        difficulty.push_back(1 - static_cast<double>(correct[q]) / static_cast<double>(s));
        entropy.push_back(entropy_bits(correct[q], s));
    }
    const Agreement a = agreement(correct, s);
    const CochranQ cochran = *cochran_q(correct, by_seed);
    const QuestionVariance v = question_variance(correct, s);
    double squares = 0;
    for (const std::int64_t g : by_seed) {
        const double away = static_cast<double>(g) / static_cast<double>(correct.size()) - v.mean;
        squares += away * away;
    }
    return {{"p", v.mean},
            {"within_var_W", *v.within},
            {"flip_rate", a.flip_rate},
            {"fleiss_kappa", *a.kappa},
            {"icc1", *a.icc},
            {"icc1_k", *a.icc_of_means},
            {"msb", a.between_mean_square},
            {"msw", a.within_mean_square},
            {"cochran_q", cochran.q},
            {"cochran_df", cochran.degrees},
            {"cochran_p", cochran.p},
            {"seed_counts", by_seed},
            {"unstable_questions", unstable},
            {"difficulty", difficulty},
            {"entropy_bits", entropy},
            {"var_seed_mean_expected", *v.within / static_cast<double>(correct.size())},
            {"var_seed_mean_observed", squares / static_cast<double>(seeds - 1)}};
}

json fleiss(const json& in, const json&) {
    std::vector<std::int64_t> counts;
    for (const json& row : in["table"]) {
        for (const json& cell : row) counts.push_back(cell);
    }
    return {{"kappa", *fleiss_kappa(counts, static_cast<std::int64_t>(in["table"][0].size()))}};
}

json difficulty_model(const json& in, const json&) {
    const auto correct = values<std::int64_t>(in["correct"]);
    const BetaBinomial fit = *fit_beta_binomial(correct, in["k"]);
    json shrunk = json::array();
    for (const std::int64_t c : correct) shrunk.push_back(fit.shrunk(c, in["k"]));
    return {{"a", fit.a}, {"b", fit.b}, {"mean", fit.mean()}, {"icc", fit.icc()}, {"loglik", fit.log_likelihood}, {"shrunk", shrunk}};
}

}  // namespace

void add_lengths(Functions& functions) {
    functions["kaplan_meier"] = survival;
    functions["lognormal_censored_mle"] = [](const json& in, const json&) {
        const LognormalLengths fit = *fit_lognormal(lengths(in));
        return json{{"mu", fit.mu},
                    {"sigma", fit.sigma},
                    {"loglik", fit.log_likelihood},
                    {"P_trunc_16384", fit.share_longer_than(16384)},
                    {"budget_for_1pct", fit.budget_for(0.01)},
                    {"budget_for_5pct", fit.budget_for(0.05)}};
    };
    functions["beta_binomial_mle"] = difficulty_model;
    functions["manski_bounds"] = [](const json& in, const json&) {
        const ManskiBounds m = manski_bounds(in["correct"], in["truncated_no_answer"], in["total"], 4);
        const double width = m.score.high - m.score.low;
        return json{{"lower", m.score.low},
                    {"upper", m.score.high},
                    {"width", width},
                    {"loss_points_max_pct", 100 * width},
                    {"guess_floor_upper", m.floor}};
    };
    functions["imbens_manski_ci"] = [](const json& in, const json&) {
        const auto im = imbens_manski({in["lower"], in["upper"]}, in["se_lower"], in["se_upper"], in["level"]);
        return json{{"c", im.c}, {"ci", array(im.interval)}};
    };
    functions["truncation_recovery_mar"] = [](const json& in, const json&) {
        const auto r = expected_recovery(values<std::int64_t>(in["correct"]), values<std::int64_t>(in["trunc"]), in["n"]);
        return json{{"observed", r.observed}, {"recoverable_mar", r.recoverable}, {"adjusted", r.adjusted}, {"upper", r.upper}};
    };
    functions["agreement_binary"] = agreement_binary;
    functions["fleiss_kappa"] = fleiss;
    functions["spearman_brown"] = [](const json& in, const json&) { return json{{"reliability", spearman_brown(in["icc"], in["k"])}}; };
    functions["excess_flip_rate"] = [](const json& in, const json&) {
        const auto f = excess_flips(values<std::int64_t>(in["a_correct"]), in["k_a"], values<std::int64_t>(in["b_correct"]), in["k_b"]);
        return json{{"cross_flip", f.cross}, {"self_flip_a", f.self_a}, {"self_flip_b", f.self_b}, {"excess", f.excess}};
    };
}

}  // namespace assay::statistics::golden
