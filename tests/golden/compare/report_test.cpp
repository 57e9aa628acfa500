// What assay report says of truncation, seeds and budgets, on results folders whose numbers are known.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/nemo_folder.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::run;
using support::TemporaryFolder;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

TEST(Report, GivesTruncationItsBoundsAndTheScoreOnFinishedReplies) {
    const TemporaryFolder folder;
    support::write_nemo_folder(folder.path("r"), std::vector<std::string>{"11t", "110", "1tt", "000"});
    const auto report = run({"report", folder.path("r")});
    EXPECT_THAT(report.out, HasSubstr("truncated            3 (25.00 %)   cut at the budget; 3 without a letter; at most +25.00 points"));
    EXPECT_THAT(report.out, HasSubstr("  where              3 / 0         cut while thinking / in the answer"));
    EXPECT_THAT(report.out, HasSubstr("  finished replies   55.56 %"));
    EXPECT_THAT(report.out, HasSubstr("  bounds             41.67 - 66.67 the score were every cut reply"));
    EXPECT_THAT(report.out, HasSubstr("points, optimistic:"));
    const auto json = Json::parse(run({"report", folder.path("r"), "--format", "json"}).out);
    EXPECT_EQ(json["truncation"]["without_letter"], 3);
    EXPECT_EQ(json["truncation"]["recovery"]["optimistic"], true);
}

TEST(Report, SaysThatSeedsAreCopies) {
    const TemporaryFolder folder;
    support::write_nemo_folder(folder.path("r"), std::vector<std::string>{"11", "00", "11", "11"});
    const auto report = run({"report", folder.path("r")});
    EXPECT_THAT(report.out, HasSubstr("  copies             4             of 8 replies repeat an earlier seed's to the same question, word for word; "
                                      "most: seeds 0 and 1, 4 of 4: they are not two samples"));
}

TEST(Report, AdvisesOnBudgetsFromRecordedLengths) {
    const TemporaryFolder folder;
    std::vector<std::vector<support::NemoReply>> replies;
    for (int i = 1; i <= 90; ++i) replies.push_back({{"Answer: B", "stop", 10L * i}});
    for (int i = 0; i < 10; ++i) replies.push_back({{"", "length", 1000}});
    support::write_nemo_folder(folder.path("r"), replies);
    const auto half = run({"report", folder.path("r"), "--budget-advice", "--truncated-at-most", "50"});
    EXPECT_EQ(half.exit_code, 0);
    EXPECT_THAT(half.out, HasSubstr("budget  truncated\n   256    75.00 %\n   512    49.00 %\n 1,000    10.00 %\n"));
    EXPECT_THAT(half.out, HasSubstr("smallest budget      500           tokens: the smallest that would have cut at most 50.00 % of these replies"));
    const auto one = run({"report", folder.path("r"), "--budget-advice"});
    EXPECT_THAT(one.out, HasSubstr("not identified"));
    EXPECT_THAT(one.out, HasSubstr("a guess beyond the data"));
    const auto json = Json::parse(run({"report", folder.path("r"), "--budget-advice", "--format", "json"}).out);
    EXPECT_EQ(json["format"], "assay.budget_advice/1");
    EXPECT_EQ(json["smallest"], nullptr);
    EXPECT_GT(json["extrapolation"]["budget"].get<double>(), 1000);
}

TEST(Report, RefusesABudgetAdviceThatCannotBePrinted) {
    const TemporaryFolder folder;
    support::write_nemo_folder(folder.path("r"), std::vector<std::string>{"11"});
    EXPECT_EQ(run({"report", folder.path("r"), "--budget-advice", "--format", "html"}).exit_code, 2);
    EXPECT_THAT(run({"report", folder.path("r"), "--budget-advice", "--truncated-at-most", "0"}).err, HasSubstr("--truncated-at-most must lie above 0"));
}

}  // namespace
}  // namespace assay
