#include "datasets/runs/nemo_row_parser.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include "harness/chat/outcome.hpp"

namespace assay::runs {
namespace {

namespace dom = simdjson::dom;
using chat::Outcome;

constexpr std::size_t max_error_bytes = 2048;

// What a row says beside what goes into NemoRow directly.
struct Raw {
    std::optional<std::string> error;
    std::optional<std::string> detailed_error;
    std::optional<std::string> generation;
    std::optional<double> generation_time_s;
};

// Text, or null, which is as good as absent.
bool get(dom::element value, std::optional<std::string>& target) {
    if (value.is_null()) return true;
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return false;
    target = text;
    return true;
}

bool get(dom::element value, std::string& target) {
    std::optional<std::string> text;
    if (!get(value, text)) return false;
    target = std::move(text).value_or("");
    return true;
}

template <class Number>
bool get_number(dom::element value, std::optional<Number>& target) {
    return value.is_null() || value.get(target.emplace()) == simdjson::SUCCESS;
}

bool take(std::string_view key, dom::element v, NemoRow& row, Raw& raw) {
    chat::Reply& reply = row.attempt.reply;
    if (key == "generation") return get(v, raw.generation);
    if (key == "reasoning_content") return get(v, reply.reasoning);
    if (key == "finish_reason") return get(v, reply.finish_reason);
    if (key == "num_generated_tokens") return get_number(v, reply.usage.completion_tokens);
    if (key == "num_reasoning_tokens") return get_number(v, reply.usage.reasoning_tokens);
    if (key == "num_input_tokens") return get_number(v, reply.usage.prompt_tokens);
    if (key == "generation_start_time") return get_number(v, row.attempt.started_unix_s);
    if (key == "generation_end_time") return get_number(v, row.attempt.ended_unix_s);
    if (key == "generation_time") return get_number(v, raw.generation_time_s);
    if (key == "error") return get(v, raw.error);
    if (key == "detailed_error") return get(v, raw.detailed_error);
    if (key == "expected_answer") return get(v, row.expected_answer);
    if (key == "subset_for_metrics") return get(v, row.subset);
    if (key == "problem") return get(v, row.problem);
    if (key == "predicted_answer") return get(v, row.predicted_answer);
    if (key == "symbolic_correct") {
        bool correct = false;
        row.judged = v.get(correct) == simdjson::SUCCESS;
        row.symbolic_correct = correct;
        return row.judged;
    }
    return true;
}

Outcome outcome_of(const chat::Reply& reply) {
    const std::string& reason = reply.finish_reason;
    if (reason == "length" || reason == "max_tokens" || reason == "model_length") return Outcome::truncated;
    if (reason == "content_filter") return Outcome::filtered;
    if (reason == "abort" || reason == "cancelled") return Outcome::aborted;
    if (reason == "error") return Outcome::server_error;
    if (!reply.content.empty()) return Outcome::complete;
    return reply.reasoning.empty() ? Outcome::empty : Outcome::answer_in_reasoning;
}

// Whole code points only.
std::string shortened(std::string text) {
    if (text.size() <= max_error_bytes) return text;
    std::size_t end = max_error_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    text.resize(end);
    return text;
}

void settle(NemoRow& row, Raw raw) {
    chat::Reply& reply = row.attempt.reply;
    row.attempt.tries = 1;
    reply.content = std::move(raw.generation).value_or("");
    if (raw.generation_time_s) reply.times.end_ms = 1000.0 * *raw.generation_time_s;
    reply.reasoning_field = reply.reasoning.empty() ? "" : "reasoning_content";
    if (raw.error && reply.content.empty()) {
        reply.outcome = Outcome::server_error;
        reply.usage = {};  // the row's 0 is no count
        reply.error = shortened(raw.detailed_error ? std::move(*raw.detailed_error) : std::move(*raw.error));
    } else {
        reply.outcome = outcome_of(reply);
    }
}

}  // namespace

struct NemoRowParser::Parts {
    dom::parser parser;
};

NemoRowParser::NemoRowParser() : parts_(std::make_unique<Parts>()) {}
NemoRowParser::~NemoRowParser() = default;

std::string NemoRowParser::parse(std::string_view line, NemoRow& row) {
    dom::object object;
    const auto error = parts_->parser.parse(line.data(), line.size(), false).get(object);
    if (error != simdjson::SUCCESS) return fmt::format("expected a JSON object ({})", simdjson::error_message(error));
    Raw raw;
    bool has_generation = false;
    for (const auto& [key, value] : object) {
        has_generation = has_generation || key == "generation";
        if (!take(key, value, row, raw)) return fmt::format("'{}' has an unexpected type", key);
    }
    if (!has_generation) return "expected a row of results, found none of 'generation'";
    settle(row, std::move(raw));
    return "";
}

}  // namespace assay::runs
