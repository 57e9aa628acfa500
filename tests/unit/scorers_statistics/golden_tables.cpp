// The cases on whole tables: the two synthetic fixtures of 198 questions by 16 seeds.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "golden.hpp"
#include "scorers/statistics/agreement.hpp"
#include "scorers/statistics/cluster_error.hpp"
#include "scorers/statistics/exact_bootstrap.hpp"
#include "scorers/statistics/exact_tests.hpp"
#include "scorers/statistics/g_pass_at_k.hpp"
#include "scorers/statistics/mcnemar.hpp"
#include "scorers/statistics/paired_questions.hpp"
#include "scorers/statistics/pass_at_k.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/question_interval.hpp"
#include "scorers/statistics/question_variance.hpp"
#include "scorers/statistics/seed_spread.hpp"
#include "scorers/statistics/student_t.hpp"

namespace assay::statistics::golden {
namespace {

constexpr std::int64_t kSeeds = 16;

std::vector<std::int64_t> correct_by_seed(const json& table) {
    std::vector<std::int64_t> by_seed(kSeeds, 0);
    for (const json& row : table) {
        const auto text = row.get<std::string>();
        for (std::size_t s = 0; s < text.size(); ++s) by_seed[s] += text[s] == '1' ? 1 : 0;
    }
    return by_seed;
}

std::vector<double> shares(const std::vector<std::int64_t>& correct) {
    std::vector<double> x;
    for (const std::int64_t c : correct) x.push_back(static_cast<double>(c) / kSeeds);
    return x;
}

template <class F>
double mean_over_questions(const std::vector<std::int64_t>& correct, const F& f) {
    double sum = 0;
    for (const std::int64_t c : correct) sum += f(c);
    return sum / static_cast<double>(correct.size());
}

json bootstrap(const std::vector<std::int64_t>& values, double unit) {
    const ExactBootstrap b = exact_bootstrap(values, 0.95);
    return {{"z0", b.z0},
            {"acc", b.acceleration},
            {"percentile", {b.percentile.low / unit, b.percentile.high / unit}},
            {"alpha1", b.alpha_low},
            {"alpha2", b.alpha_high},
            {"bca", {b.bca.low / unit, b.bca.high / unit}},
            {"boot_se", b.standard_error / unit}};
}

json table_stats(const json& in, const json& fixtures) {
    const json& table = fixtures[in["table"].get<std::string>()];
    const auto correct = correct_of(table);
    const auto by_seed = correct_by_seed(table);
    const QuestionVariance v = question_variance(correct, kSeeds);
    const QuestionInterval headline = question_interval(correct, kSeeds, 0.95);
    const CochranQ cochran = *cochran_q(correct, by_seed);
    const auto x = shares(correct);
    const auto subdomain = values<int>(fixtures["subdomain"]);
    const StratifiedError strata = stratified_error(x, values<int>(fixtures["domain"]));
    std::vector<int> right;
    for (const json& row : table) {
        for (const char c : row.get<std::string>()) right.push_back(c == '1' ? 1 : 0);
    }
    json pass_at;
    json pass_hat;
    json strict;
    for (const int k : {1, 2, 4, 8, 16}) {
        pass_at[std::to_string(k)] = mean_over_questions(correct, [&](std::int64_t c) { return pass_at_k(kSeeds, c, k); });
        pass_hat[std::to_string(k)] = mean_over_questions(correct, [&](std::int64_t c) { return pass_hat_k(kSeeds, c, k); });
    }
    for (const int k : {1, 3, 5, 16}) {
        strict[std::to_string(k)] = mean_over_questions(correct, [&](std::int64_t c) { return strict_majority_at_k(kSeeds, c, k); });
    }
    const auto always_right = std::count(correct.begin(), correct.end(), kSeeds);
    const auto always_wrong = std::count(correct.begin(), correct.end(), 0);
    return {{"avg_at_16", v.mean},
            {"question_se", v.standard_error},
            {"t_ci", array(t_interval_of(v.mean, v.standard_error, 197, 0.95))},
            {"wilson_neff", {{"n_eff_adj", headline.n_used}, {"lo", headline.interval.low}, {"hi", headline.interval.high}}},
            {"within_W", *v.within},
            {"between", *v.between},
            {"var_question_means", v.of_means},
            {"icc", *v.icc},
            {"fleiss_kappa", *agreement(correct, kSeeds).kappa},
            {"flip_rate", agreement(correct, kSeeds).flip_rate},
            {"se_fixed", *v.fixed_error},
            {"seed_sd", seed_spread(by_seed, 198, 0.95).sd},
            {"cochran_q", cochran.q},
            {"cochran_p", cochran.p},
            {"pass_at", pass_at},
            {"pass_hat", pass_hat},
            {"strict_maj", strict},
            {"mg_pass_8", mean_over_questions(correct, [](std::int64_t c) { return mg_pass_at_k(kSeeds, c, 8); })},
            {"exact_bootstrap", bootstrap(correct, kSeeds)},
            {"se_cr1_subdomain", cluster_error(x, subdomain).cr1},
            {"n_subdomains", std::set<int>(subdomain.begin(), subdomain.end()).size()},
            {"se_stratified_domain", strata.error},
            {"domain_means", strata.means},
            {"pigeonhole_se", std::sqrt(pigeonhole_variance(right, kSeeds))},
            {"n_always_right", always_right},
            {"n_always_wrong", always_wrong},
            {"n_unstable", static_cast<std::int64_t>(correct.size()) - always_right - always_wrong}};
}

json within_question(const WithinQuestionTest& test) {
    return {{"obs", test.observed},         {"mean", test.mean},           {"var", test.variance},
            {"p_less", test.p_less},        {"p_greater", test.p_greater}, {"p_two_sided_dist", test.p_two_sided}};
}

json paired_table(const json& in, const json& fixtures) {
    const auto a = correct_of(fixtures[in["tables"][0].get<std::string>()]);
    const auto b = correct_of(fixtures[in["tables"][1].get<std::string>()]);
    const RunCounts run_a{a, kSeeds};
    const RunCounts run_b{b, kSeeds};
    const PairedQuestions p = paired_questions(run_a, run_b);
    const Estimate over_questions{p.difference, p.error, p.degrees};
    const Estimate this_test{p.difference, *p.this_test, std::numeric_limits<double>::infinity()};
    const auto d = whole_differences(run_a, run_b);
    const SignFlipTest flips = sign_flip_test(d);
    const ExcessFlips excess = excess_flips(a, kSeeds, b, kSeeds);
    const double t = p.difference / p.error;
    json margins;
    for (const char* margin : {"0.01", "0.02", "0.03"}) {
        margins[margin] = {{"p_super", p_above(over_questions, -std::stod(margin))}, {"p_fixed", p_above(this_test, -std::stod(margin))}};
    }
    return {{"diff", p.difference},
            {"se_question", p.error},
            {"t", t},
            {"p_t", student_t_two_sided(t, p.degrees)},
            {"signflip_exact_two_sided", flips.p_two_sided},
            {"signflip_exact_p_B_greater", flips.p_greater},
            {"se_fixed", *p.this_test},
            {"strat_perm", within_question(within_question_test(a, kSeeds, b, kSeeds))},
            {"ni", margins},
            {"lower95_super", lower_bound(over_questions, 0.95)},
            {"lower95_fixed", lower_bound(this_test, 0.95)},
            {"ci90_super", array(two_sided_interval(over_questions, 0.9))},
            {"exact_bootstrap", bootstrap(d, kSeeds)},
            {"omega2", *p.omega2},
            {"cross_flip", excess.cross},
            {"excess_flip", excess.excess},
            {"corr", p.correlation}};
}

json one_vs_rest(const json& in, const json& fixtures) {
    const std::size_t seed = in["seed"];
    std::vector<std::int64_t> one;
    std::vector<std::int64_t> rest;
    for (const json& row : fixtures[in["table"].get<std::string>()]) {
        const auto text = row.get<std::string>();
        one.push_back(text[seed] == '1' ? 1 : 0);
        rest.push_back(std::count(text.begin(), text.end(), '1') - one.back());
    }
    const WithinQuestionTest test = within_question_test(one, 1, rest, kSeeds - 1);
    const QuestionVariance v = question_variance(rest, kSeeds - 1);
    const double questions = static_cast<double>(one.size());
    const double share = static_cast<double>(test.observed) / questions;
    const double z = (share - v.mean) / std::sqrt(*v.within / questions * (1 + 1.0 / (kSeeds - 1)));
    json out = within_question(test);
    out["z_within"] = z;
    out["p_z"] = 2 * normal_upper(std::fabs(z));
    return out;
}

json columns_mcnemar(const json& in, const json& fixtures) {
    const json& a = fixtures[in["tables"][0].get<std::string>()];
    const json& b = fixtures[in["tables"][1].get<std::string>()];
    const std::size_t seed = in["seed"];
    int a_only = 0;
    int b_only = 0;
    for (std::size_t q = 0; q < a.size(); ++q) {
        const bool in_a = a[q].get<std::string>()[seed] == '1';
        const bool in_b = b[q].get<std::string>()[seed] == '1';
        a_only += in_a && !in_b ? 1 : 0;
        b_only += in_b && !in_a ? 1 : 0;
    }
    return {{"b", a_only}, {"c", b_only}, {"p", mcnemar(a_only, b_only).p_two_sided}};
}

// numpy's default quantile over all equally likely resamples, from their exact distribution.
double linear_quantile(const Lattice& sums, double resamples, double p) {
    const double position = p * (resamples - 1);
    const auto value_at = [&](double rank) { return static_cast<double>(sums.quantile((rank + 0.5) / resamples)); };
    const double below = std::floor(position);
    return value_at(below) + (position - below) * (value_at(below + 1) - value_at(below));
}

json bca(const json& in, const json&) {
    const auto x = values<std::int64_t>(in["values"]);
    const double n = static_cast<double>(x.size());
    const ExactBootstrap b = exact_bootstrap(x, in["level"]);
    const double resamples = std::pow(n, n);
    std::int64_t total = 0;
    for (const std::int64_t value : x) total += value;
    return {{"mean", static_cast<double>(total) / n},
            {"n_resamples", resamples},
            {"less", b.sums.below(total) * resamples},
            {"equal", b.sums.at(total) * resamples},
            {"z0", b.z0},
            {"acceleration", b.acceleration},
            {"alpha1", b.alpha_low},
            {"alpha2", b.alpha_high},
            {"percentile_inv", array(b.percentile)},
            {"bca_inv", array(b.bca)},
            {"bca_linear", {linear_quantile(b.sums, resamples, b.alpha_low) / n, linear_quantile(b.sums, resamples, b.alpha_high) / n}},
            {"boot_se", b.standard_error}};
}

}  // namespace

void add_tables(Functions& functions) {
    functions["table_stats"] = table_stats;
    functions["paired_table"] = paired_table;
    functions["one_vs_rest"] = one_vs_rest;
    functions["mcnemar_from_columns"] = columns_mcnemar;
    functions["bca_mean_enumerated"] = bca;
}

}  // namespace assay::statistics::golden
