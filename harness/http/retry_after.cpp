#include "harness/http/retry_after.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <string>
#include <string_view>

namespace assay::http {
namespace {

// A decimal number at the front of `text`, which is taken off; nothing where there is none.
std::optional<double> take_number(std::string_view& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<double> number(std::string_view text) {
    const auto value = take_number(text);
    return text.empty() ? value : std::nullopt;
}

std::optional<double> unit_s(std::string_view& text) {
    struct Unit {
        std::string_view name;
        double seconds;
    };
    for (const Unit& unit : {Unit{"ms", 1e-3}, Unit{"us", 1e-6}, Unit{"h", 3600.0}, Unit{"m", 60.0}, Unit{"s", 1.0}, Unit{"d", 86400.0}}) {
        if (!text.starts_with(unit.name)) continue;
        text.remove_prefix(unit.name.size());
        return unit.seconds;
    }
    return std::nullopt;
}

std::optional<double> duration_s(std::string_view text, std::int64_t now_unix_s) {
    if (text.empty()) return std::nullopt;
    if (const auto plain = number(text)) return *plain > 1e9 ? *plain - static_cast<double>(now_unix_s) : *plain;
    double total = 0;
    while (!text.empty()) {
        const auto value = take_number(text);
        if (!value) return std::nullopt;
        const auto unit = unit_s(text);
        if (!unit) return std::nullopt;
        total += *value * *unit;
    }
    return total;
}

std::optional<double> date_s(std::string_view text, std::int64_t now_unix_s) {
    // curl_getdate takes far more than HTTP dates; a weekday name first is what all three forms of them have.
    if (text.size() < 8 || text[0] < 'A' || text[0] > 'Z') return std::nullopt;
    const std::time_t when = curl_getdate(std::string(text).c_str(), nullptr);
    if (when == -1) return std::nullopt;
    return static_cast<double>(when) - static_cast<double>(now_unix_s);
}

}  // namespace

std::optional<double> retry_after_s(const Headers& headers, std::int64_t now_unix_s) {
    if (const auto ms = number(headers.get("retry-after-ms"))) return *ms / 1e3;
    const std::string_view asked = headers.get("retry-after");
    if (const auto seconds = number(asked)) return seconds;
    if (const auto seconds = date_s(asked, now_unix_s)) return seconds;
    std::optional<double> longest;
    for (const std::string what : {"requests", "tokens"}) {
        if (number(headers.get("x-ratelimit-remaining-" + what)) != 0.0) continue;
        const auto reset = duration_s(headers.get("x-ratelimit-reset-" + what), now_unix_s);
        if (reset) longest = std::max(longest.value_or(*reset), *reset);
    }
    return longest;
}

}  // namespace assay::http
