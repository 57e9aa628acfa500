#include "datasets/checkpoints/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace assay::checkpoints {

std::string json_text(std::string_view text) {
    // Names of tensors, of which there may be a million, are plain.
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
    if (!plain) return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string out;
    out.reserve(text.size() + 2);
    out += '"';
    out += text;
    out += '"';
    return out;
}

}  // namespace assay::checkpoints
