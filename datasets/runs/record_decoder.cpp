#include <simdjson.h>

#include <limits>

#include "datasets/runs/format_name.hpp"
#include "datasets/runs/record.hpp"
#include "harness/chat/outcome.hpp"
#include "harness/journal/reader.hpp"

namespace assay::runs {
namespace {

// The tree and not the on-demand interface: that one reads strings a byte at a time unless it is compiled for one
// kind of processor, where the tree's code is chosen at run time.
namespace dom = simdjson::dom;
using Value = dom::element;

static_assert(journal::payload_padding >= simdjson::SIMDJSON_PADDING);

// Each gives true where the value has the expected type. simdjson's exceptions stay unused: damage is data.
bool get(Value value, std::string& target) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return false;
    target.assign(text);
    return true;
}

template <class Integer>
bool get_integer(Value value, Integer& target) {
    std::int64_t number = 0;
    if (value.get(number) != simdjson::SUCCESS) return false;
    if (number < std::numeric_limits<Integer>::min() || number > std::numeric_limits<Integer>::max()) return false;
    target = static_cast<Integer>(number);
    return true;
}

bool get(Value value, std::optional<std::int64_t>& target) { return get_integer(value, target.emplace()); }

bool get(Value value, double& target) { return value.get(target) == simdjson::SUCCESS; }

bool get(Value value, std::optional<double>& target) { return get(value, target.emplace()); }

bool get(Value value, bool& target) { return value.get(target) == simdjson::SUCCESS; }

// Calls member(key, value) for each; false where one of them is not as expected.
template <class Member>
bool for_each_member(Value value, const Member& member) {
    dom::object object;
    if (value.get(object) != simdjson::SUCCESS) return false;
    for (const auto& [key, inner] : object) {
        if (!member(key, inner)) return false;
    }
    return true;
}

bool get(Value value, chat::Usage& usage) {
    return for_each_member(value, [&](std::string_view key, Value v) {
        if (key == "prompt_tokens") return get(v, usage.prompt_tokens);
        if (key == "completion_tokens") return get(v, usage.completion_tokens);
        if (key == "reasoning_tokens") return get(v, usage.reasoning_tokens);
        return true;
    });
}

bool get(Value value, chat::Times& times) {
    return for_each_member(value, [&](std::string_view key, Value v) {
        if (key == "sent_ms") return get(v, times.sent_ms);
        if (key == "connected_ms") return get(v, times.connected_ms);
        if (key == "first_byte_ms") return get(v, times.first_byte_ms);
        if (key == "first_token_ms") return get(v, times.first_token_ms);
        if (key == "last_byte_ms") return get(v, times.last_byte_ms);
        if (key == "end_ms") return get(v, times.end_ms);
        return true;
    });
}

bool get(Value value, chat::Outcome& outcome) {
    std::string_view name;
    if (value.get(name) != simdjson::SUCCESS) return false;
    const auto found = chat::outcome_from_string(name);
    if (found) outcome = *found;
    return found.has_value();
}

bool take_reply(std::string_view key, Value v, chat::Reply& reply) {
    if (key == "content") return get(v, reply.content);
    if (key == "reasoning") return get(v, reply.reasoning);
    if (key == "finish_reason") return get(v, reply.finish_reason);
    if (key == "http_status") return get_integer(v, reply.http_status);
    if (key == "curl_code") return get_integer(v, reply.curl_code);
    if (key == "error") return get(v, reply.error);
    if (key == "retry_after_s") return get(v, reply.retry_after_s);
    if (key == "reasoning_field") return get(v, reply.reasoning_field);
    if (key == "model") return get(v, reply.model);
    if (key == "usage") return get(v, reply.usage);
    if (key == "times") return get(v, reply.times);
    if (key == "body_bytes") return get_integer(v, reply.body_bytes);
    if (key == "events") return get_integer(v, reply.events);
    if (key == "repaired") return get_integer(v, reply.repaired);
    if (key == "ignored_chunks") return get_integer(v, reply.ignored_chunks);
    if (key == "missing_done") return get(v, reply.missing_done);
    if (key == "unterminated_event") return get(v, reply.unterminated_event);
    if (key == "accepted_without_finish") return get(v, reply.accepted_without_finish);
    if (key == "done_marker") return get(v, reply.done_marker);
    if (key == "new_connection") return get(v, reply.new_connection);
    return true;
}

// Of a reply, what is counted over a whole run.
bool take_outline(std::string_view key, Value v, chat::Reply& reply) {
    const bool counted = key == "times" || key == "ignored_chunks" || key == "missing_done" || key == "unterminated_event" || key == "accepted_without_finish";
    return !counted || take_reply(key, v, reply);
}

bool get(Value value, std::vector<std::pair<std::string, std::string>>& named) {
    return for_each_member(value, [&](std::string_view name, Value text) {
        return get(text, named.emplace_back(std::string(name), "").second);
    });
}

bool get(Value value, AuditedCheckpoint& one) {
    return for_each_member(value, [&](std::string_view key, Value v) {
        if (key == "report") return get(v, one.report);
        if (key == "report_sha256") return get(v, one.report_sha256);
        if (key == "judge") return get(v, one.judge);
        if (key == "checkpoint") return get(v, one.checkpoint);
        if (key == "fingerprint") return get(v, one.fingerprint);
        if (key == "source") return get(v, one.source);
        if (key == "source_fingerprint") return get(v, one.source_fingerprint);
        if (key == "blocks") return get_integer(v, one.blocks);
        if (key == "blocks_exact") return get_integer(v, one.blocks_exact);
        if (key == "tensors") return get_integer(v, one.tensors);
        if (key == "tensors_identical") return get_integer(v, one.tensors_identical);
        if (key == "errors") return get_integer(v, one.errors);
        if (key == "warnings") return get_integer(v, one.warnings);
        return true;
    });
}

bool take_info(std::string_view key, Value v, RunInfo& info) {
    if (key == "tool_version") return get(v, info.tool_version);
    if (key == "first_seed") return get_integer(v, info.first_seed);
    if (key == "seeds") return get_integer(v, info.seeds);
    if (key == "rows") return get_integer(v, info.rows);
    if (key == "concurrency") return get_integer(v, info.concurrency);
    if (key == "automatic_concurrency") return get(v, info.automatic);
    if (key == "requests_per_minute") return get(v, info.requests_per_minute);
    if (key == "tokens_per_minute") return get(v, info.tokens_per_minute);
    if (key == "max_retries") return get_integer(v, info.max_retries);
    if (key == "connect_ms") return get_integer(v, info.connect_ms);
    if (key == "first_byte_ms") return get_integer(v, info.first_byte_ms);
    if (key == "silence_ms") return get_integer(v, info.silence_ms);
    if (key == "transport") return get(v, info.transport);
    if (key == "server") return get(v, info.server);
    if (key == "checkpoint") return get(v, info.checkpoint.emplace());
    if (key == "endpoints") {
        dom::array array;
        if (v.get(array) != simdjson::SUCCESS) return false;
        for (const Value text : array) {
            if (!get(text, info.endpoints.emplace_back())) return false;
        }
    }
    return true;
}

template <class Record>
bool take_key(std::string_view key, Value v, Record& record, unsigned& seen) {
    if (key == "seed") return seen |= 1U, get_integer(v, record.key.seed);
    if (key == "question") return seen |= 2U, get_integer(v, record.key.question);
    if (key == "try") return seen |= 4U, get_integer(v, record.try_number);
    if (key == "session") return get(v, record.session);
    return true;
}

std::optional<Session> session_in(Value object, const std::string& path) {
    Session session;
    std::string format;
    const bool good = for_each_member(object, [&](std::string_view key, Value v) {
        if (key == "format") return get(v, format);
        if (key == "id") return get(v, session.id);
        if (key == "started_unix_s") return get(v, session.started_unix_s);
        if (key == "host") return get(v, session.host);
        if (key == "pid") return get_integer(v, session.pid);
        return take_info(key, v, session.info);
    });
    if (!format.empty()) check_format(format, "assay.journal", 1, path);
    return good && !format.empty() ? std::optional(std::move(session)) : std::nullopt;
}

std::optional<BeginRecord> begin_in(Value object) {
    BeginRecord record;
    unsigned seen = 0;
    const bool good = for_each_member(object, [&](std::string_view key, Value v) {
        return key == "unix_s" ? get(v, record.unix_s) : take_key(key, v, record, seen);
    });
    return good && seen == 7U ? std::optional(std::move(record)) : std::nullopt;
}

std::optional<ClientWork> work_in(Value object) {
    ClientWork work;
    const bool good = for_each_member(object, [&](std::string_view key, Value v) {
        if (key == "session") return get(v, work.session);
        if (key == "seconds") return get(v, work.seconds);
        if (key == "mean_in_flight") return get(v, work.mean_in_flight);
        if (key == "max_in_flight") return get_integer(v, work.max_in_flight);
        if (key == "target") return get_integer(v, work.target);
        if (key == "share_at_target") return get(v, work.share_at_target);
        if (key == "automatic") return get(v, work.automatic);
        if (key == "delay_p50_ms") return get(v, work.delay_p50_ms);
        if (key == "delay_p99_ms") return get(v, work.delay_p99_ms);
        if (key == "delay_max_ms") return get(v, work.delay_max_ms);
        if (key == "held_by_server_s") return get(v, work.held_by_server_s);
        if (key == "held_by_rates_s") return get(v, work.held_by_rates_s);
        if (key == "held_by_text_s") return get(v, work.held_by_text_s);
        if (key == "loop_cpu_share") return get(v, work.loop_cpu_share);
        if (key == "cpu_share") return get(v, work.cpu_share);
        return true;
    });
    return good ? std::optional(std::move(work)) : std::nullopt;
}

std::optional<NoteRecord> note_in(Value object) {
    NoteRecord record;
    bool has_text = false;
    const bool good = for_each_member(object, [&](std::string_view key, Value v) {
        if (key == "session") return get(v, record.session);
        if (key == "unix_s") return get(v, record.unix_s);
        if (key == "text") return has_text = true, get(v, record.text);
        return true;
    });
    return good && has_text ? std::optional(std::move(record)) : std::nullopt;
}

bool get(Value value, std::vector<int>& numbers) {
    dom::array array;
    if (value.get(array) != simdjson::SUCCESS) return false;
    for (const Value number : array) {
        if (!get_integer(number, numbers.emplace_back())) return false;
    }
    return true;
}

std::optional<LookRecord> look_in(Value object) {
    LookRecord record;
    Look& look = record.look;
    const bool good = for_each_member(object, [&](std::string_view key, Value v) {
        if (key == "session") return get(v, record.session);
        if (key == "unix_s") return get(v, look.unix_s);
        if (key == "rule") return get(v, look.rule);
        if (key == "decision") return get(v, look.decision);
        if (key == "seeds") return get(v, look.seeds);
        if (key == "bound") return get(v, look.bound);
        if (key == "half_width") return get(v, look.half_width);
        if (key == "lower") return get(v, look.lower);
        if (key == "upper") return get(v, look.upper);
        if (key == "level") return get(v, look.level);
        if (key == "verdict") return get(v, look.verdict);
        return true;
    });
    return good && !look.decision.empty() ? std::optional(std::move(record)) : std::nullopt;
}

std::optional<TryRecord> attempt_in(Value object, RecordDecoder::Depth depth) {
    TryRecord record;
    unsigned seen = 0;
    const bool good = for_each_member(object, [&](std::string_view key, Value v) {
        if (key == "outcome") return seen |= 8U, get(v, record.reply.outcome);
        if (key == "started_unix_s") return get(v, record.started_unix_s);
        if (key == "ended_unix_s") return get(v, record.ended_unix_s);
        if (key == "endpoint") return get_integer(v, record.endpoint.emplace());
        if (!take_key(key, v, record, seen)) return false;
        return depth == RecordDecoder::Depth::outline ? take_outline(key, v, record.reply) : take_reply(key, v, record.reply);
    });
    return good && seen == 15U ? std::optional(std::move(record)) : std::nullopt;
}

}  // namespace

struct RecordDecoder::Parts {
    dom::parser parser;
};

RecordDecoder::RecordDecoder() : parts_(std::make_unique<Parts>()) {}
RecordDecoder::~RecordDecoder() = default;
RecordDecoder::RecordDecoder(RecordDecoder&&) noexcept = default;
RecordDecoder& RecordDecoder::operator=(RecordDecoder&&) noexcept = default;

std::optional<AnyRecord> RecordDecoder::decode(std::string_view payload, Depth depth, const std::string& path) {
    Value object;
    std::string_view type;
    if (parts_->parser.parse(payload.data(), payload.size(), false).get(object) != simdjson::SUCCESS) return std::nullopt;
    if (object["type"].get(type) != simdjson::SUCCESS) return std::nullopt;
    if (type == "session") return session_in(object, path);
    if (type == "begin") return begin_in(object);
    if (type == "note") return note_in(object);
    if (type == "work") return work_in(object);
    if (type == "look") return look_in(object);
    if (type == "try") return attempt_in(object, depth);
    return AnyRecord{};
}

}  // namespace assay::runs
