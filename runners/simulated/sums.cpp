#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "runners/simulated/keyed_responder.hpp"

namespace assay::runners {
namespace {

struct Operator {
    std::string_view sign;
    char kind;
};
constexpr std::array<Operator, 6> operators = {{{"*", '*'}, {"\xc3\x97", '*'}, {"x", '*'}, {"+", '+'}, {"-", '-'}, {"\xe2\x88\x92", '-'}}};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Takes a whole number of at most six digits off the front.
std::optional<std::int64_t> take_number(std::string_view& text) {
    const auto digits = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
    if (digits == 0 || digits > 6) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : text.substr(0, digits)) value = value * 10 + (c - '0');
    text.remove_prefix(digits);
    return value;
}

void skip_spaces(std::string_view& text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
}

std::string compute(std::string_view text) {
    const auto a = take_number(text);
    skip_spaces(text);
    const auto used = std::find_if(operators.begin(), operators.end(), [&](const Operator& one) { return text.starts_with(one.sign); });
    if (!a || used == operators.end()) return {};
    text.remove_prefix(used->sign.size());
    skip_spaces(text);
    const auto b = take_number(text);
    if (!b) return {};
    const std::int64_t result = used->kind == '*' ? *a * *b : used->kind == '+' ? *a + *b : *a - *b;
    return fmt::format("{} {} {} = {}", *a, used->kind, *b, result);
}

}  // namespace

std::string computed_sum(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_digit(text[i])) continue;
        if (std::string sum = compute(text.substr(i)); !sum.empty()) return sum;
        while (i + 1 < text.size() && is_digit(text[i + 1])) ++i;
    }
    return {};
}

}  // namespace assay::runners
