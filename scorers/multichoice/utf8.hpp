// Text that is known to be valid UTF-8, so that patterns can run on it without checking it again.
#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>

namespace assay::multichoice {

// True where a byte can begin a code point (or is ASCII).
[[nodiscard]] constexpr bool starts_code_point(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

// A piece of valid UTF-8 that somebody else owns. Made by RepairedText, or cut from another view.
class Utf8View {
public:
    Utf8View() = default;

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }

    // The piece [from, from + length) in bytes; both ends must lie between code points.
    [[nodiscard]] Utf8View substr(std::size_t from, std::size_t length = std::string_view::npos) const {
        Utf8View piece(bytes_.substr(from, length));
        assert(piece.empty() || starts_code_point(piece.bytes_.front()));
        assert(from + piece.size() == size() || starts_code_point(bytes_[from + piece.size()]));
        return piece;
    }

    // Exactly one code point.
    [[nodiscard]] bool is_one_code_point() const noexcept;

private:
    friend class RepairedText;
    explicit Utf8View(std::string_view bytes) noexcept : bytes_(bytes) {}

    std::string_view bytes_;
};

// Any bytes as valid UTF-8: where they are valid already they are only referred to (the caller keeps them
// alive), otherwise a copy is made in which every maximal ill-formed part is one U+FFFD, as the Unicode
// standard recommends (chapter 3, "U+FFFD substitution of maximal subparts") and Python's errors="replace" does.
class RepairedText {
public:
    explicit RepairedText(std::string_view bytes);
    explicit RepairedText(const std::string& bytes) : RepairedText(std::string_view(bytes)) {}
    explicit RepairedText(const char* bytes) : RepairedText(std::string_view(bytes)) {}
    explicit RepairedText(std::string&& bytes);  // a text of nobody else: kept here
    RepairedText(const RepairedText&) = delete;
    RepairedText& operator=(const RepairedText&) = delete;

    [[nodiscard]] Utf8View view() const noexcept { return Utf8View(valid_); }
    [[nodiscard]] bool repaired() const noexcept { return repaired_; }

private:
    void repair(std::string_view bytes);

    std::string copy_;  // unused where somebody else's bytes were valid
    std::string_view valid_;
    bool repaired_ = false;
};

}  // namespace assay::multichoice
