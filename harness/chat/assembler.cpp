#include "harness/chat/assembler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/chat/text_repair.hpp"
#include "harness/chat/think_tags.hpp"

namespace assay::chat {
namespace {

constexpr std::size_t most_error_bytes = 2048;
constexpr std::size_t most_error_body = 64 << 10;
constexpr std::size_t most_head = 200;
constexpr std::string_view white_space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const auto from = text.find_first_not_of(white_space);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(white_space) - from + 1);
}

bool speaks_of_overload(std::string_view words) {
    std::string lower(words);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    constexpr std::array<std::string_view, 4> marks{"overloaded", "timed out", "timeout", "try again later"};
    return std::any_of(marks.begin(), marks.end(), [&lower](std::string_view mark) { return lower.find(mark) != std::string::npos; });
}

}  // namespace

ReplyAssembler::ReplyAssembler(ChunkReader& reader, const Secrets& secrets, BodyLimits limits)
    : reader_(reader), secrets_(secrets), limits_(limits), parser_(static_cast<std::size_t>(limits.event_bytes)) {}

void ReplyAssembler::tell_form(long http_status, std::string_view bytes) {
    if (http_status < 200 || http_status >= 300) {
        form_ = Form::error;
        return;
    }
    // A byte order mark may come in pieces; its bytes start neither form.
    const auto from = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (from == std::string_view::npos) return;
    form_ = bytes[from] == '{' || bytes[from] == '[' ? Form::document : Form::events;
}

ReplyAssembler::Wants ReplyAssembler::add(long http_status, std::string_view bytes) {
    if (nothing_more_) return Wants::nothing;
    facts_.any_bytes = true;
    reply_.body_bytes += static_cast<std::int64_t>(bytes.size());
    if (form_ == Form::unknown) tell_form(http_status, bytes);
    if (form_ == Form::error) {
        body_.append(bytes.substr(0, most_error_body - std::min(most_error_body, body_.size())));
        return body_.size() < most_error_body ? Wants::more : Wants::nothing;
    }
    if (reply_.done_marker) return Wants::rest;
    if (reply_.body_bytes > limits_.response_bytes) {
        malformed(fmt::format("the response exceeds {} bytes", limits_.response_bytes));
        nothing_more_ = true;
        return Wants::nothing;
    }
    if (form_ == Form::events) return add_to_stream(bytes);
    body_.append(bytes);
    return Wants::more;
}

ReplyAssembler::Wants ReplyAssembler::add_to_stream(std::string_view bytes) {
    const EventParser::Sink sink = [this](const Event& event) { on_event(event); };
    if (!body_.empty()) parser_.feed(std::exchange(body_, {}), sink);
    if (!parser_.feed(bytes, sink) && !reply_.done_marker) {
        malformed(fmt::format("an event exceeds {} bytes", limits_.event_bytes));
        nothing_more_ = true;
        return Wants::nothing;
    }
    if (reply_.events == 0) head_.append(bytes.substr(0, most_head - std::min(most_head, head_.size())));
    return reply_.done_marker || !reply_.finish_reason.empty() ? Wants::rest : Wants::more;
}

void ReplyAssembler::on_event(const Event& event) {
    if (reply_.done_marker) return;
    if (event.error_field) return on_error_field(event.data);
    if (event.terminated) ++reply_.events;
    const std::string_view data = trimmed(event.data);
    if (data.starts_with("[DONE]")) {
        reply_.done_marker = true;
        reply_.unterminated_event = !event.terminated;
        return;
    }
    if (data.empty()) {
        ++reply_.ignored_chunks;
        return;
    }
    const Chunk chunk = reader_.read(event.data);
    const bool named_error = event.name == "error";
    if (!chunk.is_json && !named_error) return on_undecodable(event, chunk.problem);
    if (!event.terminated) {
        ++reply_.events;
        reply_.unterminated_event = true;
    }
    if (named_error && !chunk.has_error) {
        facts_.error_seen = true;
        return note(reader_.error_text(event.data));
    }
    take(chunk);
}

// llama.cpp once wrote "error: {...}" beside the events; anything but an object is just an unknown field.
void ReplyAssembler::on_error_field(std::string_view value) {
    if (!trimmed(value).starts_with('{')) return;
    facts_.error_seen = true;
    note(reader_.error_text(value));
}

void ReplyAssembler::on_undecodable(const Event& event, std::string_view problem) {
    if (!event.terminated) return;  // the stream was cut inside it, which its missing finish_reason tells
    if (event.name == "ping") {
        ++reply_.ignored_chunks;
        return;
    }
    malformed(fmt::format("event {} is not JSON ({}): {}", reply_.events, problem,
                          repair_utf8(event.data.substr(0, 200)).text));
}

