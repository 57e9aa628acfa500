#include <fmt/format.h>

#include "datasets/runs/json_text.hpp"
#include "datasets/runs/record.hpp"
#include "harness/chat/outcome.hpp"

namespace assay::runs {
namespace {

bool continues(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; }

std::string ends_of(std::string_view text) {
    std::size_t head = kept_text_bytes;
    while (head > 0 && continues(text[head])) --head;
    std::size_t tail = text.size() - kept_text_bytes;
    while (tail < text.size() && continues(text[tail])) ++tail;
    return fmt::format("{} [... {} bytes left out ...] {}", text.substr(0, head), tail - head, text.substr(tail));
}

void add_text(ObjectText& object, std::string_view key, const std::string& text, bool whole) {
    if (whole || text.size() <= 2 * kept_text_bytes) {
        object.text_unless_empty(key, text);
    } else {
        object.text(key, ends_of(text));
    }
}

void add_usage(std::string& out, ObjectText& object, const chat::Usage& usage) {
    object.begin("usage");
    ObjectText inner(out);
    inner.integer("prompt_tokens", usage.prompt_tokens);
    inner.integer("completion_tokens", usage.completion_tokens);
    inner.integer("reasoning_tokens", usage.reasoning_tokens);
    inner.close();
}

void add_times(std::string& out, ObjectText& object, const chat::Times& times) {
    object.begin("times");
    ObjectText inner(out);
    inner.number("sent_ms", times.sent_ms);
    inner.number("connected_ms", times.connected_ms);
    inner.number("first_byte_ms", times.first_byte_ms);
    inner.number("first_token_ms", times.first_token_ms);
    inner.number("last_byte_ms", times.last_byte_ms);
    inner.number("end_ms", times.end_ms);
    inner.close();
}

void add_reply(std::string& out, ObjectText& object, const chat::Reply& reply) {
    object.text_unless_empty("finish_reason", reply.finish_reason);
    object.integer("http_status", reply.http_status);
    object.integer("curl_code", reply.curl_code);
    object.text_unless_empty("error", reply.error);
    object.number("retry_after_s", reply.retry_after_s);
    object.text_unless_empty("reasoning_field", reply.reasoning_field);
    object.text_unless_empty("model", reply.model);
    add_usage(out, object, reply.usage);
    add_times(out, object, reply.times);
    object.integer("body_bytes", reply.body_bytes);
    object.integer("events", reply.events);
    object.integer("repaired", reply.repaired);
    // Rare ones are left out where there is nothing to say.
    if (reply.ignored_chunks > 0) object.integer("ignored_chunks", reply.ignored_chunks);
    object.boolean("done_marker", reply.done_marker);
    if (reply.missing_done) object.boolean("missing_done", true);
    if (reply.unterminated_event) object.boolean("unterminated_event", true);
    if (reply.accepted_without_finish) object.boolean("accepted_without_finish", true);
    object.boolean("new_connection", reply.new_connection);
    const bool whole = chat::is_scored(reply.outcome);
    add_text(object, "reasoning", reply.reasoning, whole);
    add_text(object, "content", reply.content, whole);
}

void add_key(ObjectText& object, const AttemptKey& key, int try_number, const std::string& session) {
    object.integer("seed", key.seed);
    object.integer("question", key.question);
    object.integer("try", try_number);
    object.text("session", session);
}

void add_checkpoint(std::string& out, ObjectText& object, const AuditedCheckpoint& one) {
    object.begin("checkpoint");
    ObjectText inner(out);
    inner.text("report", one.report);
    inner.text("report_sha256", one.report_sha256);
    inner.text("judge", one.judge);
    inner.text_unless_empty("checkpoint", one.checkpoint);
    inner.text("fingerprint", one.fingerprint);
    inner.text_unless_empty("source", one.source);
    inner.text_unless_empty("source_fingerprint", one.source_fingerprint);
    inner.integer("blocks", one.blocks);
    inner.integer("blocks_exact", one.blocks_exact);
    inner.integer("tensors", one.tensors);
    inner.integer("tensors_identical", one.tensors_identical);
    inner.integer("errors", one.errors);
    inner.integer("warnings", one.warnings);
    inner.close();
}

}  // namespace

void append_payload(std::string& out, const Session& session) {
    const RunInfo& info = session.info;
    ObjectText object(out);
    object.text("type", "session");
    object.text("format", "assay.journal/1");
    object.text("id", session.id);
    object.number("started_unix_s", session.started_unix_s);
    object.text("host", session.host);
    object.integer("pid", session.pid);
    object.text("tool_version", info.tool_version);
    object.begin("endpoints");
    out += '[';
    for (std::size_t i = 0; i < info.endpoints.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, info.endpoints[i]);
    }
    out += ']';
    object.begin("server");
    ObjectText server(out);
    for (const auto& [name, value] : info.server) server.text(name, value);
    server.close();
    if (!info.transport.empty()) {
        object.begin("transport");
        ObjectText transport(out);
        for (const auto& [name, value] : info.transport) transport.text(name, value);
        transport.close();
    }
    if (info.checkpoint) add_checkpoint(out, object, *info.checkpoint);
    object.integer("first_seed", info.first_seed);
    object.integer("seeds", info.seeds);
    object.integer("rows", info.rows);
    object.integer("concurrency", info.concurrency);
    if (info.automatic) object.boolean("automatic_concurrency", true);
    object.number("requests_per_minute", info.requests_per_minute);
    object.number("tokens_per_minute", info.tokens_per_minute);
    object.integer("max_retries", info.max_retries);
    object.integer("connect_ms", info.connect_ms);
    object.integer("first_byte_ms", info.first_byte_ms);
    object.integer("silence_ms", info.silence_ms);
    object.close();
}

