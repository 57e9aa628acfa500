#include "reports/terminal/visible.hpp"

#include <gtest/gtest.h>

#include <random>

#include "harness/files/utf8.hpp"
#include "reports/terminal/style.hpp"

namespace assay::reports {
namespace {

TEST(Visible, LeavesOrdinaryTextAlone) {
    EXPECT_EQ(visible("Kimi-K3 \\frac{1}{2} \xC3\xA9 \xE4\xB8\xAD \xF0\x9F\x98\x80"),
              "Kimi-K3 \\frac{1}{2} \xC3\xA9 \xE4\xB8\xAD \xF0\x9F\x98\x80");
}

TEST(Visible, TurnsEscapeSequencesIntoPlainText) {
    EXPECT_EQ(visible("\033[31mred"), "\\x1b[31mred");
    EXPECT_EQ(visible("\033]52;c;cm0gLXJm\007"), "\\x1b]52;c;cm0gLXJm\\x07");
    EXPECT_EQ(visible("\033]8;;http://x\033\\link"), "\\x1b]8;;http://x\\x1b\\link");
}

TEST(Visible, EscapesC1ControlsInTheirTwoByteForm) {
    EXPECT_EQ(visible("\xC2\x9B"
                      "31m"),
              "\\u009b31m");
}

TEST(Visible, EscapesARawC1ByteAsInvalid) {
    EXPECT_EQ(visible("\x9B"
                      "31m"),
              "\\x9b31m");
}

TEST(Visible, EscapesLineEndsTabsNulAndDelete) {
    EXPECT_EQ(visible(std::string_view("a\r\n\tb\0c\x7F", 8)), "a\\r\\n\\tb\\x00c\\x7f");
}

TEST(Visible, EscapesBidirectionalControls) {
    EXPECT_EQ(visible("a\xE2\x80\xAE"
                      "b\xE2\x81\xA6"
                      "c\xE2\x80\x8F"
                      "d"),
              "a\\u202eb\\u2066c\\u200fd");
}

TEST(Visible, EscapesTagCharactersAndByteOrderMarks) {
    EXPECT_EQ(visible("\xF3\xA0\x81\x81\xEF\xBB\xBF"), "\\U000e0041\\ufeff");
}

TEST(Visible, EscapesIllFormedUtf8ByteByByte) {
    EXPECT_EQ(visible("\xFF"), "\\xff");
    EXPECT_EQ(visible("\xC0\xAF"), "\\xc0\\xaf");           // overlong
    EXPECT_EQ(visible("\xE0\x80\x9B"), "\\xe0\\x80\\x9b");  // overlong C1
    EXPECT_EQ(visible("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // surrogate
    EXPECT_EQ(visible("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
    EXPECT_EQ(visible("ab\xE2\x82"), "ab\\xe2\\x82");  // cut at the end
}

TEST(Visible, KeepsLineFeedsWhereSeveralLinesAreWanted) {
    EXPECT_EQ(visible_lines("a\r\nb\tc\rd\033"), "a\nb    c\\rd\\x1b");
}

TEST(Visible, LeavesNothingATerminalObeysInRandomBytes) {
    std::mt19937 random(7);
    for (int round = 0; round < 20'000; ++round) {
        std::string text(random() % 24, '\0');
        for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? 0x1B + random() % 4 : random());
        const std::string shown = visible(text);
        for (std::size_t at = 0; at < shown.size();) {
            const std::size_t start = at;
            const char32_t c = files::next_code_point(shown, at);
            ASSERT_TRUE(c != 0xFFFD || at - start == 3);
            ASSERT_FALSE(c < 0x20 || (c >= 0x7F && c <= 0x9F));
            ASSERT_FALSE(c >= 0x202A && c <= 0x202E);
        }
    }
}

TEST(Style, AllowsColourOnATerminalOnly) {
    EXPECT_TRUE(colour_allowed(true, nullptr, "xterm"));
    EXPECT_TRUE(colour_allowed(true, "", "xterm"));
    EXPECT_FALSE(colour_allowed(false, nullptr, "xterm"));
    EXPECT_FALSE(colour_allowed(true, "1", "xterm"));
    EXPECT_FALSE(colour_allowed(true, nullptr, "dumb"));
    EXPECT_FALSE(colour_allowed(true, nullptr, nullptr));
}

TEST(Style, TintsOnlyWhereColourIsAllowed) {
    EXPECT_EQ(tinted("x", Tint::red, Look{0, true}), "\033[31mx\033[0m");
    EXPECT_EQ(tinted("x", Tint::red, Look{0, false}), "x");
    EXPECT_EQ(tinted("x", Tint::plain, Look{0, true}), "x");
}

}  // namespace
}  // namespace assay::reports
