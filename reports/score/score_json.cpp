#include <nlohmann/json.hpp>

#include "reports/score/own_work_json.hpp"
#include "reports/score/score_json_parts.hpp"
#include "reports/score/score_report.hpp"

namespace assay::reports {
namespace {

using Json = ReportJson;

Json counts(const statistics::Counts& c) {
    return {{"attempts", c.attempts},
            {"scored", c.scored},
            {"correct", c.correct},
            {"no_answer", c.no_answer},
            {"complete", c.complete},
            {"truncated", c.truncated},
            {"truncated_answered", c.truncated_answered},
            {"truncated_correct", c.truncated_correct},
            {"answer_in_reasoning", c.answer_in_reasoning},
            {"empty", c.empty},
            {"filtered", c.filtered},
            {"unscored", c.unscored},
            {"missing", c.missing},
            {"tokens_known", c.tokens_known},
            {"completion_tokens", c.completion_tokens}};
}

Json plan(const RunHeader& header) {
    const runs::Plan& p = header.plan;
    return {{"hash", or_null(header.plan_hash)},
            {"dataset", or_null(p.dataset_name)},
            {"dataset_rows", p.dataset_rows},
            {"dataset_sha256", or_null(p.dataset_sha256)},
            {"prompts_sha256", or_null(p.prompts_sha256)},
            {"protocol", or_null(p.protocol)},
            {"model", or_null(p.model)},
            {"sampling",
             {{"temperature", or_null(p.sampling.temperature)},
              {"top_p", or_null(p.sampling.top_p)},
              {"greedy_seed", or_null(p.sampling.greedy_seed)},
              {"reasoning_effort", or_null(p.sampling.reasoning_effort)},
              {"extra_body", or_null(p.sampling.extra_body)}}},
            {"budget", or_null(p.budget)},
            {"budget_field", or_null(p.budget_field)}};
}

Json labelled(const std::optional<statistics::Interval>& value, const char* answers, const char* method) {
    Json out = json_of(value);
    if (value) {
        out["level"] = 0.95;
        out["method"] = method;
        out["answers"] = answers;
    }
    return out;
}

Json intervals(const statistics::Summary& s) {
    Json over = labelled(s.over_questions, "how good the model is on questions like these",
                         "Wilson with effective n from the question-clustered standard error");
    if (s.over_questions) {
        over["n_eff"] = or_null(s.n_eff);
        over["standard_error"] = or_null(s.standard_error_questions);
    }
    Json fixed = nullptr;
    if (s.domains_fixed) {
        fixed = labelled(s.domains_fixed->interval, "how good the model is on questions like these, each domain's share held fixed",
                         "Wilson with effective n from the standard error stratified by domain");
        fixed["n_eff"] = s.domains_fixed->n_eff;
    }
    const char* const normal = "normal, from the variance within questions";
    Json test = labelled(s.this_test, "the average over seeds on this test only", s.within_questions ? normal : "t over seeds");
    if (s.this_test) {
        test["sd"] = or_null(s.seed_sd);
        test["se"] = or_null(s.seed_se);
        test["se_within_questions"] = or_null(s.fixed_error);
    }
    Json next = labelled(s.one_more_run, "where one further seed on this test would land", s.within_questions ? normal : "t prediction interval");
    return {{"over_questions", over}, {"domains_fixed", fixed}, {"this_test", test}, {"one_more_run", next}};
}

Json groups(const std::vector<statistics::GroupRow>& rows) {
    Json out = Json::array();
    for (const statistics::GroupRow& row : rows) {
        out.push_back({{"name", row.name},
                       {"questions", row.questions},
                       {"score", or_null(row.counts.score())},
                       {"over_questions", labelled(row.over_questions, "how good the model is on questions like these of the group",
                                                   "Wilson with effective n from the group's questions and the design effect of the whole test")},
                       {"counts", counts(row.counts)}});
    }
    return out;
}

Json seeds(const RunHeader& header, const statistics::Summary& s) {
    Json out = Json::array();
    for (const statistics::SeedRow& row : s.per_seed) {
        out.push_back({{"seed", row.seed},
                       {"greedy", header.plan.sampling.greedy_seed == row.seed},
                       {"score", or_null(row.counts.score())},
                       {"counts", counts(row.counts)}});
    }
    return out;
}

Json at_k(const statistics::Summary& s) {
    Json out = Json::array();
    for (const statistics::AtK& row : s.at_k) {
        out.push_back({{"k", row.k},
                       {"pass_at_k", row.pass_at_k},
                       {"average_of_k", row.average_of_k},
                       {"majority_at_k", or_null(row.majority_at_k)},
                       {"pass_hat_k", row.pass_hat_k},
                       {"g_pass_at_k", {{"0.5", row.g_pass_half}, {"0.75", row.g_pass_three_quarters}}},
                       {"mg_pass_at_k", row.mg_pass_at_k},
                       {"expected_majority_at_k", json_of(row.expected_majority)}});
    }
    return out;
}

template <class Value>
Json by_name(const std::vector<std::pair<std::string, Value>>& pairs) {
    Json out = Json::object();
    for (const auto& [name, value] : pairs) out[name] = value;
    return out;
}

Json checkpoint(const std::optional<runs::AuditedCheckpoint>& one) {
    if (!one) return nullptr;
    return {{"fingerprint", one->fingerprint},
            {"report", one->report},
            {"report_sha256", one->report_sha256},
            {"judge", one->judge},
            {"checkpoint", or_null(one->checkpoint)},
            {"source", or_null(one->source)},
            {"source_fingerprint", or_null(one->source_fingerprint)},
            {"compared", one->compared()},
            {"blocks", one->blocks},
            {"blocks_exact", one->blocks_exact},
            {"tensors", one->tensors},
            {"tensors_identical", one->tensors_identical},
            {"errors", one->errors},
            {"warnings", one->warnings}};
}

Json effort(const std::optional<Effort>& e) {
    if (!e) return nullptr;
    return {{"tries", e->tries},
            {"retries", e->retries},
            {"attempts_retried", e->attempts_retried},
            {"failed_tries", by_name(e->failed_tries)},
            {"processes", e->processes},
            {"work", own_work_json(e->work)},
            {"first_unix_s", or_null(e->first_unix_s)},
            {"last_unix_s", or_null(e->last_unix_s)}};
}

}  // namespace

std::string score_json(const RunHeader& header, const statistics::Summary& s) {
    const Json out = {{"format", "assay.score_report/1"},
                      {"tool_version", or_null(header.tool_version)},
                      {"simulated", or_null(header.plan.simulated)},
                      {"run", or_null(header.run)},
                      {"source", or_null(header.source)},
                      {"plan", plan(header)},
                      {"extractor", or_null(header.extractor)},
                      {"endpoint", or_null(header.endpoint)},
                      {"server", by_name(header.server)},
                      {"checkpoint", checkpoint(header.checkpoint)},
                      {"questions", s.questions},
                      {"seeds", s.seeds},
                      {"full", s.full},
                      {"counts", counts(s.total)},
                      {"pass_at_1", or_null(s.pass_at_1)},
                      {"bounds", json_of(s.bounds)},
                      {"intervals", intervals(s)},
                      {"stopping", json_of(header.stopping)},
                      {"at_k", at_k(s)},
                      {"never_solved", {{"count", s.never_solved}, {"questions", s.never_solved_questions}}},
                      {"unstable", {{"count", s.unstable}, {"questions", s.unstable_questions}}},
                      {"truncation_ceiling", or_null(s.truncation_ceiling)},
                      {"truncation", json_of(s.truncation)},
                      {"agreement", json_of(s.agreement)},
                      {"greedy", s.greedy ? json_of(*s.greedy) : Json(nullptr)},
                      {"unscored_by_reason", by_name(s.unscored_by_reason)},
                      {"per_seed", seeds(header, s)},
                      {"per_domain", groups(s.per_domain)},
                      {"per_subdomain", groups(s.per_subdomain)},
                      {"effort", effort(header.effort)},
                      {"notes", header.notes}};
    // Outside text may be ill-formed UTF-8; it must not stop a report.
    return out.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
