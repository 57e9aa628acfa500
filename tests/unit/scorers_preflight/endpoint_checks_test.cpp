#include <gtest/gtest.h>

#include "tests/unit/scorers_preflight/good_endpoint.hpp"

namespace assay::preflight {
namespace {

Verdict verdict_of(std::string_view name, const Evidence& evidence) {
    return check_named(name, evidence).verdict;
}

TEST(PreflightReachable, TellsARefusedKeyABusyServerAndSilenceApart) {
    Evidence evidence = good_endpoint();
    evidence.listing = {{}, "the server answered 401", 401, false};
    EXPECT_EQ(verdict_of("reachable", evidence), Verdict::refuted);
    evidence.one_token.reset();
    evidence.listing = {{}, "the server answered 503", 503, false};
    EXPECT_EQ(verdict_of("reachable", evidence), Verdict::could_not_tell);
    evidence.listing = {{}, "no whole answer within the limit", 0, true};
    EXPECT_EQ(verdict_of("reachable", evidence), Verdict::could_not_tell);
    evidence.listing = {{}, "connection refused", 0, false};
    EXPECT_EQ(verdict_of("reachable", evidence), Verdict::refuted);
    evidence.listing = {{}, "the server answered 404", 404, false};
    EXPECT_EQ(verdict_of("reachable", evidence), Verdict::verified);
}

TEST(PreflightModelListed, RefutesAModelThatIsNotInTheListAndNamesThoseThatAre) {
    Evidence evidence = good_endpoint();
    evidence.model = "n";
    const Check check = check_named("model-listed", evidence);
    EXPECT_EQ(check.verdict, Verdict::refuted);
    EXPECT_EQ(check.found, "the server lists m, and not n");
    evidence.listing.error = "the list could not be read";
    EXPECT_EQ(verdict_of("model-listed", evidence), Verdict::could_not_tell);
    evidence.listing = {{}, "", 200, false};
    EXPECT_EQ(verdict_of("model-listed", evidence), Verdict::could_not_tell);
}

TEST(PreflightContext, AnExactFitIsRefutedForSglangOnly) {
    Evidence evidence = good_endpoint();
    const auto with = [&](const char* owner, std::int64_t length) {
        evidence.listing.models[0] = {"m", owner, length};
        return verdict_of("context", evidence);
    };
    EXPECT_EQ(with("sglang", 1199), Verdict::refuted);
    EXPECT_EQ(with("sglang", 1200), Verdict::refuted);
    EXPECT_EQ(with("sglang", 1201), Verdict::verified);
    EXPECT_EQ(with("vllm", 1199), Verdict::refuted);
    EXPECT_EQ(with("vllm", 1200), Verdict::verified);  // the request with the whole budget was taken
    evidence.whole_budget.reset();
    EXPECT_EQ(with("vllm", 1200), Verdict::could_not_tell);
    EXPECT_EQ(with("vllm", 1201), Verdict::verified);
}

TEST(PreflightContext, NamesTheBudgetThatFits) {
    Evidence evidence = good_endpoint();
    evidence.listing.models[0].max_model_len = 1100;
    EXPECT_EQ(check_named("context", evidence).advice, "give --max-tokens 899 at most, or start the server with a context of 1201 tokens or more");
}

TEST(PreflightContext, ARefusalOfTheWholeBudgetCountsMoreThanWhatTheServerLists) {
    Evidence evidence = good_endpoint();
    evidence.whole_budget = refused_probe(400, "Requested token count exceeds the model's maximum context length of 500 tokens.");
    EXPECT_EQ(verdict_of("context", evidence), Verdict::refuted);
    evidence.whole_budget = refused_probe(400, "temperature must be 1");
    EXPECT_EQ(verdict_of("context", evidence), Verdict::could_not_tell);
}

TEST(PreflightContext, IsNotToldWithoutALengthOrWithoutTheTokensOfThePrompt) {
    Evidence evidence = good_endpoint();
    evidence.listing.models[0].max_model_len.reset();
    EXPECT_EQ(verdict_of("context", evidence), Verdict::verified);  // the server's pages name it
    evidence.context_of_facts.reset();
    EXPECT_EQ(verdict_of("context", evidence), Verdict::could_not_tell);
    evidence = good_endpoint();
    evidence.one_token->reply.usage = {};
    EXPECT_EQ(verdict_of("context", evidence), Verdict::could_not_tell);
    evidence.budget = 2000;  // too much for any prompt
    EXPECT_EQ(verdict_of("context", evidence), Verdict::refuted);
}

TEST(PreflightBudgetField, RefutesMoreThanOneTokenHoweverItIsSeen) {
    Evidence evidence = good_endpoint();
    evidence.one_token = probe_of("What a question", "", 57, chat::Outcome::complete);
    EXPECT_EQ(verdict_of("budget-field", evidence), Verdict::refuted);
    evidence.one_token->reply.usage = {};
    EXPECT_EQ(verdict_of("budget-field", evidence), Verdict::refuted);
    evidence.one_token = Probe{};
    evidence.one_token->cut_off = true;
    evidence.one_token->text_events = 64;
    const Check check = check_named("budget-field", evidence);
    EXPECT_EQ(check.verdict, Verdict::refuted);
    EXPECT_EQ(check.advice, "try --budget-field max_completion_tokens");
    evidence.one_token = refused_probe(400, "Unsupported parameter: 'max_tokens' is not supported with this model.");
    EXPECT_EQ(verdict_of("budget-field", evidence), Verdict::refuted);
}

TEST(PreflightBudgetField, IsNotToldWhereTokensAreNotCountedOrNothingCame) {
    Evidence evidence = good_endpoint();
    evidence.one_token->reply.usage.completion_tokens.reset();
    EXPECT_EQ(verdict_of("budget-field", evidence), Verdict::could_not_tell);
    evidence.one_token = refused_probe(400, "temperature must be 1");
    EXPECT_EQ(verdict_of("budget-field", evidence), Verdict::could_not_tell);
    evidence.one_token = Probe{};
    evidence.one_token->cut_off = true;  // nothing came within the limit
    EXPECT_EQ(verdict_of("budget-field", evidence), Verdict::could_not_tell);
    evidence.one_token = probe_of("", "", 1, chat::Outcome::empty);
    EXPECT_EQ(verdict_of("budget-field", evidence), Verdict::could_not_tell);
}

}  // namespace
}  // namespace assay::preflight
