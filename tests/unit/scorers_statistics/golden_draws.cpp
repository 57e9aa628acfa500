#include <cmath>
#include <cstdint>
#include <string>

#include "golden.hpp"
#include "scorers/statistics/bayes_at_n.hpp"
#include "scorers/statistics/confidence_sequences.hpp"
#include "scorers/statistics/g_pass_at_k.hpp"
#include "scorers/statistics/philox.hpp"
#include "scorers/statistics/sums.hpp"

namespace assay::statistics::golden {
namespace {

std::uint64_t hex(const json& text) { return std::stoull(text.get<std::string>(), nullptr, 16); }

json g_pass(const json& in, const json&) {
    const auto hundredths = static_cast<std::int64_t>(std::lround(100 * in["tau"].get<double>()));
    const std::int64_t threshold = g_pass_threshold(hundredths, 100, in["k"]);
    return {{"threshold", threshold}, {"value", g_pass_at_k(in["n"], in["c"], in["k"], threshold)}};
}

json philox(const json& in, const json&) {
    PhiloxBlock counter{};
    for (std::size_t i = 0; i < 4; ++i) counter[i] = static_cast<std::uint32_t>(hex(in["counter"][i]));
    const auto block =
        philox4x32_10(counter, {static_cast<std::uint32_t>(hex(in["key"][0])), static_cast<std::uint32_t>(hex(in["key"][1]))});
    json out = json::array();
    for (const std::uint32_t word : block) {
        std::string text(8, '0');
        for (int i = 0; i < 8; ++i) text[static_cast<std::size_t>(i)] = "0123456789abcdef"[(word >> (28 - 4 * i)) & 0xFU];
        out.push_back(text);
    }
    return {{"out", out}};
}

json philox_engine(const json& in, const json&) {
    const std::uint32_t key = in["key0"];
    return {{"value_10000", philox4x32_10({2499, 0, 0, 0}, {key, 0})[3]}, {"first4", philox4x32_10({0, 0, 0, 0}, {key, 0})}};
}

json indices(const json& in, const json&) {
    const Draws draws(in["seed"], in["stream"], in["replicate"]);
    json idx = json::array();
    for (std::uint32_t i = 0; i < in["count"].get<std::uint32_t>(); ++i) idx.push_back(draws.index(i, in["n"]));
    return {{"idx", idx}};
}

// The plain and Kahan's sums show what the corrected one is for; the exact one is 2, 2 and 1 in these cases.
json sums(const json& in, const json&) {
    const auto x = values<double>(in["values"]);
    double naive = 0;
    double kahan = 0;
    double lost = 0;
    for (const double value : x) {
        naive += value;
        const double corrected = value - lost;
        const double next = kahan + corrected;
        lost = (next - kahan) - corrected;
        kahan = next;
    }
    return {{"naive", naive}, {"kahan", kahan}, {"neumaier", sum(x)}, {"fsum", sum(x)}};
}

json sequence(const json& in, const json&) {
    const EmpiricalBernstein settings{in["alpha"], in["truncation"], in["prior_mean"], in["prior_variance"], in["fake_obs"]};
    json lower = json::array();
    json upper = json::array();
    for (const Interval& interval : empirical_bernstein_sequence(values<double>(in["x"]), settings)) {
        lower.push_back(interval.low);
        upper.push_back(interval.high);
    }
    return {{"lower", lower}, {"upper", upper}};
}

}  // namespace

void add_draws(Functions& functions) {
    functions["g_pass_at_k"] = g_pass;
    functions["mg_pass_at_k"] = [](const json& in, const json&) { return json{{"value", mg_pass_at_k(in["n"], in["c"], in["k"])}}; };
    functions["strict_majority_at_k"] = [](const json& in, const json&) {
        return json{{"value", strict_majority_at_k(in["n"], in["c"], in["k"])}};
    };
    functions["bayes_at_n"] = [](const json& in, const json&) {
        const auto correct = values<std::int64_t>(in["correct"]);
        std::int64_t total = 0;
        for (const std::int64_t c : correct) total += c;
        const BayesAtN uniform = bayes_at_n(correct, in["k"], 1);
        return json{{"mu", uniform.mean},
                    {"sigma", uniform.sd},
                    {"mu_jeffreys", bayes_at_n(correct, in["k"], 0.5).mean},
                    {"avg", static_cast<double>(total) / (in["k"].get<double>() * static_cast<double>(correct.size()))}};
    };
    functions["bayes_at_n_bias"] = [](const json& in, const json&) {
        // 2945 of 3168: any table with that total has this posterior mean.
        std::vector<std::int64_t> correct(198, 16);
        for (std::size_t q = 0; q < 13; ++q) correct[q] = 0;
        correct[13] = 1;
        const double mean = bayes_at_n(correct, in["k"], 1).mean;
        return json{{"bayes_mean", mean}, {"shift_pct", 100 * (mean - in["mean"].get<double>())}};
    };
    functions["philox4x32_10"] = philox;
    functions["philox4x32_std10000"] = philox_engine;
    functions["bootstrap_indices"] = indices;
    functions["uniform01"] = [](const json& in, const json&) {
        json u = json::array();
        for (const json& word : in["u64"]) u.push_back(uniform_of(hex(word)));
        return json{{"u", u}};
    };
    functions["compensated_sum"] = sums;
    functions["beta_binomial_cs"] = [](const json& in, const json&) {
        const std::int64_t s = in["successes"];
        const std::int64_t f = in["failures"];
        const Interval interval = beta_binomial_sequence(s, f, in["alpha"], in["a"], in["b"]);
        return json{{"lo", interval.low},
                    {"hi", interval.high},
                    {"log_e_at_0_9", log_e_value(s, f, 0.9, in["a"], in["b"])},
                    {"log_e_at_0_8", log_e_value(s, f, 0.8, in["a"], in["b"])}};
    };
    functions["ppr_wor_cs"] = [](const json& in, const json&) {
        const std::int64_t n = in["N"];
        const CountRange range = without_replacement_sequence(n, in["successes"], in["failures"], in["alpha"]);
        return json{{"lo_count", range.low},
                    {"hi_count", range.high},
                    {"lo", static_cast<double>(range.low) / static_cast<double>(n)},
                    {"hi", static_cast<double>(range.high) / static_cast<double>(n)}};
    };
    functions["asymptotic_cs"] = [](const json& in, const json&) {
        const auto s = asymptotic_sequence(in["t"], in["sd"], in["alpha"], in["t_opt"]);
        return json{{"rho", s.rho}, {"halfwidth", s.half_width}};
    };
    functions["predmix_eb_cs"] = sequence;
}

}  // namespace assay::statistics::golden
