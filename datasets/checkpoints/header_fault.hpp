// HeaderFault: one way in which a file breaks the rules of safetensors, with the evidence.
//
// The kinds follow the errors of the reference reader in the order of its checks, told apart further where it
// gives one name to several causes (a hole and an overlap are both InvalidOffset there, trailing and missing
// bytes both MetadataIncompleteBuffer). Source: safetensors 0.8, safetensors/src/tensor.rs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::checkpoints {

enum class HeaderFaultKind : std::uint8_t {
    unreadable,          // the operating system refused to read the header
    git_lfs_pointer,     // a Git LFS pointer stands where the file should be
    gguf_file,           // another container: GGUF
    file_too_small,      // under 8 bytes
    header_too_large,    // a length above 100,000,000
    header_beyond_file,  // 8 + length passes the end of the file
    not_utf8,
    leading_byte,  // the header does not begin with '{' (the reference reader lets white space pass)
    not_json,
    wrong_type,     // a value of a type the format does not have there: a float as offset, a number as metadata
    missing_field,  // a tensor without dtype, shape or data_offsets
    unknown_dtype,
    duplicate_key,     // a tensor, a field or __metadata__ twice: readers keep the last one and say nothing
    reversed_offsets,  // end < begin
    shape_overflow,    // the product of the shape, in bits, passes 2^64
    misaligned_bits,   // a sub-byte type whose bits are no whole bytes
    size_mismatch,     // end - begin is not what shape and dtype need
    hole,              // bytes between two tensors that belong to none
    overlap,           // bytes that belong to two tensors
    truncated,         // the data end before the last tensor does
    trailing_bytes,    // the file goes on after the last tensor
};

// The name in reports: "header_too_large".
[[nodiscard]] std::string_view to_string(HeaderFaultKind kind) noexcept;

struct HeaderFault {
    HeaderFaultKind kind{};
    std::string message;         // one line with the numbers that prove it; may hold untrusted names
    std::string tensor;          // the tensor concerned; empty where none
    std::string other_tensor;    // the second of an overlap, a hole or a duplicate; empty where none
    std::uint64_t offset = 0;    // byte of the file at which it shows
    std::uint64_t expected = 0;  // bytes, offset or count the rules ask for, where the kind has one
    std::uint64_t found = 0;     // and what is there
};

}  // namespace assay::checkpoints
