#include "scorers/multichoice/pattern.hpp"

#include <gtest/gtest.h>

#include "scorers/multichoice/python_text.hpp"

using assay::multichoice::Pattern;
using assay::multichoice::PatternFlags;
using assay::multichoice::RepairedText;

namespace {

std::string encoded(char32_t c) {
    std::string out;
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        tail(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
    return out;
}

char32_t decoded(std::string_view one) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(one[i])); };
    switch (one.size()) {
        case 1: return byte(0);
        case 2: return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
        case 3: return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
        default: return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
    }
}

bool found(const Pattern& pattern, std::string_view text) { return pattern.first(RepairedText(text).view()).has_value(); }

std::vector<std::string> all(const Pattern& pattern, std::string_view text) {
    const RepairedText valid(text);
    std::vector<std::string> out;
    for (const auto& match : pattern.all(valid.view())) out.emplace_back(match.groups[0]->bytes());
    return out;
}

std::vector<char32_t> matching_code_points(const Pattern& pattern) {
    std::vector<char32_t> out;
    // All in one text; the patterns asked for match one code point each, whatever stands beside it.
    std::string text;
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c >= 0xD800 && c <= 0xDFFF) continue;
        text += encoded(c);
    }
    const RepairedText valid(text);
    for (const auto& match : pattern.all(valid.view())) {
        out.push_back(decoded(match.groups[0]->bytes()));
    }
    return out;
}

}  // namespace

TEST(Pattern, SpaceIsPythonsTwentyNineCodePoints) {
    const auto spaces = matching_code_points(Pattern(R"(\s)"));
    EXPECT_EQ(spaces.size(), 29U);
    for (const char32_t c : spaces) EXPECT_TRUE(assay::multichoice::is_python_space(c)) << std::hex << static_cast<unsigned>(c);
    std::size_t own = 0;
    for (char32_t c = 0; c <= 0x10FFFF; ++c) own += assay::multichoice::is_python_space(c) ? 1U : 0U;
    EXPECT_EQ(own, 29U);
}

TEST(Pattern, LettersWithoutCaseIncludePythonsFourOutsideAscii) {
    const auto letters = matching_code_points(Pattern("(?i)[A-Z]"));
    ASSERT_EQ(letters.size(), 56U);
    EXPECT_EQ(std::vector<char32_t>(letters.begin() + 52, letters.end()), (std::vector<char32_t>{0x130, 0x131, 0x17F, 0x212A}));
    EXPECT_EQ(matching_code_points(Pattern("(?i)i")), (std::vector<char32_t>{'I', 'i', 0x130, 0x131}));
    EXPECT_EQ(matching_code_points(Pattern("(?i)s")), (std::vector<char32_t>{'S', 's', 0x17F}));
    EXPECT_EQ(matching_code_points(Pattern("[A-Z]")).size(), 26U);
}

TEST(Pattern, WordEdgesAreUnicode) {
    const Pattern lone(R"(\b[A-Z]\b)");
    for (const char* isolated : {"E", " E ", "(E)", "E\u2032", "E\u00b0", "\u2212E", "E\u0301"}) EXPECT_TRUE(found(lone, isolated)) << isolated;
    for (const char* joined : {"\u0394E", "A\u00b2", "A\u2082", "\u00e9A", "A\u00b5", "E_1", "EE"}) EXPECT_FALSE(found(lone, joined)) << joined;
}

TEST(Pattern, DollarStandsBeforeOneFinalNewlineOnly) {
    const Pattern end("A$");
    EXPECT_TRUE(found(end, "A"));
    EXPECT_TRUE(found(end, "A\n"));
    EXPECT_FALSE(found(end, "A\n\n"));
    EXPECT_FALSE(found(end, "A\r"));
    EXPECT_TRUE(found(Pattern("A$", {.multi_line = true}), "A\nB\nC"));
}

TEST(Pattern, CaretWithManyLinesStandsAfterTheLastNewlineToo) {
    EXPECT_EQ(all(Pattern("^", {.multi_line = true}), "a\nb\n").size(), 3U);
    EXPECT_EQ(all(Pattern("^"), "a\nb\n").size(), 1U);
}

TEST(Pattern, DotStopsAtLineFeedAlone) {
    EXPECT_EQ(all(Pattern(".+"), "a\r\nb\u2028c"), (std::vector<std::string>{"a\r", "b\u2028c"}));
    EXPECT_EQ(all(Pattern(".+", {.dot_all = true}), "a\nb").size(), 1U);
}

// re.findall(r"x*", "axxb") of Python 3.7 and later: '', 'xx', '', ''.
TEST(Pattern, FindsEmptyMatchesWherePythonDoes) {
    EXPECT_EQ(all(Pattern("x*"), "axxb"), (std::vector<std::string>{"", "xx", "", ""}));
}

TEST(Pattern, LeavesOutGroupsThatTookNoPart) {
    const RepairedText text("b");
    const auto match = Pattern("(a)|(b)").first(text.view());
    ASSERT_TRUE(match);
    EXPECT_FALSE(match->groups[1]);
    EXPECT_EQ(match->groups[2]->bytes(), "b");
}

TEST(Pattern, RefusesSyntaxItDoesNotTranslate) {
    EXPECT_THROW(Pattern(R"(\A)"), std::logic_error);
    EXPECT_THROW(Pattern(R"([\W])"), std::logic_error);
    EXPECT_THROW(Pattern("("), std::logic_error);
}
