#include "datasets/checkpoints/header_fault.hpp"

#include <array>

namespace assay::checkpoints {

std::string_view to_string(HeaderFaultKind kind) noexcept {
    static constexpr std::array<std::string_view, 21> names{
        "unreadable",         "git_lfs_pointer", "gguf_file",     "file_too_small",   "header_too_large",
        "header_beyond_file", "not_utf8",        "leading_byte",  "not_json",         "wrong_type",
        "missing_field",      "unknown_dtype",   "duplicate_key", "reversed_offsets", "shape_overflow",
        "misaligned_bits",    "size_mismatch",   "hole",          "overlap",          "truncated",
        "trailing_bytes"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace assay::checkpoints
