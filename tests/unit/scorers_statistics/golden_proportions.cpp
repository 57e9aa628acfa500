#include "golden.hpp"
#include "scorers/statistics/binomial_interval.hpp"
#include "scorers/statistics/majority.hpp"
#include "scorers/statistics/pass_at_k.hpp"
#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics::golden {

void add_proportions(Functions& functions) {
    functions["pass_at_k"] = [](const json& in, const json&) { return json{{"value", pass_at_k(in["n"], in["c"], in["k"])}}; };
    functions["pass_hat_k"] = [](const json& in, const json&) { return json{{"value", pass_hat_k(in["n"], in["c"], in["k"])}}; };
    functions["majority_at_k_letters"] = [](const json& in, const json&) {
        const auto m = expected_majority(values<int>(in["counts"]), in["correct_index"], in["none_index"], in["k"]);
        return json{{"uniform", m.uniform}, {"pessimistic", m.pessimistic}, {"optimistic", m.optimistic}};
    };
    functions["binomial_ci"] = [](const json& in, const json&) {
        const double x = in["x"];
        const double n = in["n"];
        const double level = in["level"];
        return json{{"p", x / n},
                    {"wilson", array(wilson(x / n, n, level))},
                    {"clopper_pearson", array(clopper_pearson(x, n, level))},
                    {"jeffreys", array(jeffreys(x, n, level))},
                    {"bayes_uniform", array(uniform_prior(x, n, level))},
                    {"wald", array(wald(x, n, level))}};
    };
    functions["quantiles"] = [](const json&, const json&) {
        return json{{"norm_0.975", normal_quantile(0.975)},
                    {"norm_0.95", normal_quantile(0.95)},
                    {"norm_0.8", normal_quantile(0.8)},
                    {"norm_0.9", normal_quantile(0.9)},
                    {"t_0.975_15", student_t_quantile(0.975, 15)},
                    {"t_0.975_197", student_t_quantile(0.975, 197)},
                    {"t_0.95_197", student_t_quantile(0.95, 197)},
                    {"chi2_sf_25_15", chi_squared_upper(25, 15)}};
    };
}

}  // namespace assay::statistics::golden
