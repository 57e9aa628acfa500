#include "datasets/questions/csv_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(std::string_view text) {
    return thrown([&] { (void)csv_rows(text, "f.csv"); });
}

TEST(CsvRows, KeepsWhiteSpaceQuotesAndNewlinesInsideFields) {
    const auto rows = csv_rows("a, b ,\"c \"\"d\"\", e\r\nf\ng\"\n", "f.csv");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_THAT(rows[0].fields, ElementsAre("a", " b ", "c \"d\", e\r\nf\ng"));
}

TEST(CsvRows, ReadsEveryLineEnd) {
    for (const std::string end : {"\n", "\r\n", "\r"}) {
        const auto rows = csv_rows("a,b" + end + end + "\"c" + end + "\",d" + end + "e,f", "f.csv");
        ASSERT_EQ(rows.size(), 3U);
        EXPECT_THAT(rows[0].fields, ElementsAre("a", "b"));
        EXPECT_THAT(rows[1].fields, ElementsAre("c" + end, "d"));
        EXPECT_THAT(rows[2].fields, ElementsAre("e", "f"));
        EXPECT_THAT((std::vector<int>{rows[0].line, rows[1].line, rows[2].line}), ElementsAre(1, 3, 5)) << "a blank line and a line in a field lie between";
    }
}

TEST(CsvRows, KeepsEmptyFields) {
    const auto rows = csv_rows(",\n\"\",x,\n", "f.csv");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_THAT(rows[0].fields, ElementsAre("", ""));
    EXPECT_THAT(rows[1].fields, ElementsAre("", "x", ""));
}

TEST(CsvRows, NamesTheRowAndLineOfAnUnclosedQuote) {
    EXPECT_THAT(refusal("h\n\"a\nb\"\n\n\"c\nd\n"), HasSubstr("f.csv: row 2 (line 5): the quoted field that begins on line 5 is not closed"));
    EXPECT_THAT(refusal("\"h"), HasSubstr("f.csv: header (line 1): the quoted field that begins on line 1 is not closed"));
}

TEST(CsvRows, NamesTheFieldThatSwallowedTheNextQuote) {
    EXPECT_THAT(refusal("h,i\n1,\"open\nx,y\n\"z\",w\n"), HasSubstr("f.csv: row 1 (line 2): byte 2 of line 4 follows a closing quote of the field that begins on line 2"));
}

TEST(CsvRows, NamesAQuoteInsideAnUnquotedField) {
    EXPECT_THAT(refusal("h\na\nb \"c\" d\n"), HasSubstr("f.csv: row 2 (line 3): byte 3 of line 3 is a quote inside an unquoted field"));
}

}  // namespace
}  // namespace assay::questions
