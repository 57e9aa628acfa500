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

std::optional<std::int64_t> count(element value) {
    std::int64_t whole = 0;
    if (value.get(whole) == simdjson::SUCCESS) return whole >= 0 ? std::optional(whole) : std::nullopt;
    double real = 0;
    if (value.get(real) != simdjson::SUCCESS || real < 0 || real > 9e15 || real != std::floor(real)) return std::nullopt;
    return static_cast<std::int64_t>(real);
}

void read_usage(element value, Chunk& chunk) {
    object usage;
    if (value.get(usage) != simdjson::SUCCESS) return;
    chunk.has_usage = true;
    const auto take = [](std::optional<std::int64_t>& into, element from) {
        if (const auto tokens = count(from)) into = tokens;
    };
    for (const auto& [key, field] : usage) {
        if (key == "prompt_tokens") take(chunk.usage.prompt_tokens, field);
        if (key == "completion_tokens") take(chunk.usage.completion_tokens, field);
        if (key == "reasoning_tokens") take(chunk.usage.reasoning_tokens, field);
    }
    element reasoning;
    if (usage.at_key("completion_tokens_details").at_key("reasoning_tokens").get(reasoning) == simdjson::SUCCESS) {
        take(chunk.usage.reasoning_tokens, reasoning);
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
    void read_choices(element value, Chunk& chunk);
    void read_choice(element choice, Chunk& chunk);
    void read_message(element value, Chunk& chunk);
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

// Objects are walked once, key by key: looking each key up would walk them again and again.
void ChunkReader::Parts::read_object(object document, Chunk& chunk) {
    content.clear();
    reasoning.clear();
    words.clear();
    bool may_be_error = false;
    std::optional<element> usage;
    for (const auto& [key, value] : document) {
        if (key == "choices") {
            read_choices(value, chunk);
        } else if (key == "model") {
            chunk.model = string_or_empty(value);
        } else if (key == "usage") {
            usage = value;
        } else if (key == "error" || key == "error_msg" || (key == "object" && string_or_empty(value) == "error")) {
            may_be_error = true;
        }
    }
    if (usage) read_usage(*usage, chunk);  // after those of choices: the top one counts
    if (may_be_error && has_error(document)) {
        chunk.has_error = true;
        words = error_words(document);
    }
    chunk.error = words;
}

void ChunkReader::Parts::read_choices(element value, Chunk& chunk) {
    array choices;
    if (value.get(choices) != simdjson::SUCCESS) return;
    chunk.has_choices = true;
    for (const element choice : choices) {
        ++chunk.choices;
        read_choice(choice, chunk);
    }
}

void ChunkReader::Parts::read_choice(element choice, Chunk& chunk) {
    object fields;
    if (choice.get(fields) != simdjson::SUCCESS) {
        chunk.wrong_choice = true;
        return;
    }
    for (const auto& [key, value] : fields) {
        if (key == "index") {
            if (!value.is_null() && count(value) != 0) chunk.wrong_choice = true;
        } else if (key == "delta" || key == "message") {
            read_message(value, chunk);
        } else if (key == "finish_reason") {
            if (!value.is_null()) chunk.finish_reason = value.is_string() ? string_or_empty(value) : std::string_view("(not a string)");
        } else if (key == "usage") {
            read_usage(value, chunk);
        } else if (key == "error" && has_error(fields)) {
            chunk.has_error = true;
            words = error_words(fields);
        }
    }
}

void ChunkReader::Parts::read_message(element value, Chunk& chunk) {
    object message;
    if (value.get(message) != simdjson::SUCCESS) return;
    std::string_view reasoning_content;
    std::string_view plain_reasoning;
    array parts;
    bool has_details = false;
    bool has_parts = false;
    array details;
    for (const auto& [key, field] : message) {
        if (key == "content") {
            chunk.content = string_or_empty(field);
            has_parts = field.get(parts) == simdjson::SUCCESS;
        } else if (key == "reasoning_content") {
            reasoning_content = string_or_empty(field);
        } else if (key == "reasoning") {
            plain_reasoning = string_or_empty(field);
        } else if (key == "reasoning_details") {
            has_details = field.get(details) == simdjson::SUCCESS;
        }
    }
    if (!reasoning_content.empty()) {
        chunk.reasoning = reasoning_content;
        chunk.reasoning_field = "reasoning_content";
    } else if (!plain_reasoning.empty()) {
        chunk.reasoning = plain_reasoning;
        chunk.reasoning_field = "reasoning";
    } else if (has_details) {
        gather(details, "text", reasoning);
        chunk.reasoning = reasoning;
        if (!reasoning.empty()) chunk.reasoning_field = "reasoning_details";
    }
    if (has_parts) read_content_parts(parts, chunk);
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
