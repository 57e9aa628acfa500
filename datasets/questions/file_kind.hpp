// What a question file is, judged by its content.
#pragma once

#include <string>
#include <string_view>

namespace assay::questions {

enum class FileKind : unsigned char { csv, json_lines };

struct TextFile {
    FileKind kind = FileKind::csv;
    std::string_view text;  // the content without a byte order mark, valid UTF-8, not blank; a view of what was given
};

// `bytes` must outlive the result. Throws assay::Error, beginning with `file`, for content that cannot be a question file: empty,
// UTF-16, a NUL byte or invalid UTF-8 (with its line), a Git LFS pointer, an HTML page, an archive, a Parquet file, a JSON array.
[[nodiscard]] TextFile text_of_file(std::string_view bytes, const std::string& file);

}  // namespace assay::questions
