// assay score --stop-when: looked at after whole seeds, recorded, resumed.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/program.hpp"
#include "tests/support/run_on_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::run;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class StopWhen : public testing::Test {
protected:
    // Fast replies of few tokens; one seed's questions at a time are in flight.
    std::vector<std::string> score(const std::string& out, int seeds, const std::vector<std::string>& more = {}, const std::string& simulated = "",
                                   const std::string& limit = "20") {
        std::vector<std::string> args{"score",   "--base-url", "simulated:think-median=20,speed=20" + simulated, "--dataset", "sample", "--limit", limit,
                                      "--seeds", std::to_string(seeds), "--concurrency", "4", "--out", folder_.path(out)};
        args.insert(args.end(), more.begin(), more.end());
        return args;
    }
    std::string path(const std::string& name) { return folder_.path(name); }
    Json report(const std::string& out) { return Json::parse(run({"report", path(out), "--format", "json"}).out); }

    support::TemporaryFolder folder_;
};

TEST_F(StopWhen, EndsAtTheFirstLookThatIsNarrowEnoughAndKeepsLaterRepliesOut) {
    const auto stopped = run(score("run", 12, {"--stop-when", "this-test<=5"}));
    ASSERT_EQ(stopped.exit_code, 0) << stopped.err;
    const Json json = report("run");
    ASSERT_EQ(json["stopping"]["decision"], "stop");
    const int seeds = json["stopping"]["seeds"];
    EXPECT_GE(seeds, 5);
    EXPECT_EQ(json["seeds"], seeds);
    EXPECT_EQ(json["counts"]["attempts"], seeds * 20);
    EXPECT_EQ(json["full"], true);
    EXPECT_LE(json["stopping"]["half_width"].get<double>(), 0.05);
    EXPECT_GT(json["stopping"]["coverage_of_this_test"].get<double>(), 0.85);
    EXPECT_LT(json["stopping"]["coverage_of_this_test"].get<double>(), 0.955);
    EXPECT_THAT(stopped.out, AllOf(HasSubstr("stopped early"), HasSubstr("--stop-when this-test<=5: +/- "), HasSubstr("its price")));
    EXPECT_FALSE(std::filesystem::exists(path("run") + "/output-rs" + std::to_string(seeds) + ".jsonl"));

    // What was decided is what the whole run's seeds say, whatever else was in flight.
    ASSERT_EQ(run(score("whole", 12)).exit_code, 0);
    const Json whole = report("whole");
    for (int i = 0; i < seeds; ++i) EXPECT_EQ(json["per_seed"][i]["counts"]["correct"], whole["per_seed"][i]["counts"]["correct"]);
}

TEST_F(StopWhen, SaysThatItIsStoppedAndGoesOnWithoutTheRule) {
    const std::vector<std::string> rule{"--stop-when", "this-test<=5"};
    ASSERT_EQ(run(score("run", 12, rule)).exit_code, 0);
    const int seeds = report("run")["seeds"];
    const int begun = support::records(path("run"), "begin");
    const int looks = support::records(path("run"), "look");
    const auto again = run(score("run", 16, rule));
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_THAT(again.err, HasSubstr("is stopped after " + std::to_string(seeds) + " seeds by --stop-when this-test<=5: nothing more is asked"));
    EXPECT_EQ(support::records(path("run"), "begin"), begun);
    EXPECT_EQ(support::records(path("run"), "look"), looks);
    EXPECT_EQ(report("run")["seeds"], seeds);

    const auto on = run(score("run", 16));
    EXPECT_EQ(on.exit_code, 0);
    EXPECT_THAT(on.err, HasSubstr("without that flag it goes on"));
    EXPECT_THAT(on.out, AllOf(HasSubstr("20 questions x 16 seeds"), HasSubstr("was stopped")));
}

// SIGKILL between a look and its record leaves the journal without the look.
TEST_F(StopWhen, MakesTheSameLookAgainWhereItsRecordWasLost) {
    const std::vector<std::string> rule{"--stop-when", "this-test<=5"};
    ASSERT_EQ(run(score("run", 12, rule)).exit_code, 0);
    const Json before = report("run");
    const std::string journal = path("run") + "/journal.jsonl";
    std::ostringstream text;
    text << std::ifstream(journal, std::ios::binary).rdbuf();
    const std::string all = text.str();
    const std::size_t look = all.rfind("\"decision\":\"stop\"");
    ASSERT_NE(look, std::string::npos);
    std::ofstream(journal, std::ios::binary | std::ios::trunc) << all.substr(0, all.rfind('\n', look) + 1);
    const int begun = support::records(path("run"), "begin");
    ASSERT_EQ(run(score("run", 12, rule)).exit_code, 0);
    const Json after = report("run");
    EXPECT_EQ(after["stopping"]["half_width"], before["stopping"]["half_width"]);
    EXPECT_EQ(after["seeds"], before["seeds"]);
    EXPECT_EQ(after["counts"], before["counts"]);
    EXPECT_EQ(support::records(path("run"), "begin"), begun);  // nothing was asked
}

TEST_F(StopWhen, EndsByTheGateAgainstAReferenceAndCompareAgrees) {
    ASSERT_EQ(run(score("reference", 8)).exit_code, 0);
    const std::vector<std::string> gate{"--stop-when", "gate-decided", "--gate", "10", "--reference", path("reference")};
    const auto worse = run(score("worse", 8, gate, ",accuracy=0.1"));
    EXPECT_EQ(worse.exit_code, 1) << worse.out;
    EXPECT_THAT(worse.out, AllOf(HasSubstr("stopped early"), HasSubstr("FAIL after 4 seeds"), HasSubstr("one-sided 99.9 %")));
    const auto compared = run({"compare", path("reference"), path("worse"), "--gate", "10"});
    EXPECT_EQ(compared.exit_code, 1);
    EXPECT_THAT(compared.out, HasSubstr("stopped after 4 of 8 seeds by --stop-when gate-decided"));
    // Twenty questions can never show that 10 points are not lost: never decided, and said so.
    const auto same = run(score("same", 5, gate));
    EXPECT_EQ(same.exit_code, 3);
    EXPECT_THAT(same.out, AllOf(HasSubstr("not stopped"), HasSubstr("INCONCLUSIVE after 5 seeds")));
}

TEST_F(StopWhen, RefusesAReferenceWithTooFewScoresBeforeAnythingIsSent) {
    EXPECT_EQ(run(score("holes", 2, {"--max-retries", "0", "--skip-preflight"}, ",error-rate=1")).exit_code, 3);
    const auto refused = run(score("run", 4, {"--stop-when", "gate-decided", "--gate", "20", "--reference", path("holes")}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("40 of its 40 attempts have no score"), HasSubstr("continue that run first")));
    EXPECT_FALSE(std::filesystem::exists(path("run")));
}

TEST_F(StopWhen, RefusesAReferenceOfOtherQuestionsBeforeAnythingIsSent) {
    ASSERT_EQ(run(score("reference", 1, {}, "", "10")).exit_code, 0);
    const auto refused = run(score("run", 4, {"--stop-when", "gate-decided", "--gate", "2", "--reference", path("reference")}));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("questions: A asks 10, B asks 20"));
    EXPECT_FALSE(std::filesystem::exists(path("run")));
    EXPECT_EQ(run(score("run", 4, {"--gate", "2"})).exit_code, 2);
    EXPECT_THAT(run(score("run", 4, {"--stop-when", "this-test"})).err, HasSubstr("--stop-when takes 'this-test<=POINTS'"));
}

}  // namespace
}  // namespace assay
