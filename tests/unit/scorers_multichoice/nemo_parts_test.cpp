// The fast searches against the plain patterns they stand for.
#include "scorers/multichoice/extractors/nemo_parts.hpp"

#include <gtest/gtest.h>

#include "scorers/multichoice/pattern.hpp"
#include "texts.hpp"

using namespace assay::multichoice;

namespace {

std::optional<std::string> group(const std::optional<Match>& match, std::size_t number) {
    if (!match) return std::nullopt;
    return std::string(match->groups[number]->bytes());
}

std::optional<std::string> owned(const std::optional<Utf8View>& view) {
    if (!view) return std::nullopt;
    return std::string(view->bytes());
}

constexpr int kTexts = 60000;

}  // namespace

TEST(NemoParts, AnswerLineIsTheLastMatchOfTheWholePattern) {
    const Pattern whole(R"((?i)[\*\_]{0,2}Answer[\*\_]{0,2}\s*:[\s\*\_]{0,2}\s*([A-Z])(?![a-zA-Z0-9]))");
    generated::Texts texts(1);
    int hits = 0;
    for (int i = 0; i < kTexts; ++i) {
        const std::string text = texts.next();
        const RepairedText valid(text);
        const auto expected = group(whole.last(valid.view()), 1);
        hits += expected ? 1 : 0;
        ASSERT_EQ(owned(nemo::answer_line(valid.view())), expected) << text;
    }
    EXPECT_GT(hits, kTexts / 200);
}

TEST(NemoParts, LoneCapitalIsTheMatchOfTheWholePattern) {
    const Pattern whole(R"(\b[A-Z]\b(?!.*\b[A-Z]\b))", {.dot_all = true});
    const Pattern to_j(R"(\b[A-J]\b(?!.*\b[A-J]\b))", {.dot_all = true});
    generated::Texts texts(2);
    for (int i = 0; i < kTexts; ++i) {
        const std::string text = texts.next();
        const RepairedText valid(text);
        ASSERT_EQ(nemo::lone_capital(valid.view()), group(whole.last(valid.view()), 0)) << text;
        ASSERT_EQ(nemo::lone_capital(valid.view(), 'J'), group(to_j.last(valid.view()), 0)) << text;
    }
}

TEST(NemoParts, FinalAnswerPhraseIsTheLastMatchOfTheWholePattern) {
    const Pattern whole("The final answer is (.+)$");
    generated::Texts texts(3);
    int hits = 0;
    for (int i = 0; i < kTexts; ++i) {
        const std::string text = texts.next() + "The final answer is " + texts.next();
        const RepairedText valid(text);
        const auto expected = group(whole.last(valid.view()), 1);
        hits += expected ? 1 : 0;
        ASSERT_EQ(owned(nemo::final_answer_phrase(valid.view())), expected) << text;
    }
    EXPECT_GT(hits, kTexts / 20);
}
