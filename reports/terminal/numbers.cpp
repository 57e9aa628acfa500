#include "reports/terminal/numbers.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace assay::reports {

std::string percent(double fraction, int digits) {
    return fmt::format("{:.{}f}", 100.0 * fraction, digits);
}

std::string share(std::int64_t part, std::int64_t whole) {
    if (whole == 0) return "-";
    std::string text = percent(static_cast<double>(part) / static_cast<double>(whole));
    if (part > 0 && text == "0.00") return "< 0.01 %";
    if (part < whole && text == "100.00") return "> 99.99 %";
    return text + " %";
}

std::string p_value(double p) {
    if (p < 0.0001) return "< 0.0001";
    if (p >= 0.9995) return "1";
    return p < 0.01 ? fmt::format("{:.2g}", p) : fmt::format("{:.3f}", p);
}

std::string thousands(std::int64_t number) {
    const std::string digits = fmt::format("{}", number);
    const std::size_t sign = number < 0 ? 1 : 0;
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > sign && (digits.size() - i) % 3 == 0) out += ',';
        out += digits[i];
    }
    return out;
}

std::string compact(double number) {
    // The limits are where rounding would give a fourth digit.
    if (number < 999.5) return fmt::format("{:.0f}", number);
    const char* unit = "k";
    double value = number / 1e3;
    if (value >= 999.5) {
        unit = "M";
        value /= 1e3;
    }
    if (value >= 999.5) {
        unit = "G";
        value /= 1e3;
    }
    const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, digits, unit);
}

std::string duration(double seconds) {
    const auto whole = static_cast<std::int64_t>(seconds > 0 ? std::llround(std::min(seconds, 9e15)) : 0);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    const std::int64_t minutes = whole / 60;
    if (minutes < 24 * 60) return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
    const std::int64_t hours = minutes / 60;
    return fmt::format("{} d {:02} h", hours / 24, hours % 24);
}

std::string utc_time(double unix_seconds) {
    using namespace std::chrono;
    const sys_seconds instant{seconds{static_cast<std::int64_t>(std::floor(unix_seconds))}};
    const sys_days day = floor<days>(instant);
    const year_month_day date{day};
    const hh_mm_ss time{instant - day};
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), time.hours().count(),
                       time.minutes().count(), time.seconds().count());
}

std::string counted(std::int64_t count, const char* noun) {
    return fmt::format("{} {}{}", thousands(count), noun, count == 1 ? "" : "s");
}

}  // namespace assay::reports
