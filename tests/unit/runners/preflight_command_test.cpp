// `assay preflight` against servers that are good, that lie, and that hide: for each check one of each.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/program.hpp"
#include "tests/support/scripted_server.hpp"

namespace assay::runners {
namespace {

using Json = nlohmann::json;

struct Result {
    int exit_code = -1;
    Json report;

    [[nodiscard]] Json check(const std::string& name) const {
        for (const auto& check : report.at("endpoints").at(0).at("checks"))
            if (check.at("name") == name) return check;
        return {};
    }
    [[nodiscard]] std::string verdict(const std::string& name) const { return check(name).value("verdict", "no such check"); }
};

Result preflight_of(const std::string& url, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args{"preflight", "--base-url", url, "--dataset", "sample", "--limit", "20", "--model", "simulated", "--reasoning-effort", "high",
                                  "--probe-timeout", "10", "--format", "json"};
    args.insert(args.end(), more.begin(), more.end());
    const support::Run run = support::run(args);
    return {run.exit_code, Json::parse(run.out, nullptr, false)};
}

// A simulated server that answers fast, with these behaviours.
Result preflight_with(const std::string& behaviors, const std::vector<std::string>& more = {}) {
    return preflight_of("simulated:rate=20000,effort=checked" + (behaviors.empty() ? "" : "," + behaviors), more);
}

TEST(PreflightCommand, VerifiesAllOfAGoodServer) {
    for (const char* wire : {"sglang", "vllm"}) {
        const Result result = preflight_with(std::string("wire=") + wire);
        EXPECT_EQ(result.exit_code, 0) << result.report.dump(1);
        for (const auto& check : result.report["endpoints"][0]["checks"]) EXPECT_EQ(check["verdict"], "verified") << wire << ": " << check.dump();
    }
}

struct Case {
    const char* check;
    const char* behavior;
    const char* verdict;
    int exit_code;
};

class PreflightCase : public testing::TestWithParam<Case> {};

TEST_P(PreflightCase, IsTold) {
    const Case& one = GetParam();
    const Result result = preflight_with(one.behavior);
    EXPECT_EQ(result.verdict(one.check), one.verdict) << result.report.dump(1);
    EXPECT_EQ(result.exit_code, one.exit_code);
    EXPECT_FALSE(result.check(one.check)["advice"].is_null());
}

constexpr const char* refuted = "refuted";
constexpr const char* untold = "could not tell";

INSTANTIATE_TEST_SUITE_P(
    Lies, PreflightCase,
    testing::Values(Case{"reachable", "models=denied", refuted, 1}, Case{"model-listed", "models=other", refuted, 1},
                    Case{"context", "context-limit=60000", refuted, 1}, Case{"context", "context=65600", refuted, 1},
                    Case{"budget-field", "ignore-budget=max_tokens", refuted, 1}, Case{"stream-end", "done-without-finish", refuted, 1},
                    Case{"usage", "usage-zero", refuted, 1}, Case{"reasoning", "thinking=inline", refuted, 1},
                    Case{"effort", "effort=refused", refuted, 1}, Case{"seed", "seed=unread", refuted, 1}, Case{"sum", "wrong-sum", refuted, 1},
                    Case{"server-facts", "server-pages=false", refuted, 1}),
    [](const auto& one) { return "Number" + std::to_string(one.index); });

INSTANTIATE_TEST_SUITE_P(
    Hides, PreflightCase,
    testing::Values(Case{"model-listed", "models=absent", untold, 0}, Case{"context", "models=no-length,server-pages=absent", untold, 3},
                    Case{"budget-field", "usage=absent", untold, 3}, Case{"stream-end", "no-done", untold, 3}, Case{"usage", "usage=absent", untold, 3},
                    Case{"reasoning", "thinking=hidden", untold, 0}, Case{"seed", "seed=useless", untold, 0}, Case{"sum", "thinking-stop", untold, 3},
                    Case{"server-facts", "server-pages=absent", untold, 0}),
    [](const auto& one) { return "Number" + std::to_string(one.index); });

TEST(PreflightCommand, CannotTellWhetherAnEffortIsReadThatIsNeverRefused) {
    EXPECT_EQ(preflight_of("simulated:rate=20000").verdict("effort"), untold);
}

TEST(PreflightCommand, CannotTellOfAServerThatIsSilentAndRefutesOneThatIsNotThere) {
    const tests::FullListener silent;
    const Result hidden = preflight_of(silent.base_url());
    EXPECT_EQ(hidden.verdict("reachable"), untold);
    EXPECT_EQ(hidden.exit_code, 3);
    const Result absent = preflight_of("http://127.0.0.1:" + std::to_string(tests::unused_port()) + "/v1");
    EXPECT_EQ(absent.verdict("reachable"), refuted);
    EXPECT_EQ(absent.exit_code, 1);
}

TEST(PreflightCommand, AnAcceptedCheckDoesNotCount) {
    EXPECT_EQ(preflight_with("seed=unread", {"--accept", "seed"}).exit_code, 0);
    EXPECT_EQ(preflight_with("seed=unread,wrong-sum", {"--accept", "seed"}).exit_code, 1);
    const support::Run run = support::run({"preflight", "--base-url", "simulated:", "--dataset", "sample", "--accept", "luck"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("server-facts"), std::string::npos);
}

TEST(PreflightCommand, ChecksEachOfSeveralEndpoints) {
    const Result result = preflight_with("", {"--base-url", "simulated:rate=20000,effort=checked,wrong-sum"});
    EXPECT_EQ(result.exit_code, 1);
    ASSERT_EQ(result.report["endpoints"].size(), 2U);
    EXPECT_EQ(result.report["endpoints"][0]["verdict"], "verified");
    EXPECT_EQ(result.report["endpoints"][1]["verdict"], "refuted");
}

}  // namespace
}  // namespace assay::runners
