#include "datasets/runs/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/runs/plan_json.hpp"
#include "datasets/runs/run_json.hpp"
#include "harness/error.hpp"
#include "tests/unit/datasets_runs/samples.hpp"

using namespace assay::runs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string message_of_parsing(const std::string& text) {
    try {
        (void)parse_run_json(text, "R/run.json");
    } catch (const assay::Error& error) {
        return error.what();
    }
    return "";
}

std::string document_text() {
    RunDocument document;
    document.plan = samples::plan();
    document.info = samples::info();
    document.created_unix_s = 1764449000.125;
    document.updated_unix_s = 1764449001.25;
    return run_json(document);
}

TEST(Plan, CanonicalJsonHasSortedKeysAndNoSpaces) {
    EXPECT_EQ(plan_json(samples::plan()),
              R"({"budget":65536,"budget_field":"max_tokens","dataset_name":"sample","dataset_rows":60,"dataset_sha256":")" +
                  std::string(64, 'a') + R"(","model":"kimi \"k3\" \u2603","prompts_sha256":")" + std::string(64, 'b') +
                  R"(","protocol":"nemo","sampling":{"extra_body":"{\"top_k\":20}","greedy_seed":0,)"
                  R"("reasoning_effort":"high","temperature":0.6,"top_p":0.95}})");
}

TEST(Plan, WhatIsUnsetIsLeftOutOfTheHash) {
    EXPECT_EQ(plan_json(Plan{}), R"({"dataset_rows":0,"sampling":{}})");
}

// The digest was computed with CPython: sha256 of json.dumps(plan, sort_keys=True, separators=(",", ":")).
TEST(Plan, HashIsTheOneThatPythonComputes) {
    EXPECT_EQ(plan_hash(samples::plan()), "179723ea4ce24fa222aaccb3320f34457d2eb98642f8d7679b87cbfe8d5c18ff");
}

TEST(Plan, EveryFieldChangesTheHashAndIsNamedAsADifference) {
    const auto differs = [](auto change, const std::string& line) {
        Plan changed = samples::plan();
        change(changed);
        EXPECT_NE(plan_hash(changed), plan_hash(samples::plan())) << line;
        EXPECT_THAT(differences(samples::plan(), changed), ElementsAre(HasSubstr(line)));
    };
    differs([](Plan& p) { p.dataset_name = "x"; }, "dataset_name: this run was made with 'sample', now 'x'");
    differs([](Plan& p) { p.dataset_rows = 61; }, "dataset_rows: this run was made with 60, now 61");
    differs([](Plan& p) { p.dataset_sha256 = "x"; }, "dataset_sha256: ");
    differs([](Plan& p) { p.protocol = "x"; }, "protocol: ");
    differs([](Plan& p) { p.prompts_sha256 = "x"; }, "prompts_sha256: ");
    differs([](Plan& p) { p.model = "x"; }, "model: ");
    differs([](Plan& p) { p.sampling.temperature = 0.7; }, "temperature: this run was made with 0.6, now 0.7");
    differs([](Plan& p) { p.sampling.temperature.reset(); }, "temperature: this run was made with 0.6, now nothing");
    differs([](Plan& p) { p.sampling.top_p = 1; }, "top_p: ");
    differs([](Plan& p) { p.sampling.greedy_seed = 1; }, "greedy_seed: this run was made with 0, now 1");
    differs([](Plan& p) { p.sampling.greedy_seed.reset(); }, "greedy_seed: this run was made with 0, now nothing");
    differs([](Plan& p) { p.sampling.reasoning_effort = "low"; }, "reasoning_effort: ");
    differs([](Plan& p) { p.sampling.extra_body.clear(); }, "extra_body: ");
    differs([](Plan& p) { p.budget = 16384; }, "budget: this run was made with 65536, now 16384");
    differs([](Plan& p) { p.budget_field = "max_completion_tokens"; }, "budget_field: ");
    differs([](Plan& p) { p.simulated = "p=0.9"; }, "simulated: this run was made with nothing, now 'p=0.9'");
    EXPECT_THAT(differences(samples::plan(), samples::plan()), IsEmpty());
}

TEST(RunJson, GivesThePlanAndTheInfoBack) {
    const RunDocument read = parse_run_json(document_text(), "R/run.json");
    EXPECT_EQ(read.info.transport, samples::info().transport);
    EXPECT_EQ(read.info.checkpoint, samples::info().checkpoint);
    EXPECT_EQ(plan_json(read.plan), plan_json(samples::plan()));
    EXPECT_EQ(read.plan_hash, plan_hash(samples::plan()));
    EXPECT_EQ(read.created_unix_s, 1764449000.125);
    EXPECT_EQ(read.updated_unix_s, 1764449001.25);
    const RunInfo wanted = samples::info();
    EXPECT_EQ(read.info.tool_version, wanted.tool_version);
    EXPECT_EQ(read.info.endpoints, wanted.endpoints);
    EXPECT_EQ(read.info.server, wanted.server);
    EXPECT_EQ(read.info.seeds, wanted.seeds);
    EXPECT_EQ(read.info.rows, wanted.rows);
    EXPECT_EQ(read.info.concurrency, wanted.concurrency);
    EXPECT_EQ(read.info.automatic, wanted.automatic);
    EXPECT_EQ(read.info.requests_per_minute, wanted.requests_per_minute);
    EXPECT_EQ(read.info.tokens_per_minute, wanted.tokens_per_minute);
    EXPECT_EQ(read.info.max_retries, wanted.max_retries);
    EXPECT_EQ(read.info.silence_ms, wanted.silence_ms);
}

TEST(RunJson, RefusesANewerFormatByName) {
    std::string text = document_text();
    text.replace(text.find("assay.run/1"), 11, "assay.run/2");
    EXPECT_THAT(message_of_parsing(text), HasSubstr("has format assay.run/2, newer than assay.run/1"));
}

TEST(RunJson, SaysWhatIsWrongWithOtherText) {
    EXPECT_THAT(message_of_parsing(""), HasSubstr("'R/run.json' is damaged"));
    EXPECT_THAT(message_of_parsing("[]"), HasSubstr("expected a JSON object"));
    EXPECT_THAT(message_of_parsing("{}"), HasSubstr("expected format assay.run/1, found ''"));
    EXPECT_THAT(message_of_parsing(R"({"format":"assay.run/1"})"), HasSubstr("is damaged"));
    EXPECT_THAT(message_of_parsing(R"({"format":"assay.run/1","plan":3,"plan_hash":"x"})"), HasSubstr("is damaged"));
    EXPECT_THAT(message_of_parsing(R"({"format":"assay.run/1","plan":{"model":3},"plan_hash":"x"})"), HasSubstr("is damaged"));
    EXPECT_THAT(message_of_parsing(R"({"format":"assay.journal/1"})"), HasSubstr("found 'assay.journal/1'"));
}

TEST(RunJson, PassesOverKeysItDoesNotKnow) {
    std::string text = document_text();
    text.insert(1, R"("later":[1,2],)");
    EXPECT_EQ(parse_run_json(text, "R/run.json").plan_hash, plan_hash(samples::plan()));
}

}  // namespace
