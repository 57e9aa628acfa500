// An endpoint that does everything right, to be spoilt by the tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "scorers/preflight/check.hpp"

namespace assay::preflight {

inline Probe probe_of(const std::string& content, const std::string& reasoning, std::int64_t tokens, chat::Outcome outcome) {
    Probe probe;
    probe.reply.outcome = outcome;
    probe.reply.finish_reason = outcome == chat::Outcome::truncated ? "length" : "stop";
    probe.reply.http_status = 200;
    probe.reply.content = content;
    probe.reply.reasoning = reasoning;
    if (!reasoning.empty()) probe.reply.reasoning_field = "reasoning_content";
    probe.reply.usage = {20, tokens, std::nullopt};
    probe.reply.events = 5;
    probe.reply.done_marker = true;
    probe.text_events = tokens;
    return probe;
}

inline Probe refused_probe(long status, const std::string& words) {
    Probe probe;
    probe.reply.outcome = chat::Outcome::refused;
    probe.reply.http_status = status;
    probe.reply.error = words;
    return probe;
}

inline Evidence good_endpoint() {
    Evidence evidence;
    evidence.model = "m";
    evidence.budget = 1000;
    evidence.budget_field = "max_tokens";
    evidence.effort = "high";
    evidence.longest_prompt_bytes = 800;
    evidence.sum_prompt_bytes = 30;
    evidence.listing.http_status = 200;
    evidence.listing.models = {{"m", "sglang", 2000}};
    evidence.facts = {{"version", "1"}};
    evidence.context_of_facts = 2000;
    evidence.one_token = probe_of("W", "", 1, chat::Outcome::truncated);
    evidence.one_token->reply.usage.prompt_tokens = 200;
    evidence.whole_budget = Probe{};
    evidence.whole_budget->cut_off = true;
    evidence.whole_budget->text_events = 1;
    evidence.sum = probe_of("17 * 23 = 391.", "let me see", 12, chat::Outcome::complete);
    evidence.same_seed = {probe_of("one", "", 48, chat::Outcome::truncated), probe_of("one", "", 48, chat::Outcome::truncated)};
    evidence.other_seed = probe_of("two", "", 48, chat::Outcome::truncated);
    evidence.effort_given = probe_of("y", "", 1, chat::Outcome::truncated);
    evidence.effort_wrong = refused_probe(400, "no such effort");
    return evidence;
}

inline Check check_named(std::string_view name, const Evidence& evidence) {
    const auto checks = judge(evidence);
    return *std::find_if(checks.begin(), checks.end(), [&](const Check& check) { return check.name == name; });
}

}  // namespace assay::preflight
