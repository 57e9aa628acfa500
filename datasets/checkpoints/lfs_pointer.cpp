#include "datasets/checkpoints/lfs_pointer.hpp"

#include <algorithm>
#include <charconv>

namespace assay::checkpoints {

std::optional<LfsPointer> parse_lfs_pointer(std::string_view text) {
    if (!text.starts_with("version https://git-lfs") && !text.starts_with("version https://hawser"))
        return std::nullopt;
    LfsPointer pointer;
    bool sized = false;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.starts_with("oid ")) pointer.oid = line.substr(4, 7 + 64);
        if (line.starts_with("size ")) {
            const auto parsed = std::from_chars(line.data() + 5, line.data() + line.size(), pointer.size);
            sized = parsed.ec == std::errc{};
        }
    }
    const std::string_view digits = std::string_view(pointer.oid).substr(std::min<std::size_t>(pointer.oid.size(), 7));
    const bool hexadecimal = std::all_of(digits.begin(), digits.end(),
                                         [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
    if (!sized || !pointer.oid.starts_with("sha256:") || digits.size() != 64 || !hexadecimal) return std::nullopt;
    return pointer;
}

}  // namespace assay::checkpoints
