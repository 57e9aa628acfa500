#include "datasets/questions/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "datasets/questions/unicode.hpp"
#include "harness/error.hpp"

namespace assay::questions {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view expectation = "expected a CSV file with GPQA's column names, or NeMo-Skills' prepared JSON lines";

struct Signature {
    std::string_view start;
    std::string_view meaning;
};

constexpr std::array<Signature, 7> signatures{{
    {"PK\x03\x04"sv, "a zip archive; unpack it and give the file inside"},
    {"\x1f\x8b"sv, "compressed with gzip; unpack it first"},
    {"\x28\xb5\x2f\xfd"sv, "compressed with zstd; unpack it first"},
    {"PAR1"sv, "a Parquet file; export it as CSV first"},
    {"\xff\xfe"sv, "text in UTF-16; save it as UTF-8"},
    {"\xfe\xff"sv, "text in UTF-16; save it as UTF-8"},
    {"version https://git-lfs.github.com/spec/"sv, "a Git LFS pointer, not the file itself; fetch the file with 'git lfs pull'"},
}};

[[noreturn]] void fail(const std::string& file, std::string_view what) {
    throw Error(fmt::format("{}: this is {}; {}", file, what, expectation));
}

std::ptrdiff_t line_of(std::string_view text, std::size_t offset) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
}

void check_is_text(std::string_view bytes, const std::string& file) {
    if (const std::size_t at = bytes.find('\0'); at != std::string_view::npos) {
        throw Error(fmt::format("{}: a NUL byte on line {} (offset {}), so this is not a text file or it is damaged; {}", file, line_of(bytes, at), at, expectation));
    }
    if (const auto at = first_invalid_utf8(bytes)) {
        throw Error(fmt::format("{}: byte 0x{:02x} on line {} (offset {}) is not valid UTF-8; save the file as UTF-8", file,
                                static_cast<unsigned char>(bytes[*at]), line_of(bytes, *at), *at));
    }
}

}  // namespace

TextFile text_of_file(std::string_view bytes, const std::string& file) {
    for (const Signature& signature : signatures) {
        if (bytes.starts_with(signature.start)) fail(file, signature.meaning);
    }
    check_is_text(bytes, file);
    const std::string_view text = bytes.starts_with(byte_order_mark) ? bytes.substr(byte_order_mark.size()) : bytes;
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) throw Error(fmt::format("{}: the file is empty; {}", file, expectation));
    switch (text[start]) {
        case '<': fail(file, "HTML or XML, perhaps an error page saved under this name; download the file again");
        case '[': fail(file, "a JSON array; write one object a line");
        case '{': return {FileKind::json_lines, text};
        default: return {FileKind::csv, text};
    }
}

}  // namespace assay::questions
