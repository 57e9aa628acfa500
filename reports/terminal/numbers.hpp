// Numbers as people read them. Independent of the locale; ASCII only.
#pragma once

#include <cstdint>
#include <string>

namespace assay::reports {

// A fraction in percent, without the sign: 0.929609 -> "92.96". Rounded to nearest, ties to even.
[[nodiscard]] std::string percent(double fraction, int digits = 2);

// part of whole in percent, with the sign: "0.57 %". Rounding never makes a part look like none or like all:
// "< 0.01 %" and "> 99.99 %". "-" where whole is 0.
[[nodiscard]] std::string share(std::int64_t part, std::int64_t whole);

// A probability: "0.0072", two digits that count; "< 0.0001" below that; "1" from 0.9995 on.
[[nodiscard]] std::string p_value(double p);

// 85085650944 -> "85,085,650,944".
[[nodiscard]] std::string thousands(std::int64_t number);

// A count of tokens or events in four columns or so: 950 -> "950", 12345 -> "12.3 k", 4560000 -> "4.56 M".
[[nodiscard]] std::string compact(double number);

// Seconds, in the two units that matter: "8 s", "2 min 05 s", "1 h 02 min", "3 d 04 h". Negative counts as 0.
[[nodiscard]] std::string duration(double seconds);

// Unix seconds as "2026-11-29 20:57:31 UTC".
[[nodiscard]] std::string utc_time(double unix_seconds);

// "1 question", "2 questions": the count with thousands separators and the noun, with an s unless there is one.
[[nodiscard]] std::string counted(std::int64_t count, const char* noun);

}  // namespace assay::reports
