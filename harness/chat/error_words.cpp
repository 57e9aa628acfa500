#include "harness/chat/error_words.hpp"

#include <string_view>

#include "harness/chat/json_fields.hpp"

namespace assay::chat {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// A string as it is, null as nothing, anything else as JSON.
std::string text_at(object from, std::string_view key) {
    element value;
    if (from.at_key(key).get(value) != simdjson::SUCCESS || value.is_null()) return {};
    if (value.is_string()) return std::string(std::string_view(value));
    return simdjson::minify(value);
}

std::string described(object error) {
    std::string words = text_at(error, "message");
    if (words.empty()) words = text_at(error, "error_msg");
    if (words.empty()) words = text_at(error, "msg");
    if (words.empty()) words = simdjson::minify(error);
    std::string kind;
    for (const char* key : {"type", "code"}) {
        const std::string value = text_at(error, key);
        if (value.empty() || words.find(value) != std::string::npos) continue;
        kind += kind.empty() ? value : ", " + value;
    }
    object metadata;
    if (error.at_key("metadata").get(metadata) == simdjson::SUCCESS) {
        if (const std::string raw = text_at(metadata, "raw"); !raw.empty()) words += ": " + raw;
    }
    return kind.empty() ? words : words + " (" + kind + ")";
}

// FastAPI's list of what it could not accept: the places and the reasons, not the echoed input.
std::string described(array details) {
    std::string words;
    for (const element detail : details) {
        object fields;
        if (detail.get(fields) != simdjson::SUCCESS) continue;
        if (!words.empty()) words += "; ";
        words += text_at(fields, "loc") + " " + text_at(fields, "msg");
    }
    return words;
}

}  // namespace

bool has_error(object document) {
    if (string_field(document, "object") == "error") return true;
    if (!string_field(document, "error_msg").empty()) return true;
    element error;
    if (document.at_key("error").get(error) != simdjson::SUCCESS || error.is_null()) return false;
    if (error.is_string()) return !std::string_view(error).empty();
    bool flag = true;
    if (error.get(flag) == simdjson::SUCCESS) return flag;
    return true;
}

std::string error_words(object document) {
    element error;
    object fields;
    if (document.at_key("error").get(error) == simdjson::SUCCESS && !error.is_null()) {
        if (error.get(fields) == simdjson::SUCCESS) return described(fields);
        if (error.is_string()) {
            const std::string message = text_at(document, "message");
            const std::string words(std::string_view{error});
            return message.empty() ? words : words + ": " + message;
        }
    }
    array details;
    if (document.at_key("detail").get(details) == simdjson::SUCCESS) return described(details);
    if (const std::string detail = text_at(document, "detail"); !detail.empty()) return detail;
    return described(document);
}

}  // namespace assay::chat
