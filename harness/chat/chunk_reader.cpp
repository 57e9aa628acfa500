#include "harness/chat/chunk_reader.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/chat/error_words.hpp"
#include "harness/chat/json_fields.hpp"
#include "harness/chat/text_repair.hpp"

namespace assay::chat {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::size_t deepest = 64;
constexpr std::size_t kept_capacity = 1 << 20;  // after a larger text the parser's memory is given back

std::optional<std::int64_t> count(object from, std::string_view key) {
    element value;
    if (from.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
    std::int64_t whole = 0;
    if (value.get(whole) == simdjson::SUCCESS) return whole >= 0 ? std::optional(whole) : std::nullopt;
    double real = 0;
    if (value.get(real) != simdjson::SUCCESS || real < 0 || real > 9e15 || real != std::floor(real)) return std::nullopt;
    return static_cast<std::int64_t>(real);
}

void read_usage(object from, Chunk& chunk) {
    object usage;
    if (from.at_key("usage").get(usage) != simdjson::SUCCESS) return;
    chunk.has_usage = true;
    const auto merge = [](std::optional<std::int64_t>& into, std::optional<std::int64_t> value) {
        if (value) into = value;
    };
    merge(chunk.usage.prompt_tokens, count(usage, "prompt_tokens"));
    merge(chunk.usage.completion_tokens, count(usage, "completion_tokens"));
    merge(chunk.usage.reasoning_tokens, count(usage, "reasoning_tokens"));
    object details;
    if (usage.at_key("completion_tokens_details").get(details) == simdjson::SUCCESS) {
        merge(chunk.usage.reasoning_tokens, count(details, "reasoning_tokens"));
    }
}

// Appends the texts of an array of parts: strings, or objects whose `key` is a string or again such an array.
void gather(array parts, std::string_view key, std::string& into) {
    for (const element part : parts) {
        object fields;
        if (part.is_string()) {
            into += std::string_view(part);
        } else if (part.get(fields) == simdjson::SUCCESS) {
            into += string_field(fields, key);
        }
    }
}

}  // namespace

struct ChunkReader::Parts {
    simdjson::dom::parser parser;
    std::string repaired;
    std::string content;  // texts that had to be put together from parts
    std::string reasoning;
    std::string words;

    simdjson::error_code parse(std::string_view json, element& document, std::int64_t& repairs);
    void read_object(object document, Chunk& chunk);
    void read_choice(element choice, Chunk& chunk);
    void read_message(object message, Chunk& chunk);
    void read_content_parts(array parts, Chunk& chunk);
};

ChunkReader::ChunkReader() : parts_(std::make_unique<Parts>()) {}
ChunkReader::~ChunkReader() = default;

simdjson::error_code ChunkReader::Parts::parse(std::string_view json, element& document, std::int64_t& repairs) {
    if (parser.capacity() < json.size() || parser.max_depth() != deepest) {
        if (const auto code = parser.allocate(std::max<std::size_t>(json.size(), 4096), deepest); code != simdjson::SUCCESS) return code;
    }
    auto code = parser.parse(json.data(), json.size()).get(document);  // copies into a padded buffer that it keeps
    if (code != simdjson::UTF8_ERROR && code != simdjson::STRING_ERROR) return code;
    Repaired utf8 = repair_utf8(json);
    Repaired whole = repair_surrogate_escapes(utf8.text);
    if (utf8.replaced + whole.replaced == 0) return code;
    repaired = std::move(whole.text);
    if (parser.capacity() < repaired.size()) {
        if (const auto grown = parser.allocate(repaired.size(), deepest); grown != simdjson::SUCCESS) return grown;
    }
    code = parser.parse(repaired.data(), repaired.size()).get(document);
    repairs = utf8.replaced + whole.replaced;
    return code;
}

Chunk ChunkReader::read(std::string_view json) {
    if (parts_->parser.capacity() > kept_capacity) parts_->parser = simdjson::dom::parser();
    Chunk chunk;
    element document;
    const auto code = parts_->parse(json, document, chunk.repaired);
    if (code != simdjson::SUCCESS) {
        chunk.problem = simdjson::error_message(code);
        return chunk;
    }
    chunk.is_json = true;
    chunk.is_null = document.is_null();
    object fields;
    if (document.get(fields) == simdjson::SUCCESS) {
        chunk.is_object = true;
        parts_->read_object(fields, chunk);
    }
    return chunk;
}

std::string ChunkReader::error_text(std::string_view body) {
    const auto from = body.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos) return {};
    body.remove_prefix(from);
    if (body.starts_with("data:")) body.remove_prefix(5);
    element document;
    object fields;
    std::int64_t repairs = 0;
    if (parts_->parse(body, document, repairs) == simdjson::SUCCESS && document.get(fields) == simdjson::SUCCESS) {
        return error_words(fields);
    }
    return repair_utf8(body.substr(0, 512)).text;
}

