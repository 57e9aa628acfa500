#include "reports/junit/score_junit.hpp"

#include <gmock/gmock.h>

#include "tests/unit/reports_score/example.hpp"

namespace assay::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ScoreJunit, PassesWhereEveryAttemptHasAScoreAndTheLimitIsReached) {
    const std::string text = score_junit(example_header(), example_summary(), ScoreLimit{90, CaseEnd::passed});
    EXPECT_THAT(text, HasSubstr(R"(<testsuite name="assay score runs/k3-nvfp4" tests="2" failures="0" errors="0" skipped="0">)"));
    EXPECT_THAT(text, HasSubstr(R"(name="every attempt has a score")"));
    EXPECT_THAT(text, HasSubstr(R"(name="pass@1 is at least 90 %")"));
}

TEST(ScoreJunit, IsUndecidedWithTheBoundsWhereAttemptsHaveNone) {
    const std::string text = score_junit(example_header(), example_with_holes(), std::nullopt);
    EXPECT_THAT(text, HasSubstr(R"(tests="1" failures="0" errors="1")"));
    EXPECT_THAT(text, HasSubstr("attempts have none: pass@1 lies between"));
}

TEST(ScoreJunit, SaysThatALimitWasMissed) {
    const std::string text = score_junit(example_header(), example_summary(), ScoreLimit{99.5, CaseEnd::failed});
    EXPECT_THAT(text, HasSubstr(R"(<testcase classname="assay score" name="pass@1 is at least 99.5 %">
      <failure message="pass@1 )"));
    EXPECT_THAT(text, Not(HasSubstr("<error")));
}

}  // namespace
}  // namespace assay::reports
