#include "reports/score/score_json_parts.hpp"

namespace assay::reports {

using Json = ReportJson;

Json json_of(const std::optional<statistics::Interval>& value) {
    if (!value) return nullptr;
    return {{"low", value->low}, {"high", value->high}};
}

Json json_of(const std::optional<statistics::ExpectedMajority>& expected) {
    if (!expected) return nullptr;
    return {{"ties_in_part", expected->uniform}, {"ties_wrong", expected->pessimistic}, {"ties_right", expected->optimistic}};
}

Json json_of(const std::optional<Stopping>& s) {
    if (!s) return nullptr;
    return {{"rule", s->rule},
            {"decision", s->decision},
            {"seeds", s->seeds},
            {"seeds_asked", s->seeds_asked},
            {"looks", s->looks},
            {"replies_outside", s->replies_outside},
            {"bound", or_null(s->bound)},
            {"half_width", or_null(s->half_width)},
            {"lower", or_null(s->lower)},
            {"upper", or_null(s->upper)},
            {"level_one_sided", or_null(s->level)},
            {"verdict", or_null(s->verdict)},
            {"coverage_of_this_test", or_null(s->coverage)}};
}

Json json_of(const statistics::TruncationLosses& t) {
    Json recovery = nullptr;
    if (t.recovery) {
        recovery = {{"recoverable", t.recovery->recoverable},
                    {"adjusted", t.recovery->adjusted},
                    {"optimistic", true},
                    {"method", "cut replies right as often as finished ones to the same question"}};
    }
    Json true_score = json_of(t.true_score);
    if (t.true_score) {
        true_score["level"] = 0.95;
        true_score["method"] = "Imbens-Manski, Wilson ends with n_eff";
        true_score["answers"] = "the score without truncation, over questions like these";
    }
    return {{"truncated", t.truncated},
            {"in_thinking", t.in_thinking},
            {"in_answer", t.in_answer},
            {"with_letter", t.with_letter},
            {"with_letter_right", t.with_letter_right},
            {"without_letter", t.without_letter},
            {"finished_at_budget", t.finished_at_budget},
            {"cut_below_budget", t.cut_below_budget},
            {"lowest_cut_tokens", or_null(t.lowest_cut)},
            {"highest_cut_tokens", or_null(t.highest_cut)},
            {"score_on_finished", or_null(t.on_finished)},
            {"bounds", json_of(t.bounds)},
            {"true_score", true_score},
            {"recovery", recovery}};
}

Json json_of(const statistics::SeedAgreement& s) {
    Json out = {{"sampled_seeds", s.sampled_seeds}};
    const auto& a = s.agreement;
    out["flip_rate"] = a ? Json(a->flip_rate) : Json(nullptr);
    out["icc"] = a ? or_null(a->icc) : Json(nullptr);
    out["kappa"] = a ? or_null(a->kappa) : Json(nullptr);
    out["cochran_q"] = nullptr;
    if (s.cochran) {
        out["cochran_q"] = {{"q", s.cochran->q}, {"degrees", s.cochran->degrees}, {"p_runs_differ", s.cochran->p}, {"p_as_alike", or_null(s.p_as_alike)}};
    }
    out["beta_binomial"] = nullptr;
    if (s.difficulty) {
        out["beta_binomial"] = {{"a", s.difficulty->a}, {"b", s.difficulty->b}, {"mean", s.difficulty->mean()}, {"icc", s.difficulty->icc()}};
    }
    Json alike = nullptr;
    if (s.most_alike) {
        alike = {{"seeds", {s.most_alike->first, s.most_alike->second}}, {"same", s.most_alike->same}, {"of", s.most_alike->of}};
    }
    out["copies"] = {{"copies", s.copies}, {"texts", s.texts}, {"most_alike", alike}};
    return out;
}

Json json_of(const statistics::GreedySeed& g) {
    Json prediction = nullptr;
    if (g.prediction) {
        prediction = {{"t", g.prediction->t},
                      {"degrees", g.prediction->degrees},
                      {"p_two_sided", g.prediction->p_two_sided},
                      {"rank_p_two_sided", g.prediction->rank_p_two_sided}};
    }
    const statistics::WithinQuestionTest& w = g.within_questions;
    return {{"seed", g.seed},
            {"correct", g.correct},
            {"score", g.score},
            {"sampled_seeds", g.sampled_seeds},
            {"sampled_mean", g.sampled_mean},
            {"sampled_sd", g.sampled_sd},
            {"distance_sd", or_null(g.distance_sd)},
            {"expected", json_of(g.expected)},
            {"prediction_test", prediction},
            {"within_question_test",
             {{"observed", w.observed}, {"mean", w.mean}, {"variance", w.variance}, {"p_greater", w.p_greater}, {"p_less", w.p_less},
              {"p_two_sided", w.p_two_sided}}},
            {"without_it", {{"over_questions", json_of(g.over_questions)}, {"this_test", json_of(g.this_test)}}}};
}

}  // namespace assay::reports
