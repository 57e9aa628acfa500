#include "harness/http/headers.hpp"

#include <algorithm>
#include <array>

namespace assay::http {
namespace {

constexpr std::array<std::string_view, 8> wanted{
    "content-type", "location", "retry-after", "retry-after-ms", "x-ratelimit-remaining-requests",
    "x-ratelimit-remaining-tokens", "x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"};
constexpr std::size_t most_value_bytes = 1024;

std::string_view trimmed(std::string_view text) {
    const auto from = text.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

}  // namespace

bool Headers::add(std::string_view line) {
    bytes_ += static_cast<std::int64_t>(line.size());
    if (bytes_ > most_bytes) return false;
    if (line.starts_with("HTTP/")) kept_.clear();
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return true;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return true;
    kept_.insert_or_assign(std::move(name), std::string(trimmed(line.substr(colon + 1)).substr(0, most_value_bytes)));
    return true;
}

std::string_view Headers::get(std::string_view name) const {
    const auto found = kept_.find(name);
    return found == kept_.end() ? std::string_view{} : std::string_view(found->second);
}

}  // namespace assay::http
