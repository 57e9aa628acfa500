#include "scorers/preflight/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scorers/preflight/parts.hpp"

namespace assay::preflight {
namespace {

struct Row {
    std::string_view name;
    Finding (*judge)(const Evidence&);
    bool needed;
    bool before_run;
};

constexpr Row rows[] = {
    {"reachable", reachable, true, true},
    {"model-listed", model_listed, false, true},
    {"context", context, true, true},
    {"budget-field", budget_field, true, true},
    {"stream-end", stream_end, true, false},
    {"usage", usage, false, false},
    {"reasoning", reasoning, false, false},
    {"effort", effort, false, false},
    {"seed", seed, false, false},
    {"sum", sum, true, false},
    {"server-facts", server_facts, false, false},
};

Check made(const Row& row, const Evidence& evidence) {
    Finding finding = row.judge(evidence);
    return {row.name, finding.verdict, row.needed, std::move(finding.found), std::move(finding.advice)};
}

}  // namespace

const chat::Reply* judged(const std::optional<Probe>& probe) {
    return probe && !probe->cut_off && chat::is_scored(probe->reply.outcome) ? &probe->reply : nullptr;
}

std::string why_silent(const std::optional<Probe>& probe) {
    if (!probe) return "it was not asked";
    if (probe->cut_off) return "the reply went on for too long and was cut off";
    const chat::Reply& reply = probe->reply;
    std::string words = reply.http_status == 0 || reply.http_status == 200
                            ? fmt::format("the reply was {}", to_string(reply.outcome))
                            : fmt::format("the server answered {}", reply.http_status);
    if (!reply.error.empty()) words += ": " + reply.error;
    return words;
}

const ListedModel* entry_of(const Evidence& evidence) {
    const auto& models = evidence.listing.models;
    const auto found = std::find_if(models.begin(), models.end(), [&](const ListedModel& one) { return one.id == evidence.model; });
    return found == models.end() ? nullptr : &*found;
}

std::vector<Check> judge(const Evidence& evidence) {
    std::vector<Check> checks;
    for (const Row& row : rows) checks.push_back(made(row, evidence));
    return checks;
}

std::vector<Check> judge_before_run(const Evidence& evidence) {
    std::vector<Check> checks;
    for (const Row& row : rows)
        if (row.before_run) checks.push_back(made(row, evidence));
    return checks;
}

const std::vector<std::string_view>& check_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const Row& row : rows) all.push_back(row.name);
        return all;
    }();
    return names;
}

Verdict conclusion(const std::vector<Check>& checks, const std::vector<std::string>& accepted) {
    Verdict worst = Verdict::verified;
    for (const Check& check : checks) {
        if (std::find(accepted.begin(), accepted.end(), check.name) != accepted.end()) continue;
        if (check.verdict == Verdict::refuted) return Verdict::refuted;
        if (check.verdict == Verdict::could_not_tell && check.needed) worst = Verdict::could_not_tell;
    }
    return worst;
}

}  // namespace assay::preflight