void ChunkReader::Parts::read_object(object document, Chunk& chunk) {
    content.clear();
    reasoning.clear();
    words.clear();
    chunk.model = string_field(document, "model");
    if (has_error(document)) {
        chunk.has_error = true;
        words = error_words(document);
    }
    array choices;
    if (document.at_key("choices").get(choices) == simdjson::SUCCESS) {
        chunk.has_choices = true;
        for (const element choice : choices) {
            ++chunk.choices;
            read_choice(choice, chunk);
        }
    }
    read_usage(document, chunk);
    chunk.error = words;
}

void ChunkReader::Parts::read_choice(element choice, Chunk& chunk) {
    object fields;
    if (choice.get(fields) != simdjson::SUCCESS || count(fields, "index").value_or(0) != 0) {
        chunk.wrong_choice = true;
        return;
    }
    object message;
    if (fields.at_key("delta").get(message) == simdjson::SUCCESS || fields.at_key("message").get(message) == simdjson::SUCCESS) {
        read_message(message, chunk);
    }
    element reason;
    if (fields.at_key("finish_reason").get(reason) == simdjson::SUCCESS && !reason.is_null()) {
        chunk.finish_reason = reason.is_string() ? std::string_view(reason) : std::string_view("(not a string)");
    }
    if (has_error(fields) && !chunk.has_error) {
        chunk.has_error = true;
        words = error_words(fields);
    }
    read_usage(fields, chunk);
}

void ChunkReader::Parts::read_message(object message, Chunk& chunk) {
    for (const char* field : {"reasoning_content", "reasoning"}) {
        const std::string_view text = string_field(message, field);
        if (text.empty()) continue;
        chunk.reasoning = text;
        chunk.reasoning_field = field;
        break;
    }
    array parts;
    if (chunk.reasoning.empty() && message.at_key("reasoning_details").get(parts) == simdjson::SUCCESS) {
        gather(parts, "text", reasoning);
        chunk.reasoning = reasoning;
        if (!reasoning.empty()) chunk.reasoning_field = "reasoning_details";
    }
    chunk.content = string_field(message, "content");
    if (message.at_key("content").get(parts) == simdjson::SUCCESS) read_content_parts(parts, chunk);
}

void ChunkReader::Parts::read_content_parts(array parts, Chunk& chunk) {
    gather(parts, "text", content);
    chunk.content = content;
    if (!chunk.reasoning.empty()) return;
    // Parts of type "thinking" carry a string or a list of text parts (Mistral).
    for (const element part : parts) {
        object fields;
        array inner;
        if (part.get(fields) != simdjson::SUCCESS) continue;
        reasoning += string_field(fields, "thinking");
        if (fields.at_key("thinking").get(inner) == simdjson::SUCCESS) gather(inner, "text", reasoning);
    }
    if (reasoning.empty()) return;
    chunk.reasoning = reasoning;
    chunk.reasoning_field = "thinking";
}

}  // namespace assay::chat
