#include "reports/compare/compare_json_parts.hpp"
#include "reports/compare/compare_parts.hpp"

namespace assay::reports {
namespace {

using Json = CompareJson;

Json side(const RunHeader& header, std::int64_t seeds, const std::vector<std::int64_t>& correct, double score, const std::optional<double>& within) {
    std::int64_t right = 0;
    for (const std::int64_t count : correct) right += count;
    Json out = run_json(header);
    out["seeds"] = seeds;
    out["correct"] = right;
    out["attempts"] = seeds * static_cast<std::int64_t>(correct.size());
    out["score"] = score;
    out["within_question_variance"] = value_or_null(within);
    return out;
}

Json tests(const statistics::RunComparison& c) {
    Json within = nullptr;
    if (c.within) {
        within = {{"observed", c.within->observed}, {"mean", c.within->mean}, {"p_two_sided", c.within->p_two_sided},
                  {"p_b_lower", c.within->p_less}, {"answers", "did one system give both runs' answers to these very questions"}};
    }
    Json single = nullptr;
    if (c.mcnemar) single = {{"p_two_sided", c.mcnemar->p_two_sided}, {"mid_p_two_sided", c.mcnemar->mid_p_two_sided}};
    return {{"sign_flip",
             {{"observed", c.sign_flip.observed}, {"p_two_sided", c.sign_flip.p_two_sided}, {"answers", "do the systems differ on questions like these"}}},
            {"within_questions", within},
            {"mcnemar", single},
            {"tango", interval_json(c.tango)}};
}

Json truncation(const statistics::TruncationSplit& t) {
    return {{"cut_a", t.cut_a}, {"cut_b", t.cut_b}, {"attempts_a", t.attempts_a}, {"attempts_b", t.attempts_b},
            {"by_finished", t.by_finished}, {"by_cut", t.by_cut}, {"by_rate", t.by_rate},
            {"questions_cut", t.questions_cut}, {"on_cut_questions", t.on_cut_questions}, {"on_other_questions", t.on_other_questions}};
}

Json moved(const ComparisonReport& report) {
    Json out = Json::array();
    for (const statistics::MovedQuestion& m : report.comparison.moved) {
        out.push_back({{"question", report.table_a.questions[m.row]},
                       {"record_id", text_or_null(report.record_ids[m.row])},
                       {"domain", text_or_null(report.table_a.domains[m.row])},
                       {"correct_a", m.correct_a},
                       {"correct_b", m.correct_b},
                       {"change", m.change},
                       {"truncated_a", m.cut_a},
                       {"truncated_b", m.cut_b}});
    }
    return out;
}

Json left_out(const ComparisonReport& report) {
    Json out = Json::array();
    for (const std::size_t row : report.comparison.left_out) out.push_back(report.table_a.questions[row]);
    return out;
}

}  // namespace

std::string comparison_json(const ComparisonReport& report) {
    const statistics::RunComparison& c = report.comparison;
    Json flips = nullptr;
    if (c.flips) {
        flips = {{"cross", c.flips->cross}, {"self_a", c.flips->self_a}, {"self_b", c.flips->self_b}, {"excess", c.flips->excess}, {"p", value_or_null(c.flips_p)}};
    }
    Json letters = nullptr;
    if (c.letters) {
        const statistics::ExcessFlips& f = c.letters->flips;
        letters = {{"cross", f.cross}, {"self_a", f.self_a}, {"self_b", f.self_b}, {"excess", f.excess}, {"p", value_or_null(c.letters->p)}};
    }
    Json detectable = nullptr;
    if (c.detectable) detectable = {{"difference", *c.detectable}, {"alpha", 0.05}, {"power", 0.8}};
    return finished({{"format", "assay.comparison/1"},
                     {"a", side(report.a, c.seeds_a, c.correct_by_question_a, c.score_a, c.within_a)},
                     {"b", side(report.b, c.seeds_b, c.correct_by_question_b, c.score_b, c.within_b)},
                     {"questions", {{"compared", c.rows.size()}, {"left_out", left_out(report)}}},
                     {"differences", report.differences},
                     {"difference", c.difference},
                     {"omega2", value_or_null(c.omega2)},
                     {"intervals",
                      {{"over_questions", estimate_json(c.over_questions, "paired t", "is B worse on questions like these")},
                       {"this_test", estimate_json(c.this_test, "normal, within-question variances", "were both runs made again on these very questions")},
                       {"within_borrowed", c.within_borrowed}}},
                     {"tests", tests(c)},
                     {"flips", flips},
                     {"letter_flips", letters},
                     {"detectable", detectable},
                     {"truncation", truncation(c.truncation)},
                     {"moved", moved(report)},
                     {"gate", gate_json(report.gate)},
                     {"notes", report.notes}});
}

std::string published_json(const PublishedReport& report) {
    const statistics::PublishedComparison& c = report.comparison;
    Json run = run_json(report.run);
    run["seeds"] = report.seeds;
    run["correct_by_seed"] = report.run_counts;
    run["score"] = c.mean_run;
    run["sd"] = value_or_null(c.sd_run);
    const char* method = c.sd_run && c.sd_published ? "Welch's t over seeds" : "t prediction interval";
    return finished({{"format", "assay.published_comparison/1"},
                     {"answers", "this test only"},
                     {"run", run},
                     {"published",
                      {{"source", report.source}, {"correct_by_seed", report.published_counts}, {"score", c.mean_published}, {"sd", value_or_null(c.sd_published)}}},
                     {"questions", report.questions},
                     {"difference", c.difference},
                     {"interval", estimate_json(c.estimate, method, "would these very questions come out the same way again")},
                     {"p_two_sided", value_or_null(c.p_two_sided)},
                     {"gate", gate_json(report.gate)},
                     {"notes", report.notes}});
}

std::string greedy_json(const GreedyReport& report) {
    const statistics::GreedySeed& g = report.greedy;
    Json prediction = nullptr;
    if (g.prediction) {
        prediction = {{"t", g.prediction->t}, {"degrees", g.prediction->degrees}, {"p_two_sided", g.prediction->p_two_sided},
                      {"rank_p_one_sided", g.prediction->rank_p_one_sided}, {"rank_p_two_sided", g.prediction->rank_p_two_sided}};
    }
    const statistics::WithinQuestionTest& w = g.within_questions;
    Json expected = interval_json(g.expected);
    expected["level"] = 0.95;
    expected["method"] = "t prediction interval of the sampled seeds";
    return finished({{"format", "assay.greedy_comparison/1"},
                     {"run", run_json(report.run)},
                     {"questions", report.questions},
                     {"greedy", {{"seed", g.seed}, {"correct", g.correct}, {"score", g.score}}},
                     {"sampled", {{"seeds", g.sampled_seeds}, {"mean", g.sampled_mean}, {"sd", g.sampled_sd}}},
                     {"difference", g.score - g.sampled_mean},
                     {"distance_sd", value_or_null(g.distance_sd)},
                     {"expected", expected},
                     {"prediction_test", prediction},
                     {"within_question_test",
                      {{"observed", w.observed}, {"mean", w.mean}, {"variance", w.variance}, {"p_two_sided", w.p_two_sided}}},
                     {"notes", report.notes}});
}

}  // namespace assay::reports
