// Values for the tests of runs: plans and replies with every field set.
#pragma once

#include <string>
#include <tuple>

#include "datasets/runs/plan.hpp"
#include "datasets/runs/run_info.hpp"
#include "harness/chat/reply.hpp"

namespace assay::runs::samples {

inline Plan plan() {
    Plan plan;
    plan.dataset_name = "sample";
    plan.dataset_rows = 60;
    plan.dataset_sha256 = std::string(64, 'a');
    plan.protocol = "nemo";
    plan.prompts_sha256 = std::string(64, 'b');
    plan.model = "kimi \"k3\" \xe2\x98\x83";
    plan.sampling.temperature = 0.6;
    plan.sampling.top_p = 0.95;
    plan.sampling.greedy_seed = 0;
    plan.sampling.reasoning_effort = "high";
    plan.sampling.extra_body = R"({"top_k":20})";
    plan.budget = 65536;
    plan.budget_field = "max_tokens";
    return plan;
}

inline RunInfo info() {
    RunInfo info;
    info.tool_version = "0.1.0";
    info.endpoints = {"http://127.0.0.1:30000/v1", "http://127.0.0.1:30001/v1"};
    info.server = {{"version", "0.5.5"}, {"model_path", "/models/\"k3\"\n"}};
    info.transport = {{"insecure", "true"}, {"proxy", "http://proxy:3128"}};
    info.checkpoint = AuditedCheckpoint{"casts/audit.json", std::string(64, 'c'), "audit", "casts/\"k3\"", std::string(32, 'd'), "k3", std::string(32, 'e'),
                                        85'085'650'944, 85'085'650'943, 2'628, 2'627, 1, 2};
    info.first_seed = 0;
    info.seeds = 16;
    info.rows = 60;
    info.concurrency = 512;
    info.automatic = true;
    info.requests_per_minute = 90;
    info.tokens_per_minute = 1.5e6;
    info.max_retries = 5;
    info.connect_ms = 30'000;
    info.first_byte_ms = 1'800'000;
    info.silence_ms = 1'800'001;
    return info;
}

inline chat::Reply reply() {
    chat::Reply reply;
    reply.outcome = chat::Outcome::complete;
    reply.finish_reason = "stop";
    reply.http_status = 200;
    reply.curl_code = 18;
    reply.error = "a \"word\"";
    reply.retry_after_s = 1.5;
    reply.reasoning = std::string("thinking\0 \x1f \x7f \xf0\x9f\x98\x80\n\t\\\"", 22);
    reply.content = "Answer: B\r\n\xe2\x80\xa8";
    reply.reasoning_field = "reasoning_content";
    reply.model = "served";
    reply.usage = {101, 4096, 4000};
    reply.times = {0.125, 1.1, 2.2000000000000002, 3.3, 98765.4321, 98000.5};
    reply.body_bytes = 123456789012;
    reply.events = 4097;
    reply.repaired = 2;
    reply.ignored_chunks = 5;
    reply.missing_done = true;
    reply.unterminated_event = true;
    reply.accepted_without_finish = true;
    reply.done_marker = true;
    reply.new_connection = false;
    return reply;
}

// All of a reply, to compare.
inline auto fields(const chat::Reply& r) {
    return std::make_tuple(r.outcome, r.finish_reason, r.http_status, r.curl_code, r.error, r.retry_after_s, r.reasoning,
                           r.content, r.reasoning_field, r.model, r.usage.prompt_tokens, r.usage.completion_tokens,
                           r.usage.reasoning_tokens, r.times.sent_ms, r.times.connected_ms, r.times.first_byte_ms,
                           r.times.first_token_ms, r.times.end_ms, r.times.last_byte_ms, r.body_bytes, r.events, r.repaired,
                           r.ignored_chunks, r.done_marker, r.missing_done, r.unterminated_event, r.accepted_without_finish,
                           r.new_connection);
}

inline chat::Reply failed(chat::Outcome outcome, std::string text = "") {
    chat::Reply reply;
    reply.outcome = outcome;
    reply.error = "the server's words";
    reply.content = std::move(text);
    return reply;
}

inline chat::Reply answer(std::string content) {
    chat::Reply reply;
    reply.outcome = chat::Outcome::complete;
    reply.finish_reason = "stop";
    reply.content = std::move(content);
    return reply;
}

}  // namespace assay::runs::samples
