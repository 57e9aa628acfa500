#include "datasets/questions/unicode.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace assay::questions {
namespace {

std::string encoded(char32_t c) {
    const auto byte = [](char32_t value) { return static_cast<char>(value); };
    if (c < 0x80) return {byte(c)};
    if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
    if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
    return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
}

TEST(Unicode, AcceptsEveryCodePointButSurrogates) {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        const std::string bytes = encoded(c);
        const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        ASSERT_EQ(first_invalid_utf8(bytes).has_value(), surrogate) << std::hex << static_cast<unsigned>(c);
    }
}

TEST(Unicode, FindsTheFirstByteThatIsNotUtf8) {
    EXPECT_EQ(first_invalid_utf8("abc\xffz"), 3U);
    EXPECT_EQ(first_invalid_utf8("ab\xc3"), 2U) << "cut in the middle of a letter";
    EXPECT_EQ(first_invalid_utf8("a\xc3\x28"), 1U);
    EXPECT_EQ(first_invalid_utf8("\x80"), 0U) << "a continuation without a start";
    EXPECT_EQ(first_invalid_utf8("\xc0\xaf"), 0U) << "an overlong form";
    EXPECT_EQ(first_invalid_utf8("\xe0\x9f\xbf"), 0U) << "an overlong form";
    EXPECT_EQ(first_invalid_utf8("\xf0\x8f\xbf\xbf"), 0U) << "an overlong form";
    EXPECT_EQ(first_invalid_utf8("\xf4\x90\x80\x80"), 0U) << "above U+10FFFF";
    EXPECT_EQ(first_invalid_utf8(""), std::nullopt);
}

TEST(Unicode, HasPythonsTwentyNineWhiteSpaces) {
    // [c for c in range(0x110000) if chr(c).isspace()] in CPython 3.11.
    const std::set<char32_t> expected{0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
                                      0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000};
    ASSERT_EQ(expected.size(), 29U);
    for (char32_t c = 0; c <= 0x10FFFF; ++c) ASSERT_EQ(is_python_space(c), expected.count(c) == 1) << std::hex << static_cast<unsigned>(c);
}

TEST(Unicode, StripsWhiteSpaceOfSeveralBytesAtBothEnds) {
    EXPECT_EQ(python_strip("\u3000\u00a0\t a \u2003b\u2028\u0085\x1c"), "a \u2003b");
    EXPECT_EQ(python_strip("\u200ba\ufeff"), "\u200ba\ufeff") << "the zero-width space and the byte order mark are none";
    EXPECT_EQ(python_strip(" \u205f\n"), "");
    EXPECT_EQ(python_strip_end(" a \u1680"), " a");
}

}  // namespace
}  // namespace assay::questions
