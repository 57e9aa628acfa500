#include "scorers/multichoice/utf8.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

namespace assay::multichoice {
namespace {

struct Sequence {
    std::size_t length;  // bytes it takes, at least 1
    bool valid;
};

// The well-formed ranges of table 3-7 of the Unicode standard: the second byte's range depends on the first.
Sequence sequence_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(at);
    if (lead < 0x80) return {1, true};
    std::size_t wanted = 0;
    unsigned low = 0x80;
    unsigned high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        wanted = 1;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        wanted = 2;
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        wanted = 3;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
    } else {
        return {1, false};
    }
    for (std::size_t i = 1; i <= wanted; ++i) {
        if (at + i >= text.size() || byte(at + i) < low || byte(at + i) > high) return {i, false};
        low = 0x80;
        high = 0xBF;
    }
    return {wanted + 1, true};
}

// Bytes from `at` on that are plain ASCII, eight at a time.
std::size_t ascii_run(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end + 8 <= text.size()) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + end, 8);
        if ((word & 0x8080808080808080ULL) != 0) break;
        end += 8;
    }
    while (end < text.size() && static_cast<unsigned char>(text[end]) < 0x80) ++end;
    return end - at;
}

std::size_t valid_prefix(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        at += ascii_run(text, at);
        if (at == text.size()) break;
        const Sequence sequence = sequence_at(text, at);
        if (!sequence.valid) break;
        at += sequence.length;
    }
    return at;
}

}  // namespace

bool Utf8View::is_one_code_point() const noexcept {
    if (bytes_.empty() || bytes_.size() > 4) return false;
    for (std::size_t i = 1; i < bytes_.size(); ++i) {
        if (starts_code_point(bytes_[i])) return false;
    }
    return true;
}

RepairedText::RepairedText(std::string_view bytes) : valid_(bytes) { repair(bytes); }

RepairedText::RepairedText(std::string&& bytes) {
    const std::string given = std::move(bytes);
    valid_ = given;
    repair(given);
    if (repaired_) return;
    copy_ = given;
    valid_ = copy_;
}

void RepairedText::repair(std::string_view bytes) {
    std::size_t done = 0;
    while (true) {
        const std::size_t good = valid_prefix(bytes, done);
        if (good == bytes.size() && !repaired_) return;
        copy_.append(bytes, done, good - done);
        if (good == bytes.size()) break;
        copy_ += "\xEF\xBF\xBD";
        repaired_ = true;
        done = good + sequence_at(bytes, good).length;
    }
    valid_ = copy_;
}

}  // namespace assay::multichoice
