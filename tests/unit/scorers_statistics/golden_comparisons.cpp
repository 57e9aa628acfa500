#include <cmath>
#include <limits>

#include "golden.hpp"
#include "scorers/statistics/cluster_error.hpp"
#include "scorers/statistics/exact_tests.hpp"
#include "scorers/statistics/grubbs.hpp"
#include "scorers/statistics/mcnemar.hpp"
#include "scorers/statistics/multiplicity.hpp"
#include "scorers/statistics/paired_proportions.hpp"
#include "scorers/statistics/paired_questions.hpp"
#include "scorers/statistics/power.hpp"
#include "scorers/statistics/quantiles.hpp"
#include "scorers/statistics/student_t.hpp"

namespace assay::statistics::golden {
namespace {

json paired_proportion(const json& in, const json&) {
    const PairedCells cells{in["both"], in["a_only"], in["b_only"], in["neither"]};
    const double level = in["level"];
    const double z = tango_z(cells, -in["ni_margin"].get<double>());
    return {{"diff", paired_difference(cells)},
            {"wald", array(paired_wald(cells, level))},
            {"agresti_min", array(agresti_min(cells, level))},
            {"tango95", array(tango(cells, 0.95))},
            {"tango90", array(tango(cells, 0.90))},
            {"newcombe10", array(newcombe(cells, level))},
            {"newcombe_phi", newcombe_phi(cells)},
            {"ni_z_tango", z},
            {"ni_p_one_sided", normal_upper(z)}};
}

json paired_question(const json& in, const json&) {
    const auto a = values<std::int64_t>(in["a_correct"]);
    const auto b = values<std::int64_t>(in["b_correct"]);
    const RunCounts run_a{a, in["k"]};
    const RunCounts run_b{b, in["k"]};
    const PairedQuestions p = paired_questions(run_a, run_b);
    const Estimate e{p.difference, p.error, p.degrees};
    const Interval interval = two_sided_interval(e, 0.95);
    const SignFlipTest flips = sign_flip_test(whole_differences(run_a, run_b));
    return {{"diff", p.difference},
            {"sd", p.sd},
            {"se", p.error},
            {"t", p.difference / p.error},
            {"df", p.degrees},
            {"p", student_t_two_sided(p.difference / p.error, p.degrees)},
            {"lo", interval.low},
            {"hi", interval.high},
            {"signflip_p_two_sided", flips.p_two_sided},
            {"signflip_p_one_sided_A_gt_B", flips.p_greater},
            {"corr", p.correlation},
            {"se_unpaired", p.unpaired_error}};
}

json paired_cluster(const json& in, const json&) {
    const auto a = values<std::int64_t>(in["a_correct"]);
    const auto b = values<std::int64_t>(in["b_correct"]);
    const auto cluster = values<int>(in["cluster"]);
    const double k = in["k"];
    std::vector<double> d;
    std::vector<std::int64_t> by_cluster(static_cast<std::size_t>(cluster.back()) + 1, 0);
    for (std::size_t q = 0; q < a.size(); ++q) {
        d.push_back(static_cast<double>(a[q] - b[q]) / k);
        by_cluster[static_cast<std::size_t>(cluster[q])] += a[q] - b[q];
    }
    const ClusterError e = cluster_error(d, cluster);
    const double t = e.mean / e.cr1;
    return {{"diff", e.mean},
            {"se_cr1", e.cr1},
            {"t", t},
            {"df", e.clusters - 1},
            {"p_t", student_t_two_sided(t, e.clusters - 1)},
            {"cluster_signflip_p_two_sided", sign_flip_test(by_cluster).p_two_sided},
            {"cluster_diff_counts", by_cluster}};
}

json within_question(const json& in, const json&) {
    const auto test = within_question_test(values<std::int64_t>(in["a_correct"]), in["k_a"],
                                           values<std::int64_t>(in["b_correct"]), in["k_b"]);
    return {{"obs", test.observed},
            {"mean", test.mean},
            {"var", test.variance},
            {"p_greater", test.p_greater},
            {"p_less", test.p_less},
            {"p_two_sided_dist", test.p_two_sided},
            {"cmh_z", (static_cast<double>(test.observed) - test.mean) / std::sqrt(test.variance)}};
}

json tost(const json& in, const json&) {
    const auto d = values<double>(in["diffs"]);
    const TInterval t = t_interval(d, 0.9);
    const double low = in["low"];
    const double high = in["upp"];
    const double alpha = in["alpha"];
    const Equivalence e = equivalence({t.mean, t.se, static_cast<double>(d.size()) - 1}, low, high, alpha);
    return {{"t_lower", e.t_low},
            {"p_lower", e.p_low},
            {"t_upper", e.t_high},
            {"p_upper", e.p_high},
            {"p_tost", e.p},
            {"ci90", array(e.interval)},
            {"equivalent", e.p < alpha},
            {"noninferior", e.p_low < alpha}};
}

json mde(const json& in, const json&) {
    const PairedDesign design{in["omega2"], in["within_a"], in["k_a"], in["within_b"], in["k_b"], in["n"]};
    const double alpha = in["alpha"];
    const double power = in["power"];
    return {{"se", design_error(design)},
            {"mde_two_sided", detectable_difference(design, alpha, power)},
            {"ni_margin_80pct", attainable_margin(design, alpha, 0.8)},
            {"tost_margin_80pct_true_zero", attainable_equivalence_margin(design, alpha, 0.8)},
            {"n_for_mde_0_02", questions_for(design, 0.02, alpha, power)}};
}

}  // namespace

void add_comparisons(Functions& functions) {
    functions["mcnemar_exact"] = [](const json& in, const json&) {
        const McNemar m = mcnemar(in["b"], in["c"]);
        return json{{"p_two_sided", m.p_two_sided},
                    {"p_one_sided_b_gt_c", m.p_a_better},
                    {"mid_p_two_sided", m.mid_p_two_sided},
                    {"z", m.z},
                    {"chi2_cc", m.chi_squared}};
    };
    functions["paired_proportion_diff"] = paired_proportion;
    functions["paired_question"] = paired_question;
    functions["paired_cluster_test"] = paired_cluster;
    functions["stratified_permutation"] = within_question;
    functions["tost_paired_t"] = tost;
    functions["mde_paired"] = mde;
    functions["mde_discordance"] = [](const json& in, const json&) {
        return json{{"mde", detectable_by_discordance(in["rho_d"], in["n"], 0.05, 0.8)}};
    };
    functions["holm_bh"] = [](const json& in, const json&) {
        const auto p = values<double>(in["p"]);
        return json{{"holm", holm(p)}, {"bh", benjamini_hochberg(p)}, {"bonferroni", bonferroni(p)}};
    };
    functions["grubbs"] = [](const json& in, const json&) {
        const Grubbs g = grubbs(values<double>(in["values"]), in["alpha"]);
        return json{{"G_max_side", g.highest}, {"crit_two_sided", g.critical_two_sided}, {"crit_one_sided", g.critical_one_sided}};
    };
    functions["clustered_se"] = [](const json& in, const json&) {
        const ClusterError e = cluster_error(values<double>(in["values"]), values<int>(in["cluster"]));
        return json{{"mean", e.mean},         {"se_clt", e.independent},           {"se_miller", e.miller},
                    {"se_cr0", e.cr0},        {"se_cr1", e.cr1},                   {"se_jackknife_cv3", e.jackknife},
                    {"n_clusters", e.clusters}, {"tcrit", two_sided_t(0.95, e.clusters - 1)}};
    };
    functions["stratified_se"] = [](const json& in, const json&) {
        const StratifiedError e = stratified_error(values<double>(in["values"]), values<int>(in["stratum"]));
        return json{{"mean", e.mean}, {"se", e.error}, {"strata_means", e.means}};
    };
    functions["pigeonhole_variance"] = [](const json& in, const json&) {
        std::vector<int> right;
        int total = 0;
        for (const json& row : in["matrix"]) {
            for (const json& cell : row) {
                right.push_back(cell);
                total += right.back();
            }
        }
        const double v = pigeonhole_variance(right, static_cast<std::int64_t>(in["matrix"][0].size()));
        return json{{"mean", static_cast<double>(total) / static_cast<double>(right.size())}, {"variance", v}, {"se", std::sqrt(v)}};
    };
}

}  // namespace assay::statistics::golden
