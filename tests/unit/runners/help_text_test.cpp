#include "runners/help_text.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/support/terminal_program.hpp"

namespace assay::runners {
namespace {

TEST(FittedDescription, IsLeftWholeWhereThereIsNoLimit) {
    const std::string text = "keep what is finished in this file,\nand go on from it where it is there";
    EXPECT_EQ(fitted_description(text, 0, 34), text);
}

TEST(FittedDescription, IsBrokenAtSpacesBesideTheFlags) {
    EXPECT_EQ(description_column(80), 34);
    EXPECT_EQ(fitted_description("keep what is finished in this file, and go on from it where it is there", 80, 34),
              "keep what is finished in this file, and go on\n"
              "from it where it is there");
}

TEST(FittedDescription, StandsBelowTheFlagsInANarrowTerminal) {
    EXPECT_EQ(description_column(40), 8);
    EXPECT_EQ(fitted_description("keep what is finished in this file, and go on", 40, 8),
              "keep what is finished in this\n"
              "file, and go on");
}

TEST(FittedDescription, SetsInWhatGoesOnFromALineOfAList) {
    EXPECT_EQ(fitted_description("any of these:\nredirect=URL: status 307 to this address, once\nno-metrics: /metrics is not there", 84, 28),
              "any of these:\n"
              "redirect=URL: status 307 to this address, once\n"
              "no-metrics: /metrics is not there");
    EXPECT_EQ(fitted_description("any of these:\nredirect=URL: status 307 to this address, once", 76, 34),
              "any of these:\n"
              "redirect=URL: status 307 to this address,\n"
              "  once");
}

TEST(FittedFooter, LeavesCommandsAsTheyAre) {
    const std::string text = "Example:\n"
                             "  assay score --base-url http://localhost:30000/v1 \\\n"
                             "    --temperature 0.6 --top-p 0.95 --max-tokens 65536";
    EXPECT_EQ(fitted_footer(text, 30), text);
}

TEST(FittedFooter, BreaksTextUnderItsSecondColumn) {
    EXPECT_EQ(fitted_footer("and these notes:\n  scale.input_one   every input scale is 1.0, which is none", 44),
              "and these notes:\n"
              "  scale.input_one   every input scale is\n"
              "                    1.0, which is none");
    EXPECT_EQ(fitted_footer("Lines are fitted to a terminal; others are not", 32),
              "Lines are fitted to a terminal;\n"
              "others are not");
}

TEST(Help, OfEveryCommandFitsATerminalAndIsWholeInAPipe) {
    if (!support::terminals_there()) GTEST_SKIP() << "no terminal can be opened here";
    for (const std::string command : {"score", "rescore", "report", "compare", "questions", "preflight", "simulate", "audit", "cast", "inspect"}) {
        const support::Run shown = support::run_in_terminal(80, {command, "--help"});
        EXPECT_EQ(shown.exit_code, 0);
        std::istringstream lines(shown.out);
        int broken = 0;
        for (std::string line; std::getline(lines, line);) {
            const bool command_line = line.starts_with("  assay ");  // to be copied, so whole
            EXPECT_TRUE(command_line || line.size() <= 80U) << line;
            broken += line.starts_with(std::string(34, ' ')) ? 1 : 0;
        }
        EXPECT_GT(broken, 0) << command << ": nothing had to be broken";
        EXPECT_NE(support::run({command, "--help"}).out, shown.out);
    }
}

TEST(Help, OfTheProgramFitsANarrowTerminal) {
    if (!support::terminals_there()) GTEST_SKIP() << "no terminal can be opened here";
    const std::string shown = support::run_in_terminal(60, {"--help"}).out;
    EXPECT_NE(shown.find("\n  compare       two runs; a run and published counts; the\n"
                         "                greedy seed and the sampled ones\n"),
              std::string::npos)
        << shown;
    EXPECT_NE(support::run({"--help"}).out.find("\n  compare       two runs; a run and published counts; the greedy seed and the sampled ones\n"),
              std::string::npos);
}

}  // namespace
}  // namespace assay::runners
