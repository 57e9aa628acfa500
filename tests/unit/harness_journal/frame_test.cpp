#include "harness/journal/frame.hpp"

#include <gtest/gtest.h>

using namespace assay::journal;

namespace {

std::string line_of(std::int64_t seq, std::string_view payload) {
    std::string line;
    append_line(line, seq, payload);
    line.pop_back();
    return line;
}

// The digest was computed with the xxhash package of PyPI: xxh3_64_hexdigest(b'{"a":1}').
TEST(Frame, ALineIsJsonWithTheDigestOfThePayload) {
    EXPECT_EQ(line_of(17, R"({"a":1})"), R"({"seq":17,"xxh3":"c5e3762ffc8453c6","payload":{"a":1}})");
}

TEST(Frame, ALineComesBack) {
    const std::string line = line_of(999'999'999'999'999, R"({"a":"b"})");
    const ParsedLine parsed = parse_line(line);
    ASSERT_TRUE(parsed.frame);
    EXPECT_EQ(parsed.frame->seq, 999'999'999'999'999);
    EXPECT_EQ(parsed.frame->payload, R"({"a":"b"})");
    EXPECT_EQ(claimed_seq(line.substr(0, 40)), 999'999'999'999'999);
}

TEST(Frame, OtherSpellingsOfALineAreNoRecords) {
    const std::string good = line_of(17, R"({"a":1})");
    ASSERT_TRUE(parse_line(good).frame);
    for (const std::string seq : {"+17", "-17", "017", "0", "17.0", "", "9999999999999999", " 17"}) {
        std::string line = good;
        line.replace(line.find("17"), 2, seq);
        EXPECT_FALSE(parse_line(line).frame) << line;
        EXPECT_EQ(parse_line(line).fault, Fault::syntax);
    }
    std::string upper = good;
    for (char& c : upper) {
        if (c >= 'a' && c <= 'f' && &c - upper.data() > 18 && &c - upper.data() < 34) c = static_cast<char>(c - 32);
    }
    ASSERT_NE(upper, good);
    EXPECT_EQ(parse_line(upper).fault, Fault::checksum);
    EXPECT_FALSE(parse_line("").frame);
    EXPECT_FALSE(parse_line(R"({"seq":1)").frame);
    EXPECT_FALSE(parse_line(good.substr(0, good.size() - 1)).frame);
}

}  // namespace