void append_payload(std::string& out, const BeginRecord& begin) {
    ObjectText object(out);
    object.text("type", "begin");
    add_key(object, begin.key, begin.try_number, begin.session);
    object.number("unix_s", begin.unix_s);
    object.close();
}

void append_payload(std::string& out, const ClientWork& work) {
    ObjectText object(out);
    object.text("type", "work");
    object.text("session", work.session);
    object.number("seconds", work.seconds);
    object.number("mean_in_flight", work.mean_in_flight);
    object.integer("max_in_flight", work.max_in_flight);
    object.integer("target", work.target);
    object.number("share_at_target", work.share_at_target);
    object.boolean("automatic", work.automatic);
    object.number("held_by_server_s", work.held_by_server_s);
    object.number("held_by_rates_s", work.held_by_rates_s);
    object.number("held_by_text_s", work.held_by_text_s);
    object.number("delay_p50_ms", work.delay_p50_ms);
    object.number("delay_p99_ms", work.delay_p99_ms);
    object.number("delay_max_ms", work.delay_max_ms);
    object.number("loop_cpu_share", work.loop_cpu_share);
    object.number("cpu_share", work.cpu_share);
    object.close();
}

void append_payload(std::string& out, const NoteRecord& note) {
    ObjectText object(out);
    object.text("type", "note");
    object.text("session", note.session);
    object.number("unix_s", note.unix_s);
    object.text("text", note.text);
    object.close();
}

void append_payload(std::string& out, const LookRecord& record) {
    const Look& look = record.look;
    ObjectText object(out);
    object.text("type", "look");
    object.text("session", record.session);
    object.number("unix_s", look.unix_s);
    object.text("rule", look.rule);
    object.text("decision", look.decision);
    object.begin("seeds");
    out += '[';
    for (std::size_t i = 0; i < look.seeds.size(); ++i) out += (i > 0 ? "," : "") + std::to_string(look.seeds[i]);
    out += ']';
    object.number("bound", look.bound);
    object.number("half_width", look.half_width);
    object.number("lower", look.lower);
    object.number("upper", look.upper);
    object.number("level", look.level);
    object.text_unless_empty("verdict", look.verdict);
    object.close();
}

void append_payload(std::string& out, const TryRecord& record) {
    ObjectText object(out);
    object.text("type", "try");
    add_key(object, record.key, record.try_number, record.session);
    object.text("outcome", chat::to_string(record.reply.outcome));
    object.number("started_unix_s", record.started_unix_s);
    object.number("ended_unix_s", record.ended_unix_s);
    if (record.endpoint) object.integer("endpoint", *record.endpoint);
    add_reply(out, object, record.reply);
    object.close();
}

}  // namespace assay::runs
