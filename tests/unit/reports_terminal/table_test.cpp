#include "reports/terminal/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "reports/terminal/fact.hpp"
#include "reports/terminal/width.hpp"

namespace assay::reports {
namespace {

Table subjects() {
    Table table;
    table.column("subject", Align::left).column("questions").column("score");
    table.row({"Quantum Mechanics of Everything", "86", "93.10 %"});
    table.row({"Biology", "9", "100.00 %"});
    return table;
}

int widest_line(const std::string& text) {
    int widest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, display_width(line));
    return widest;
}

TEST(Table, AlignsTextLeftAndNumbersRight) {
    EXPECT_EQ(subjects().text({}),
              "subject                          questions     score\n"
              "Quantum Mechanics of Everything         86   93.10 %\n"
              "Biology                                  9  100.00 %\n");
}

TEST(Table, CutsTextBeforeNumbersInANarrowWindow) {
    EXPECT_EQ(subjects().text(Look{34, false}),
              "subject        questions     score\n"
              "Quantum Me...         86   93.10 %\n"
              "Biology                9  100.00 %\n");
}

TEST(Table, SplitsIntoSeveralWhereNothingMoreCanBeCut) {
    EXPECT_EQ(subjects().text(Look{26, false}),
              "subject       questions\n"
              "Quantum M...         86\n"
              "Biology               9\n"
              "\n"
              "subject          score\n"
              "Quantum M...   93.10 %\n"
              "Biology       100.00 %\n");
}

TEST(Table, IsSplitWithNamesWholeWhereTheyFitBesideEachColumn) {
    Table table;
    table.column("extractor", Align::left).column("score").column("no answer").column("read differently");
    table.row({"lm-eval-strict", "64.02 %", "56", "208"});
    EXPECT_EQ(table.text(Look{36, false}),
              "extractor         score  no answer\n"
              "lm-eval-strict  64.02 %         56\n"
              "\n"
              "extractor       read differently\n"
              "lm-eval-strict               208\n");
}

TEST(Table, StaysWithinEveryWidthFromTwentyThreeColumns) {
    for (int width = 23; width < 80; ++width)
        EXPECT_LE(widest_line(subjects().text(Look{width, false})), width) << width;
}

TEST(Table, MakesCellsFromOutsideVisible) {
    Table table;
    table.column("name", Align::left);
    table.row({"a\033[2Jb\nc"});
    EXPECT_EQ(table.text({}), "name\na\\x1b[2Jb\\nc\n");
}

TEST(Table, WithoutRowsIsNothing) {
    Table table;
    table.column("name");
    EXPECT_EQ(table.text({}), "");
}

TEST(Table, AlignsWideCharacters) {
    Table table;
    table.column("a", Align::left).column("n");
    table.row({"\xE4\xB8\xAD", "1"});
    table.row({"xyz", "22"});
    EXPECT_EQ(table.text({}), "a     n\n\xE4\xB8\xAD    1\nxyz  22\n");
}

TEST(Table, SaysWhetherItFitsUncut) {
    Table table;
    table.column("a", Align::left).column("n");
    table.row({"abcdefghijklmnop", "22"});
    EXPECT_TRUE(table.fits(Look{20, false}));
    EXPECT_FALSE(table.fits(Look{19, false}));
    EXPECT_FALSE(table.fits(Look{20, false}, 1));
    EXPECT_TRUE(table.fits(Look{0, false}));
}

TEST(Fact, PutsWordsUnderThemselves) {
    EXPECT_EQ(fact_text({"truncated", "18 (0.57 %)", "cut at the budget of 65,536 tokens; twelve without a letter"},
                        Look{73, false}),
              "truncated            18 (0.57 %)   cut at the budget of 65,536 tokens;\n"
              "                                   twelve without a letter\n");
}

TEST(Fact, PutsWordsBelowInANarrowWindow) {
    EXPECT_EQ(fact_text({"truncated", "18 (0.57 %)", "cut at the budget of 65,536 tokens"}, Look{40, false}),
              "truncated            18 (0.57 %)\n"
              "    cut at the budget of 65,536 tokens\n");
}

TEST(Fact, TintsTheFigureAndNotTheWords) {
    EXPECT_EQ(fact_text({"a", "1", "words", Tint::bold}, Look{0, true}),
              "\033[1ma                    1\033[0m             words\n");
}

}  // namespace
}  // namespace assay::reports
