#include <gmock/gmock.h>

#include <sstream>

#include "reports/score/score_report.hpp"
#include "reports/terminal/width.hpp"
#include "tests/support/golden_file.hpp"
#include "tests/unit/reports_score/example.hpp"

namespace assay::reports {
namespace {

using support::expect_golden;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

TEST(ScoreText, FitsFortyEightyAndTwoHundredColumns) {
    for (const int width : {40, 80, 200}) {
        const std::string text =
            score_text(example_header(), example_summary(), Look{width, false}, Detail{true, true, true, true});
        expect_golden("reports/score_" + std::to_string(width) + ".txt", text);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
    }
}

TEST(ScoreText, SaysWhatIsMissingAndGivesBounds) {
    expect_golden("reports/score_holes.txt", score_text(example_header(), example_with_holes(), Look{100, false}));
}

TEST(ScoreText, PrintsThePublishedScoreAndSpread) {
    const std::string text = score_text(example_header(), example_summary(), {});
    EXPECT_THAT(text, HasSubstr("pass@1 [avg-of-16]   92.96 %"));
    EXPECT_THAT(text, HasSubstr("sd 1.24"));
    EXPECT_THAT(text, HasSubstr("95 % CI 89.8 - 95.2: how good the model is"));
    EXPECT_THAT(text, HasSubstr("+/- 0.66"));
    EXPECT_THAT(text, HasSubstr("seed 0 is greedy   95.96 %       and lies +3.2 sd from the 15 sampled seeds: their mean is 92.76, sd 0.99"));
    EXPECT_THAT(text, HasSubstr("pass@1 [avg-of-15] of the sampled seeds alone"));
}

TEST(ScoreText, SaysSimulatedInItsFirstLineOnlyForASimulatedEndpoint) {
    RunHeader header = example_header();
    EXPECT_THAT(score_text(header, example_summary(), {}), Not(HasSubstr("SIMULATED")));
    header.plan.simulated = "accuracy=0.8";
    EXPECT_THAT(first_line(score_text(header, example_summary(), {})), StartsWith("SIMULATED"));
    EXPECT_THAT(first_line(score_text(header, example_summary(), {})), HasSubstr("accuracy=0.8"));
}

TEST(ScoreText, MakesTextFromOutsideVisible) {
    RunHeader header = example_header();
    header.run = header.extractor = header.endpoint = header.source = header.plan_hash = header.plan.dataset_name =
        header.plan.protocol = header.plan.model = header.plan.budget_field = header.plan.sampling.extra_body =
            header.plan.simulated = "x\033[2J\xC2\x9B\n\xE2\x80\xAEy\xFF";
    header.plan.sampling.reasoning_effort = header.run;
    header.effort->failed_tries = {{header.run, 3}};
    header.notes = {header.run};
    statistics::Summary s = example_with_holes();
    s.per_domain[0].name = s.per_subdomain[0].name = header.run;
    s.unscored_by_reason = {{header.run, 6}};
    const std::string text = score_text(header, s, {}, Detail{true, true, true, true});
    for (const char* bad : {"\033", "\xC2\x9B", "\xE2\x80\xAE", "\xFF"}) EXPECT_THAT(text, Not(HasSubstr(bad)));
    EXPECT_THAT(text, HasSubstr("x\\x1b[2J\\u009b\\n\\u202ey\\xff"));
}

TEST(ScoreText, UsesColourOnlyWhereAllowed) {
    EXPECT_THAT(score_text(example_header(), example_with_holes(), Look{80, false}), Not(HasSubstr("\033")));
    EXPECT_THAT(score_text(example_header(), example_with_holes(), Look{80, true}), HasSubstr("\033[1mpass@1"));
}

TEST(ScoreText, HasNoScoreWhereNothingIsScored) {
    RunHeader header;
    header.plan.dataset_name = "sample";
    statistics::Summary s;
    s.questions = 2;
    s.seeds = 1;
    s.total.attempts = 2;
    s.total.unscored = 1;
    s.total.missing = 1;
    s.bounds = statistics::Interval{0, 1};
    s.unscored_by_reason = {{"refused", 1}};
    s.per_seed = {{0, s.total}};
    expect_golden("reports/score_nothing.txt", score_text(header, s, Look{80, false}));
}

TEST(ScoreText, OfAnEmptyRunIsStillAReport) {
    const std::string text = score_text({}, {}, {});
    EXPECT_THAT(text, HasSubstr("0 questions x 0 seeds"));
    EXPECT_THAT(text, HasSubstr("no score"));
}

TEST(ScoreText, OfOneSeedAndOneQuestionClaimsNoSpread) {
    RunHeader header;
    header.plan.dataset_name = "sample";
    statistics::Summary s;
    s.questions = s.seeds = 1;
    s.total.attempts = s.total.scored = s.total.correct = s.total.complete = 1;
    s.full = true;
    s.pass_at_1 = 1;
    s.bounds = statistics::Interval{1, 1};
    statistics::AtK& one = s.at_k.emplace_back();
    one.k = 1;
    one.pass_at_k = one.average_of_k = 1;
    s.per_seed = {{0, s.total}};
    expect_golden("reports/score_one.txt", score_text(header, s, Look{80, false}));
}

Stopping stopped_by_precision() {
    Stopping s;
    s.rule = "this-test<=0.7";
    s.decision = "stop";
    s.seeds = 16;
    s.seeds_asked = 32;
    s.looks = 12;
    s.replies_outside = 37;
    s.bound = 0.007;
    s.half_width = 0.0066;
    s.coverage = 0.928;
    return s;
}

TEST(ScoreText, SaysThatARunWasStoppedEarlyAndWhatThatCosts) {
    RunHeader header = example_header();
    header.stopping = stopped_by_precision();
    const std::string text = score_text(header, example_summary(), Look{200, false});
    EXPECT_THAT(text, HasSubstr("stopped early      16 of 32 seeds --stop-when this-test<=0.7: +/- 0.66 at the look after 16 seeds; 37 replies of other "
                                "seeds are on record and in no figure here"));
    EXPECT_THAT(text, HasSubstr("its price        about 92.8 %  is what the 95 % of 'this test only' come to"));
}

TEST(ScoreText, SaysWhatAGateThatWasLookedAtEarlyDecided) {
    RunHeader header = example_header();
    Stopping& s = header.stopping.emplace();
    s.rule = "gate-decided, margin 2, reference runs/\033[2Ja";
    s.decision = "stop";
    s.seeds = 6;
    s.seeds_asked = 16;
    s.looks = 3;
    s.lower = -0.0044;
    s.upper = 0.019;
    s.level = 0.999;
    s.verdict = "PASS";
    std::string text = score_text(header, example_summary(), Look{200, false});
    EXPECT_THAT(text, HasSubstr("reference runs/\\x1b[2Ja: PASS after 6 seeds: bounds -0.44 to +1.90, one-sided 99.9 %"));
    EXPECT_THAT(text, HasSubstr("its price        99.9 %"));
    s.decision = "lifted";
    text = score_text(header, example_summary(), Look{200, false});
    EXPECT_THAT(text, HasSubstr("was stopped        after 6 seeds"));
    EXPECT_THAT(text, Not(HasSubstr("its price")));
    s.decision = "end";
    s.verdict = "INCONCLUSIVE";
    EXPECT_THAT(score_text(header, example_summary(), Look{200, false}), HasSubstr("not stopped        3 looks"));
}

}  // namespace
}  // namespace assay::reports