void ReplyAssembler::take(const Chunk& chunk) {
    reply_.repaired += chunk.repaired;
    if (chunk.is_null || (chunk.is_object && !chunk.has_choices && !chunk.has_error && !chunk.has_usage)) ++reply_.ignored_chunks;
    if (chunk.is_null) return;
    if (!chunk.is_object) return malformed("an event holds JSON that is no object");
    if (chunk.has_error) {
        facts_.error_seen = true;
        note(std::string(chunk.error));
    }
    if (chunk.wrong_choice) malformed("a choice that was not asked for");
    take_text(chunk);
    if (!chunk.finish_reason.empty()) reply_.finish_reason = chunk.finish_reason;
    if (!chunk.model.empty() && reply_.model != chunk.model) reply_.model = chunk.model;
    if (!chunk.has_usage) return;
    const auto merge = [](std::optional<std::int64_t>& into, std::optional<std::int64_t> value) {
        if (value) into = value;
    };
    merge(reply_.usage.prompt_tokens, chunk.usage.prompt_tokens);
    merge(reply_.usage.completion_tokens, chunk.usage.completion_tokens);
    merge(reply_.usage.reasoning_tokens, chunk.usage.reasoning_tokens);
}

void ReplyAssembler::take_text(const Chunk& chunk) {
    if (chunk.content.empty() && chunk.reasoning.empty()) return;
    ++text_events_;
    reply_.content += chunk.content;
    reply_.reasoning += chunk.reasoning;
    if (reply_.reasoning_field.empty() && !chunk.reasoning.empty()) reply_.reasoning_field = chunk.reasoning_field;
}

void ReplyAssembler::finish_document() {
    facts_.whole_body = true;
    std::string_view text = body_;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const Chunk chunk = reader_.read(text);
    if (!chunk.is_json) return note(fmt::format("the body is not JSON ({}): {}", chunk.problem, repair_utf8(text.substr(0, 200)).text));
    if (!chunk.is_object) return malformed("the body is JSON but no object");
    take(chunk);
    if (chunk.choices == 0 && !chunk.has_error) malformed("the body has neither choices nor an error: " + reader_.error_text(text));
}

void ReplyAssembler::settle_texts() {
    if (reply_.reasoning.empty()) {
        Split split = split_think_tags(reply_.content);
        if (split.found) {
            reply_.reasoning = std::move(split.reasoning);
            reply_.reasoning_field = "<think>";
        }
    } else if (finish_from(reply_.finish_reason) == Finish::length && reply_.content == reply_.reasoning) {
        reply_.content.clear();  // some servers repeat a cut thought as content: no answer was given
    }
    facts_.has_content = !trimmed(reply_.content).empty();
    facts_.has_reasoning = !trimmed(reply_.reasoning).empty();
    facts_.finish_reason = reply_.finish_reason;
}

Reply ReplyAssembler::finish(const BodyEnd& end) {
    if (form_ == Form::document && !nothing_more_) finish_document();
    if (form_ == Form::events && !nothing_more_) parser_.finish([this](const Event& event) { on_event(event); });
    if (end.http_status >= 300 && end.http_status < 400) note(end.words);  // where it leads says more than the page
    if (form_ == Form::error) {
        std::string words = reader_.error_text(body_);
        facts_.transient_words = speaks_of_overload(words);
        note(std::move(words));
    }
    settle_texts();
    facts_.http_status = end.http_status;
    facts_.limit_passed = end.limit_passed;
    facts_.body_cut = end.curl_code != 0;
    facts_.foreign_bytes = form_ == Form::events && reply_.events == 0 && parser_.unknown_lines() > 0;
    if (facts_.foreign_bytes) note("the body is no event stream: " + repair_utf8(head_).text);
    facts_.done_accepted = limits_.accept_done_without_finish && reply_.done_marker;
    reply_.outcome = classify(facts_);
    reply_.missing_done = form_ == Form::events && !reply_.finish_reason.empty() && !reply_.done_marker;
    reply_.accepted_without_finish = is_scored(reply_.outcome) && reply_.finish_reason.empty();
    reply_.http_status = end.http_status;
    reply_.curl_code = end.curl_code;
    note(end.words);
    if (words_.empty() && !is_scored(reply_.outcome)) {
        words_ = reply_.done_marker ? "the stream ended with [DONE] and without a finish_reason" : "the response ended without a finish_reason";
        if (reply_.outcome == Outcome::aborted) words_ = "finish_reason " + reply_.finish_reason;
        if (end.http_status >= 300) words_ = fmt::format("status {} and no body", end.http_status);
    }
    const bool whole = is_scored(reply_.outcome);
    const std::string clean = secrets_.scrubbed(repair_utf8(words_).text);
    if (!whole) reply_.error = cut_utf8(clean, most_error_bytes);
    return std::move(reply_);
}

void ReplyAssembler::note(std::string words) {
    if (words_.empty()) words_ = std::move(words);
}

void ReplyAssembler::malformed(std::string words) {
    facts_.malformed_seen = true;
    note(std::move(words));
}

}  // namespace assay::chat
