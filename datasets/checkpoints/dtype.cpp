#include "datasets/checkpoints/dtype.hpp"

#include <array>

namespace assay::checkpoints {
namespace {

struct Row {
    std::string_view name;
    unsigned bits;
};

constexpr std::array<Row, dtype_count> rows{{
    {"BOOL", 8},    {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6},     {"U8", 8},          {"I8", 8},
    {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
    {"U16", 16},    {"F16", 16},    {"BF16", 16},   {"I32", 32},        {"U32", 32},        {"F32", 32},
    {"C64", 64},    {"F64", 64},    {"I64", 64},    {"U64", 64},
}};

}  // namespace

std::string_view to_string(Dtype dtype) noexcept { return rows[static_cast<std::size_t>(dtype)].name; }

std::optional<Dtype> dtype_from_string(std::string_view name) noexcept {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].name == name) return static_cast<Dtype>(i);
    }
    return std::nullopt;
}

unsigned bits_of(Dtype dtype) noexcept { return rows[static_cast<std::size_t>(dtype)].bits; }

}  // namespace assay::checkpoints
