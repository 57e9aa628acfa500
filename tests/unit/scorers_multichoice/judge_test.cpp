#include "scorers/multichoice/judge.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "harness/error.hpp"
#include "texts.hpp"

using namespace assay::multichoice;

namespace {

const std::vector<std::string> kFour{"one", "two", "three", "four"};

Verdict nemo(std::string_view text, char correct = 'B') {
    return judge(extractor_named("nemo-v3"), text, Options{kFour}, correct);
}

std::string repeated(std::string_view piece, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes) out += piece;
    return out;
}

}  // namespace

TEST(Judge, IsCorrectWhereThePredictionIsTheLetter) {
    EXPECT_TRUE(nemo("Answer: B").correct);
    EXPECT_FALSE(nemo("Answer: C").correct);
    EXPECT_EQ(nemo("Answer: C").prediction, "C");
    EXPECT_FALSE(nemo("nothing here").correct);
    EXPECT_FALSE(nemo("nothing here").prediction);
}

TEST(Judge, ReadsIllFormedTextAsReplacementCharacters) {
    EXPECT_EQ(nemo("\xff\xfe Answer: B\xe2\x82").prediction, "B");
    EXPECT_EQ(nemo("\\boxed{\xff}").prediction, "\uFFFD");
    EXPECT_EQ(nemo("Answer: \xed\xa0\x80").prediction, std::nullopt);
}

// A search that were quadratic in any of these would take minutes; one that were cubic would not end.
TEST(Judge, ReadsLongRepeatsOfAnythingInLinearTime) {
    constexpr std::size_t kSize = 1 << 16;
    for (const Extractor& extractor : extractors()) {
        for (const char* piece : {"A ", "a", ":", "\n", " ", "*", "_", "\\boxed{", "{", "}", "Answer", "Answer: ", "Answer:  \n", "A: ", "\u00e9", "B) ", "(A", "\xff",
                                  "answer is ", "The final answer is ", "**", "option ", "[", "Answer**", "\\boxed{A", "A\u0301", "Answer: 1 "}) {
            const std::string body = repeated(piece, kSize);
            (void)judge(extractor, body, Options{kFour}, 'B');
            (void)judge(extractor, "Answer: B\n" + body, Options{kFour}, 'B');
            (void)judge(extractor, "\\boxed{" + body + "}", Options{kFour}, 'B');
        }
    }
}

TEST(Judge, GivesTheSameFromManyThreads) {
    std::vector<std::string> texts;
    generated::Texts source(7);
    for (int i = 0; i < 3000; ++i) texts.push_back(source.next());
    for (const Extractor& extractor : extractors()) {
        const auto read = [&] {
            std::vector<std::optional<std::string>> out;
            for (const std::string& text : texts) out.push_back(judge(extractor, text, Options{kFour}, 'A').prediction);
            return out;
        };
        const auto alone = read();
        std::vector<std::vector<std::optional<std::string>>> together(4);
        std::vector<std::thread> threads;
        for (auto& slot : together) threads.emplace_back([&] { slot = read(); });
        for (auto& thread : threads) thread.join();
        for (const auto& slot : together) EXPECT_EQ(slot, alone) << extractor.name;
    }
}

TEST(Extractors, AnUnknownNameIsRefusedWithTheKnownOnes) {
    try {
        (void)extractor_named("nemo-v9");
        FAIL();
    } catch (const assay::Error& error) {
        EXPECT_NE(std::string(error.what()).find("nemo-v3"), std::string::npos);
    }
}

TEST(Extractors, EachHasANameOfItsOwnAndASource) {
    for (const Extractor& extractor : extractors()) {
        EXPECT_EQ(&extractor_named(extractor.name), &extractor);
        EXPECT_FALSE(extractor.source.empty());
    }
}
