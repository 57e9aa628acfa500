#include "reports/markdown/score_markdown.hpp"

#include <gmock/gmock.h>

#include "reports/markdown/escape.hpp"
#include "tests/support/golden_file.hpp"
#include "tests/unit/reports_score/example.hpp"

namespace assay::reports {
namespace {

TEST(MarkdownEscape, LeavesNoMarkup) {
    EXPECT_EQ(markdown_escaped("a|b *c* _d_ [e](f) <g> `h` $i$ \\j"),
              "a\\|b \\*c\\* \\_d\\_ \\[e\\](f) \\<g\\> \\`h\\` \\$i\\$ \\\\j");
    EXPECT_EQ(markdown_escaped("@someone https://x #1"), "&#64;someone https&#58;//x \\#1");
}

TEST(ScoreMarkdown, IsTablesOfTheSameNumbers) {
    support::expect_golden("reports/score.md", score_markdown(example_header(), example_with_holes()));
}

TEST(ScoreMarkdown, SaysSimulatedInItsHeading) {
    RunHeader header = example_header();
    header.plan.simulated = "accuracy=0.8";
    EXPECT_THAT(score_markdown(header, example_summary()), testing::StartsWith("## SIMULATED: gpqa:diamond\n"));
}

TEST(ScoreMarkdown, EscapesTextFromOutside) {
    RunHeader header = example_header();
    header.plan.model = "x|y\n<script>\033[2J";
    header.notes = {"![a](http://b)"};
    const std::string text = score_markdown(header, example_summary());
    EXPECT_THAT(text, testing::HasSubstr("model x\\|y\\\\n\\<script\\>\\\\x1b\\[2J"));
    EXPECT_THAT(text, testing::HasSubstr("* note: \\!\\[a\\](http&#58;//b)"));
}

}  // namespace
}  // namespace assay::reports
