#include "datasets/checkpoints/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "datasets/checkpoints/header_json.hpp"
#include "datasets/checkpoints/lfs_pointer.hpp"

namespace assay::checkpoints {
namespace {

using Kind = HeaderFaultKind;

std::uint64_t little_endian_u64(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    for (int i = 7; i >= 0; --i) value = value << 8 | static_cast<std::uint64_t>(bytes[static_cast<std::size_t>(i)]);
    return value;
}

// What stands at the start of a file that is no safetensors file but is something else we know; adds the fault.
bool is_other_format(const files::ByteReader& file, Header& header) {
    files::Buffer buffer;
    const std::size_t length = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), largest_lfs_pointer));
    const files::View start = file.view(0, length, buffer);
    if (!start.whole()) return false;
    const std::string_view text(reinterpret_cast<const char*>(start.bytes.data()), start.bytes.size());
    if (text.starts_with("GGUF")) {
        add_fault(header, {Kind::gguf_file,
                           "this is a GGUF file; its split nibble order is not read here: use the safetensors release",
                           {},
                           {},
                           0,
                           0,
                           0});
        return true;
    }
    const auto pointer = parse_lfs_pointer(text);
    if (!pointer) return false;
    add_fault(
        header,
        {Kind::git_lfs_pointer,
         fmt::format("a Git LFS pointer stands here instead of the file (oid {}, {} bytes): fetch it with git lfs pull",
                     pointer->oid, pointer->size),
         {},
         {},
         0,
         pointer->size,
         file.size()});
    return true;
}

// What the bytes where a header's length should stand look like, for lengths that make no sense.
std::string looks_like(std::span<const std::byte> prefix) {
    const std::string_view text(reinterpret_cast<const char*>(prefix.data()), prefix.size());
    if (text.starts_with("PK\3\4")) return "; the file begins as a zip archive, as PyTorch's own files are";
    if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; })) return {};
    return fmt::format("; the file begins with the text '{}', and is no safetensors file", text);
}

}  // namespace

Header read_header(const files::ByteReader& file) {
    Header header;
    if (is_other_format(file, header)) return header;
    if (file.size() < 8) {
        add_fault(header, {Kind::file_too_small,
                           fmt::format("the file has {} byte{}; a safetensors file begins with 8 bytes of header length",
                                       file.size(), file.size() == 1 ? "" : "s"),
                           {},
                           {},
                           0,
                           8,
                           file.size()});
        return header;
    }
    files::Buffer buffer;
    const files::View prefix = file.view(0, 8, buffer);
    if (!prefix.whole()) {
        add_fault(header, {Kind::unreadable, prefix.fault, {}, {}, 0, 8, 0});
        return header;
    }
    header.length = little_endian_u64(prefix.bytes);
    if (header.length > largest_header) {
        add_fault(header, {Kind::header_too_large,
                           fmt::format("the header length is {}, above the limit of {}{}", header.length,
                                       largest_header, looks_like(prefix.bytes)),
                           {},
                           {},
                           0,
                           largest_header,
                           header.length});
        return header;
    }
    if (header.length > file.size() - 8) {
        add_fault(header,
                  {Kind::header_beyond_file,
                   fmt::format("the header of {} bytes does not fit in the file of {}", header.length, file.size()),
                   {},
                   {},
                   0,
                   8 + header.length,
                   file.size()});
        return header;
    }
    const files::View json = file.view(8, static_cast<std::size_t>(header.length), buffer);
    if (!json.whole()) {
        add_fault(header, {Kind::unreadable, json.fault, {}, {}, 8, header.length, 0});
        return header;
    }
    return parse_header(json.bytes, file.size());
}

Header parse_header(std::span<const std::byte> json, std::uint64_t file_size) {
    Header header;
    header.length = json.size();
    read_header_json(json, header);
    if (header.readable) check_tensors(header, 8 + json.size(), file_size);
    return header;
}

}  // namespace assay::checkpoints
