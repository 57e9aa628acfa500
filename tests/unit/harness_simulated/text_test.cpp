#include "harness/simulated/text.hpp"

#include <gtest/gtest.h>

namespace assay::simulated {
namespace {

std::string joined(const Text& text) {
    std::string out;
    for (std::int64_t i = 0; i < text.tokens(); ++i) text.append(i, out);
    return out;
}

TEST(Text, IsItsEndingAfterFillerTokens) {
    const Text text(7, 5, "\n\nAnswer: B");
    EXPECT_EQ(text.tokens(), 5 + 3);
    EXPECT_EQ(joined(text), text.all());
    EXPECT_TRUE(text.all().ends_with("\n\nAnswer: B")) << text.all();
}

TEST(Text, IsTheSameForTheSameSeedAndAnotherForAnother) {
    EXPECT_EQ(Text(7, 50).all(), Text(7, 50).all());
    EXPECT_NE(Text(7, 50).all(), Text(8, 50).all());
}

TEST(Text, SplitsNoCharacter) {
    const std::string words = "a\xc3\xa9\xe2\x88\x92\xf0\x9f\x98\x80z\xf0\x9f\x98\x80";
    const Text text = Text::of(words);
    EXPECT_EQ(joined(text), words);
    for (std::int64_t i = 0; i < text.tokens(); ++i) {
        std::string token;
        text.append(i, token);
        EXPECT_TRUE(token.empty() || (static_cast<unsigned char>(token[0]) & 0xc0) != 0x80) << i;
    }
}

TEST(Text, KeepsTheFirstTokensWhereCut) {
    Text text(7, 5, "Answer: B");
    Text cut = text;
    cut.cut_to(6);
    EXPECT_EQ(cut.tokens(), 6);
    EXPECT_TRUE(text.all().starts_with(cut.all()));
    cut.cut_to(100);
    EXPECT_EQ(cut.tokens(), 6);
}

TEST(Text, FillerIsAboutFourBytesATokenAndHoldsNoCapitalLetter) {
    const std::string words = Text(1, 10'000).all();
    EXPECT_GT(words.size(), 35'000U);
    EXPECT_LT(words.size(), 50'000U);
    EXPECT_EQ(words.find_first_not_of("abcdefghijklmnopqrstuvwxyz "), std::string::npos);
    EXPECT_EQ(words.find("answer"), std::string::npos);
}

}  // namespace
}  // namespace assay::simulated
