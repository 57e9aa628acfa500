#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/score/score_report.hpp"
#include "tests/support/golden_file.hpp"
#include "tests/unit/reports_score/example.hpp"

namespace assay::reports {
namespace {

using nlohmann::json;

TEST(ScoreJson, IsOneObjectOfANamedFormat) {
    const std::string text = score_json(example_header(), example_summary());
    support::expect_golden("reports/score.json", text);
    EXPECT_EQ(json::parse(text).at("format"), "assay.score_report/1");
}

TEST(ScoreJson, CarriesFractionsUnrounded) {
    const json report = json::parse(score_json(example_header(), example_summary()));
    EXPECT_EQ(report.at("pass_at_1").get<double>(), 2945.0 / 3168.0);
    EXPECT_EQ(report.at("intervals").at("this_test").at("sd").get<double>(), 0.012435426517);
    EXPECT_EQ(report.at("per_seed").at(0).at("counts").at("correct"), 190);
    EXPECT_EQ(report.at("per_seed").at(0).at("greedy"), true);
    EXPECT_EQ(report.at("per_seed").at(1).at("greedy"), false);
}

TEST(ScoreJson, WritesNullForWhatIsAbsent) {
    const json report = json::parse(score_json({}, {}));
    EXPECT_TRUE(report.at("pass_at_1").is_null());
    EXPECT_TRUE(report.at("intervals").at("over_questions").is_null());
    EXPECT_TRUE(report.at("effort").is_null());
    EXPECT_TRUE(report.at("simulated").is_null());
    EXPECT_TRUE(report.at("per_seed").is_array());
    EXPECT_TRUE(report.at("unscored_by_reason").is_object());
}

TEST(ScoreJson, HasTheSameKeysWhateverIsAbsent) {
    const auto keys = [](const json& object) {
        std::vector<std::string> names;
        for (const auto& [name, value] : object.items()) names.push_back(name);
        return names;
    };
    EXPECT_EQ(keys(json::parse(score_json({}, {}))),
              keys(json::parse(score_json(example_header(), example_summary()))));
}

TEST(ScoreJson, SurvivesIllFormedTextAndStaysAscii) {
    RunHeader header = example_header();
    header.notes = {"bad \xFF\033[2J \xE2\x80\xAE \xC2\x9B"};
    const std::string text = score_json(header, example_summary());
    for (const char c : text) ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F));
    EXPECT_EQ(json::parse(text).at("notes").at(0), "bad \xEF\xBF\xBD\033[2J \xE2\x80\xAE \xC2\x9B");
}

}  // namespace
}  // namespace assay::reports
