#include "datasets/checkpoints/closed_form_inverse.hpp"

#include <array>
#include <cassert>
#include <cmath>

namespace assay::checkpoints {
namespace {

constexpr std::int8_t no_exponent = 127;

constexpr std::array<std::int8_t, 256> exponents = [] {
    std::array<std::int8_t, 256> table{};
    table.fill(no_exponent);
    for (unsigned i = 0; i < 3; ++i) table[1U << i] = static_cast<std::int8_t>(static_cast<int>(i) - 9);
    for (unsigned field = 1; field < 16; ++field)
        table[field << 3] = static_cast<std::int8_t>(static_cast<int>(field) - 7);
    return table;
}();

}  // namespace

std::string_view to_string(NotClosedForm reason) noexcept {
    switch (reason) {
        case NotClosedForm::global_scale: return "a global scale that is no positive power of two";
        case NotClosedForm::no_power: return "a block scale that is no positive power of two";
        case NotClosedForm::unpaired: return "two halves of a 32-wide block with different scales";
        case NotClosedForm::out_of_range: return "a scale that E8M0 has no code for";
    }
    return "";
}

std::optional<int> global_exponent(GlobalScale kind, float stored) noexcept {
    assert(kind != GlobalScale::none);
    if (!std::isfinite(stored) || stored <= 0) return std::nullopt;
    int exponent = 0;
    if (std::frexp(stored, &exponent) != 0.5F) return std::nullopt;
    const int m = exponent - 1;
    return kind == GlobalScale::divisor ? -m : m;
}

std::optional<int> e4m3_exponent(std::uint8_t code) noexcept {
    if (exponents[code] == no_exponent) return std::nullopt;
    return exponents[code];
}

std::optional<InverseFault> undo_closed_form(int m, std::span<const std::byte> e4m3,
                                             std::span<std::byte> e8m0) noexcept {
    assert(e4m3.size() == 2 * e8m0.size());
    for (std::size_t i = 0; i < e8m0.size(); ++i) {
        const std::byte code = e4m3[2 * i];
        if (code != e4m3[2 * i + 1]) return InverseFault{NotClosedForm::unpaired, i};
        const std::int8_t exponent = exponents[static_cast<std::uint8_t>(code)];
        if (exponent == no_exponent) return InverseFault{NotClosedForm::no_power, i};
        const int undone = exponent + m + 127;
        if (undone < 0 || undone > 254) return InverseFault{NotClosedForm::out_of_range, i};
        e8m0[i] = static_cast<std::byte>(undone);
    }
    return std::nullopt;
}

}  // namespace assay::checkpoints
