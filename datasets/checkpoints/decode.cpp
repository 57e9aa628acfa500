#include "datasets/checkpoints/decode.hpp"

#include <bit>

#include "datasets/checkpoints/number_formats.hpp"

namespace assay::checkpoints {
namespace {

std::uint64_t word(std::span<const std::byte> bytes, std::uint64_t index, unsigned size) {
    std::uint64_t value = 0;
    for (unsigned i = size; i-- > 0;) value = value << 8 | static_cast<std::uint64_t>(bytes[index * size + i]);
    return value;
}

// E5M2 is the upper half of F16.
double e5m2_value(std::uint8_t code) { return f16_value(static_cast<std::uint16_t>(code << 8)); }

double number(Dtype dtype, std::uint64_t code) {
    switch (dtype) {
        case Dtype::F8_E4M3: return e4m3_value(static_cast<std::uint8_t>(code));
        case Dtype::F8_E8M0: return e8m0_value(static_cast<std::uint8_t>(code));
        case Dtype::F8_E5M2: return e5m2_value(static_cast<std::uint8_t>(code));
        case Dtype::F16: return f16_value(static_cast<std::uint16_t>(code));
        case Dtype::BF16: return bf16_value(static_cast<std::uint16_t>(code));
        case Dtype::F32: return f32_value(static_cast<std::uint32_t>(code));
        case Dtype::F64: return std::bit_cast<double>(code);
        case Dtype::I8: return static_cast<std::int8_t>(code);
        case Dtype::I16: return static_cast<std::int16_t>(code);
        case Dtype::I32: return static_cast<std::int32_t>(code);
        case Dtype::I64: return static_cast<double>(static_cast<std::int64_t>(code));
        default: return static_cast<double>(code);
    }
}

}  // namespace

std::optional<double> decode(Dtype dtype, std::span<const std::byte> bytes, std::uint64_t index) {
    const unsigned bits = bits_of(dtype);
    if (dtype == Dtype::F4) {
        if (index / 2 >= bytes.size()) return std::nullopt;
        return e2m1_value(static_cast<unsigned>(bytes[index / 2]) >> (index % 2 * 4) & 15U);
    }
    if (bits == 6 || dtype == Dtype::F8_E4M3FNUZ || dtype == Dtype::F8_E5M2FNUZ || dtype == Dtype::C64)
        return std::nullopt;
    const unsigned size = bits / 8;
    if (index >= bytes.size() / size) return std::nullopt;
    return number(dtype, word(bytes, index, size));
}

}  // namespace assay::checkpoints
