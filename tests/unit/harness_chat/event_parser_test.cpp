#include "harness/chat/event_parser.hpp"

#include <gmock/gmock.h>

#include <random>

#include "tests/unit/harness_chat/whole_text_events.hpp"

namespace assay::chat {
namespace {

using testing::ElementsAre;
using tests::PlainEvent;
using tests::whole_text_events;

struct Collected {
    std::vector<PlainEvent> events;
    EventParser::Sink sink = [this](const Event& event) {
        events.push_back({std::string(event.name), std::string(event.data), event.terminated, event.error_field});
    };
};

std::vector<PlainEvent> parse(const std::vector<std::string>& pieces, std::size_t most = 1 << 20) {
    EventParser parser(most);
    Collected collected;
    for (const std::string& piece : pieces) parser.feed(piece, collected.sink);
    parser.finish(collected.sink);
    return collected.events;
}

PlainEvent data(const std::string& text) {
    return {"", text, true, false};
}

TEST(EventParser, DispatchesAtABlankLine) {
    EXPECT_THAT(parse({"data: a\n\ndata: b\n\n"}), ElementsAre(data("a"), data("b")));
}

TEST(EventParser, TakesOffOneSpaceAfterTheColonAndNoMore) {
    EXPECT_THAT(parse({"data:a\n\ndata: b\n\ndata:  c\n\n"}), ElementsAre(data("a"), data("b"), data(" c")));
}

TEST(EventParser, JoinsSeveralDataLinesWithLf) {
    EXPECT_THAT(parse({"data: {\ndata: }\n\n"}), ElementsAre(data("{\n}")));
}

TEST(EventParser, ADataLineAloneIsEmptyData) {
    EXPECT_THAT(parse({"data\n\ndata:\n\ndata\ndata\n\n"}), ElementsAre(data(""), data(""), data("\n")));
}

TEST(EventParser, IgnoresCommentsAndUnknownFields) {
    EXPECT_THAT(parse({": ping\n\n:\nfoo: bar\nid: 1\nretry: 5\ndata: a\n: in between\n\n"}), ElementsAre(data("a")));
}

TEST(EventParser, HandsOverTheEventNameOnce) {
    EXPECT_THAT(parse({"event: error\ndata: a\n\ndata: b\n\n"}), ElementsAre(PlainEvent{"error", "a", true, false}, data("b")));
}

TEST(EventParser, AnEventNameWithoutDataIsForgotten) {
    EXPECT_THAT(parse({"event: error\n\ndata: b\n\n"}), ElementsAre(data("b")));
}

TEST(EventParser, SkipsOneByteOrderMarkAtTheVeryStart) {
    EXPECT_THAT(parse({"\xEF\xBB\xBF" "data: a\n\n\xEF\xBB\xBF" "data: b\n\n"}), ElementsAre(data("a")));
}

TEST(EventParser, OtherLineSeparatorsAreData) {
    const std::string text = "a\xE2\x80\xA8" "b\xE2\x80\xA9" "c\xC2\x85" "d\x0B" "e\x0C" "f\x1C" "g\x1D" "h\x1E" "i";
    EXPECT_THAT(parse({"data: " + text + "\n\n"}), ElementsAre(data(text)));
}

TEST(EventParser, WhatIsLeftAtTheEndIsMarkedAsNotTerminated) {
    EXPECT_THAT(parse({"data: a"}), ElementsAre(PlainEvent{"", "a", false, false}));
    EXPECT_THAT(parse({"data: a\n"}), ElementsAre(PlainEvent{"", "a", false, false}));
}

TEST(EventParser, HandsOverAnErrorField) {
    EXPECT_THAT(parse({"error: {\"message\":\"x\"}\n\n"}), ElementsAre(PlainEvent{"", "{\"message\":\"x\"}", true, true}));
}

TEST(EventParser, RefusesAnEventBeyondTheBoundHoweverItComes) {
    const std::string exact = "data: " + std::string(94, 'x') + "\n\n";
    EXPECT_EQ(parse({exact}, 100).size(), 1U);
    const std::string over = "data: " + std::string(95, 'x') + "\n\n";
    EXPECT_TRUE(parse({over}, 100).empty());
    std::vector<std::string> bytes;
    for (const char c : over) bytes.emplace_back(1, c);
    EXPECT_TRUE(parse(bytes, 100).empty());
    EventParser parser(100);
    EXPECT_FALSE(parser.feed(over, [](const Event&) {}));
    EXPECT_TRUE(parser.too_large());
}

TEST(EventParser, ALineThatIsNeverEndedCostsNoRescans) {
    // 4 MiB in single bytes: quadratic work would be 8e12 steps.
    EventParser parser(8 << 20);
    std::size_t length = 0;
    const EventParser::Sink sink = [&](const Event& event) { length = event.data.size(); };
    parser.feed("data: ", sink);
    for (int i = 0; i < 4 << 20; ++i) parser.feed("x", sink);
    parser.feed("\n\n", sink);
    EXPECT_EQ(length, std::size_t{4} << 20);
}

// A text with all that matters, in every line ending, cut at every position, at every pair, and into single bytes.
std::string everything(const std::string& end) {
    std::string text = "\xEF\xBB\xBF";
    for (const char* line : {": hi", "", "data: {\"a\":", "data: 1}", "", "event: error", "data:x", "foo", "", "", "data", "", "error: {}", "id: 3",
                             "data:  \xE2\x80\xA8\xF0\x9F\x98\x80", "", "data: [DONE]"}) {
        text += line + end;
    }
    return text;
}

class EveryLineEnding : public testing::TestWithParam<std::string> {};

TEST_P(EveryLineEnding, GivesTheSameEventsForEverySplit) {
    const std::string text = everything(GetParam());
    const auto expected = whole_text_events(text);
    ASSERT_EQ(expected.size(), 6U);
    for (std::size_t a = 0; a <= text.size(); ++a) {
        for (std::size_t b = a; b <= text.size(); ++b) {
            ASSERT_EQ(parse({text.substr(0, a), text.substr(a, b - a), text.substr(b)}), expected) << a << " " << b;
        }
    }
    std::vector<std::string> bytes;
    for (const char c : text) bytes.emplace_back(1, c);
    EXPECT_EQ(parse(bytes), expected);
}

INSTANTIATE_TEST_SUITE_P(LfCrlfCr, EveryLineEnding, testing::Values("\n", "\r\n", "\r"));

TEST(EventParser, AgreesWithTheWholeTextParserOnRandomTexts) {
    std::mt19937 random(7);  // a fixed seed: the same texts every time
    const std::vector<std::string> words{"\n", "\r", "\r\n", "data", "data:", "data: ", ":", " ", "event:", "error:", "\xEF\xBB\xBF", "x", "\n\n", "id", "\xFF", std::string(1, '\0')};
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (std::size_t i = random() % 24; i > 0; --i) text += words[random() % words.size()];
        std::vector<std::string> pieces;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = 1 + random() % 5;
            pieces.push_back(text.substr(at, length));
            at += length;
        }
        ASSERT_EQ(parse(pieces), whole_text_events(text)) << testing::PrintToString(text);
    }
}

}  // namespace
}  // namespace assay::chat
