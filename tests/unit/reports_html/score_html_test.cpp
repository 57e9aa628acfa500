#include "reports/html/score_html.hpp"

#include <gmock/gmock.h>

#include <random>

#include "reports/html/escape.hpp"
#include "tests/support/golden_file.hpp"
#include "tests/unit/reports_score/example.hpp"

namespace assay::reports {
namespace {

using statistics::CellState;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

statistics::SeedTable example_table(int questions, int seeds) {
    statistics::SeedTable table;
    for (int seed = 0; seed < seeds; ++seed) table.seeds.push_back(seed);
    std::mt19937 random(3);
    for (int question = 0; question < questions; ++question) {
        table.questions.push_back(question);
        const auto hardness = static_cast<unsigned>(question % 9 == 0 ? random() % 100 : random() % 4);
        for (int seed = 0; seed < seeds; ++seed) {
            statistics::Cell cell;
            cell.state = CellState::complete;
            cell.correct = random() % 100 >= hardness;
            cell.prediction = cell.correct ? "A" : "B";
            const auto kind = random() % 300;
            if (kind == 0) cell = {CellState::truncated, false, {}, "", {}, {}};
            if (kind == 1) cell = {CellState::empty, false, {}, "", {}, {}};
            if (kind == 2) cell = {CellState::unscored, false, {}, "timeout", {}, {}};
            if (kind == 3) cell = {CellState::missing, false, {}, "", {}, {}};
            table.cells.push_back(cell);
        }
    }
    return table;
}

TEST(HtmlEscape, LeavesNoMarkupInTextAndAttributes) {
    EXPECT_EQ(html_escaped("<a href=\"x\" b='y'>&"), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
}

TEST(ScoreHtml, IsOnePageWithChartsAndTables) {
    support::expect_golden("reports/score.html",
                           score_html(example_header(), example_summary(), example_table(70, 16), {}));
}

TEST(ScoreHtml, LoadsAndRunsNothing) {
    const std::string page = score_html(example_header(), example_summary(), example_table(20, 3), {});
    EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline';"));
    for (const char* word :
         {"<script", "<link", "<img", "<iframe", "href=", "src=", "url(", "@import", "onload", "onclick"})
        EXPECT_THAT(page, Not(HasSubstr(word)));
}

TEST(ScoreHtml, EscapesTextFromOutside) {
    RunHeader header = example_header();
    const std::string bad = "\"><script>alert(1)</script>\033[2J\xE2\x80\xAE";
    header.run = header.extractor = header.endpoint = header.source = header.plan.dataset_name = header.plan.protocol =
        header.plan.model = header.plan.simulated = bad;
    header.notes = {bad};
    statistics::Summary s = example_with_holes();
    s.per_domain[0].name = s.per_subdomain[0].name = bad;
    s.unscored_by_reason = {{bad, 6}};
    const std::string page = score_html(header, s, example_table(2, 2), {bad, bad});
    for (const char* word : {"<script", "\033", "\xE2\x80\xAE"}) EXPECT_THAT(page, Not(HasSubstr(word)));
    EXPECT_THAT(
        page, HasSubstr("question 1, record &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[2J\\u202e: right in"));
}

TEST(ScoreHtml, ShowsSimulatedBeforeAnythingElse) {
    RunHeader header = example_header();
    header.plan.simulated = "accuracy=0.8";
    const std::string page = score_html(header, example_summary(), example_table(2, 2), {});
    EXPECT_THAT(page.substr(page.find("<body>")), StartsWith("<body>\n<p class=\"simulated\">SIMULATED: "));
    EXPECT_THAT(page, HasSubstr("<title>SIMULATED: gpqa:diamond"));
}

TEST(ScoreHtml, NamesQuestionsByNumberAndRecord) {
    const std::string page = score_html(example_header(), example_summary(), example_table(2, 2), {"rec0", "rec1"});
    EXPECT_THAT(page, HasSubstr("question 1, record rec1: right in 2 of 2 scored seeds"));
}

TEST(ScoreHtml, OfAnEmptyRunIsStillAPage) {
    const std::string page = score_html({}, {}, {}, {});
    EXPECT_THAT(page, HasSubstr("no score"));
    EXPECT_THAT(page, Not(HasSubstr("<svg")));
    EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST(ScoreHtml, DrawsSeedsThatAllScoreTheSame) {
    for (const std::int64_t correct : {0, 1, 2}) {
        statistics::Summary s;
        s.questions = s.seeds = 2;
        statistics::Counts c;
        c.attempts = c.scored = c.complete = 2;
        c.correct = correct;
        s.per_seed = {{0, c}, {1, c}};
        s.pass_at_1 = static_cast<double>(correct) / 2;
        const std::string page = score_html({}, s, example_table(2, 2), {});
        EXPECT_THAT(page, HasSubstr("class=\"chart\""));
        EXPECT_THAT(page, Not(HasSubstr("nan")));
        EXPECT_THAT(page, Not(HasSubstr("inf")));
    }
}

}  // namespace
}  // namespace assay::reports
