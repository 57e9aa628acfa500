#include "harness/journal/frame.hpp"

#include <xxhash.h>

#include <array>
#include <cassert>
#include <charconv>

namespace assay::journal {
namespace {

constexpr std::string_view before_seq = R"({"seq":)";
constexpr std::string_view before_checksum = R"(,"xxh3":")";
constexpr std::string_view before_payload = R"(","payload":)";
constexpr std::size_t checksum_digits = 16;

std::array<char, checksum_digits> checksum_of(std::string_view payload) noexcept {
    std::uint64_t hash = XXH3_64bits(payload.data(), payload.size());
    std::array<char, checksum_digits> digits{};
    for (std::size_t i = checksum_digits; i-- > 0; hash >>= 4) digits[i] = "0123456789abcdef"[hash & 15];
    return digits;
}

bool take(std::string_view& text, std::string_view expected) noexcept {
    if (text.substr(0, expected.size()) != expected) return false;
    text.remove_prefix(expected.size());
    return true;
}

std::optional<std::int64_t> take_seq(std::string_view& text) noexcept {
    if (!take(text, before_seq)) return std::nullopt;
    std::int64_t seq = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seq);
    // A sign or a leading zero is not what the writer writes: one spelling a number, so that any flip shows.
    if (error != std::errc() || text.front() < '1' || text.front() > '9' || seq > max_seq) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return seq;
}

}  // namespace

std::string_view to_string(Fault fault) noexcept {
    switch (fault) {
        case Fault::syntax: return "not a journal record";
        case Fault::checksum: return "its checksum differs";
        case Fault::too_long: return "longer than any record";
    }
    return "";
}

void append_line(std::string& out, std::int64_t seq, std::string_view payload) {
    assert(seq >= 1 && seq <= max_seq);
    assert(payload.size() >= 2 && payload.front() == '{' && payload.back() == '}');
    assert(payload.find('\n') == std::string_view::npos);
    const auto checksum = checksum_of(payload);
    out.reserve(out.size() + payload.size() + 80);
    out.append(before_seq).append(std::to_string(seq)).append(before_checksum);
    out.append(checksum.data(), checksum.size()).append(before_payload).append(payload).append("}\n");
}

ParsedLine parse_line(std::string_view line) noexcept {
    const auto seq = take_seq(line);
    if (!seq || !take(line, before_checksum) || line.size() < checksum_digits) return {std::nullopt, Fault::syntax};
    const std::string_view checksum = line.substr(0, checksum_digits);
    line.remove_prefix(checksum_digits);
    if (!take(line, before_payload) || line.size() < 3 || line.back() != '}') return {std::nullopt, Fault::syntax};
    line.remove_suffix(1);
    if (line.size() > static_cast<std::size_t>(max_payload_bytes)) return {std::nullopt, Fault::too_long};
    const auto digits = checksum_of(line);
    if (checksum != std::string_view(digits.data(), digits.size())) return {std::nullopt, Fault::checksum};
    return {Frame{*seq, line}, Fault::syntax};
}

std::optional<std::int64_t> claimed_seq(std::string_view beginning) noexcept {
    const auto seq = take_seq(beginning);
    if (!seq || !take(beginning, before_checksum)) return std::nullopt;
    return seq;
}

}  // namespace assay::journal
