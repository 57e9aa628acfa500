#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/preflight/preflight_report.hpp"

namespace assay::reports {
namespace {

using preflight::Verdict;
using testing::HasSubstr;
using testing::Not;

PreflightReport example() {
    PreflightReport report;
    report.tool_version = "0.1.0";
    report.model = "kimi";
    report.dataset = "gpqa:diamond";
    report.budget = 65536;
    report.budget_field = "max_tokens";
    report.endpoints.push_back({"http://a/v1", "", {{"sum", Verdict::verified, true, "17 * 23 = 391", ""},
                                                    {"seed", Verdict::refuted, false, "differ", "look"},
                                                    {"context", Verdict::could_not_tell, true, "no \x1b[2J length", "ask"}},
                                {{"version", "1.2\x1b[31m"}}});
    return report;
}

TEST(PreflightReport, ShowsEveryCheckWithItsVerdictAndWhatToDo) {
    const std::string text = preflight_text(example(), {});
    EXPECT_THAT(text, HasSubstr("preflight model kimi   dataset gpqa:diamond   max_tokens 65,536\n"));
    EXPECT_THAT(text, HasSubstr("sum                  verified      17 * 23 = 391\n"));
    EXPECT_THAT(text, HasSubstr("seed                 refuted       differ - to do: look\n"));
    EXPECT_THAT(text, HasSubstr("this endpoint does not do what was asked: 1 verified, 1 refuted, 1 could not tell\n"));
}

TEST(PreflightReport, MakesTextFromOutsideVisible) {
    const std::string text = preflight_text(example(), {});
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, HasSubstr("\\x1b[2J"));
}

TEST(PreflightReport, TheJsonHasTheSameAndItsFormat) {
    const auto object = nlohmann::json::parse(preflight_json(example()));
    EXPECT_EQ(object["format"], "assay.preflight/1");
    EXPECT_EQ(object["verdict"], "refuted");
    const auto& endpoint = object["endpoints"][0];
    EXPECT_TRUE(endpoint["simulated"].is_null());
    EXPECT_EQ(endpoint["checks"][0]["name"], "sum");
    EXPECT_TRUE(endpoint["checks"][0]["advice"].is_null());
    EXPECT_EQ(endpoint["checks"][1]["verdict"], "refuted");
    EXPECT_EQ(endpoint["checks"][2]["verdict"], "could not tell");
    EXPECT_EQ(endpoint["facts"]["version"], "1.2\x1b[31m");
}

TEST(PreflightReport, TheWorstEndpointDecidesAndAcceptedChecksDoNotCount) {
    PreflightReport report = example();
    report.accepted = {"seed"};
    EXPECT_EQ(conclusion(report), Verdict::could_not_tell);
    report.accepted = {"seed", "context"};
    EXPECT_EQ(conclusion(report), Verdict::verified);
    EXPECT_THAT(preflight_text(report, {}), HasSubstr("not counted: seed, context"));
    report.endpoints.push_back({"http://b/v1", "", {{"sum", Verdict::refuted, true, "408", "look"}}, {}});
    EXPECT_EQ(conclusion(report), Verdict::refuted);
}

}  // namespace
}  // namespace assay::reports
