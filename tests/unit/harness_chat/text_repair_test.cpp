#include "harness/chat/text_repair.hpp"

#include <gtest/gtest.h>

namespace assay::chat {
namespace {

const std::string fffd = "\xEF\xBF\xBD";

TEST(RepairUtf8, LeavesWellFormedTextAlone) {
    const std::string text = std::string("a\0b", 3) + "\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF";
    EXPECT_EQ(repair_utf8(text).text, text);
    EXPECT_EQ(repair_utf8(text).replaced, 0);
}

TEST(RepairUtf8, ReplacesEachMaximalSubpartAsTheUnicodeStandardShows) {
    // The Unicode Standard, tables 3-8 to 3-11.
    const auto repaired = [](const std::string& bytes) { return repair_utf8(bytes).text; };
    EXPECT_EQ(repaired("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), fffd + fffd + fffd + fffd + fffd + fffd + fffd + fffd + "A");
    EXPECT_EQ(repaired("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), fffd + fffd + fffd + fffd + fffd + fffd + fffd + fffd + "A");
    EXPECT_EQ(repaired("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), fffd + fffd + fffd + fffd + fffd + "A" + fffd + fffd + "B");
    EXPECT_EQ(repaired("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), fffd + fffd + fffd + fffd + "A");
}

TEST(RepairUtf8, ReplacesASequenceCutAtTheEndOnce) {
    EXPECT_EQ(repair_utf8("a\xF0\x9F\x98").text, "a" + fffd);
    EXPECT_EQ(repair_utf8("a\xF0\x9F\x98").replaced, 1);
}

TEST(RepairSurrogateEscapes, ReplacesLoneHalvesAndKeepsPairs) {
    const auto repaired = repair_surrogate_escapes(R"("\ud83d\ude00 \ud83d x \uDE00 \ud83d\ud83d\ude00 \\ud83d \u0041 \n")");
    EXPECT_EQ(repaired.text, R"("\ud83d\ude00 \ufffd x \ufffd \ufffd\ud83d\ude00 \\ud83d \u0041 \n")");
    EXPECT_EQ(repaired.replaced, 3);
}

TEST(RepairSurrogateEscapes, SurvivesAnEscapeCutAtTheEnd) {
    for (const char* text : {"\\", "\\u", "\\ud8", "\\ud83d\\", "\\ud83d\\u12"}) {
        EXPECT_NO_THROW(static_cast<void>(repair_surrogate_escapes(text))) << text;
    }
}

TEST(CutUtf8, CutsBetweenCharacters) {
    EXPECT_EQ(cut_utf8("a\xC3\xA9", 3), "a\xC3\xA9");
    EXPECT_EQ(cut_utf8("a\xC3\xA9", 2), "a");
    EXPECT_EQ(cut_utf8("\xF0\x9F\x98\x80", 3), "");
}

}  // namespace
}  // namespace assay::chat
