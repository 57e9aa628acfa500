// Looking into simdjson objects. Private to this folder: the header of simdjson stays out of the others.
#pragma once

#include <simdjson.h>

#include <string_view>

namespace assay::chat {

// The string that `value` is, or empty where it is none.
inline std::string_view string_or_empty(simdjson::dom::element value) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return {};
    return text;
}

// The string at `key`, or empty where there is none or it is no string.
inline std::string_view string_field(simdjson::dom::object from, std::string_view key) {
    std::string_view text;
    if (from.at_key(key).get(text) != simdjson::SUCCESS) return {};
    return text;
}

}  // namespace assay::chat
