#include <gtest/gtest.h>

#include "tests/unit/scorers_preflight/good_endpoint.hpp"

namespace assay::preflight {
namespace {

Verdict verdict_of(std::string_view name, const Evidence& evidence) {
    return check_named(name, evidence).verdict;
}

TEST(PreflightStreamEnd, NeedsAFinishReasonAndTellsNothingWithoutDone) {
    Evidence evidence = good_endpoint();
    evidence.sum->reply.done_marker = false;
    EXPECT_EQ(verdict_of("stream-end", evidence), Verdict::could_not_tell);
    evidence.sum->reply.done_marker = true;
    evidence.sum->reply.finish_reason.clear();
    evidence.sum->reply.outcome = chat::Outcome::dropped;
    EXPECT_EQ(verdict_of("stream-end", evidence), Verdict::refuted);
    evidence.sum->reply.finish_reason = "abort";
    evidence.sum->reply.outcome = chat::Outcome::aborted;
    EXPECT_EQ(verdict_of("stream-end", evidence), Verdict::refuted);
    evidence.sum->cut_off = true;
    EXPECT_EQ(verdict_of("stream-end", evidence), Verdict::could_not_tell);
}

TEST(PreflightUsage, RefutesCountsThatCannotBeTrue) {
    const auto with = [](std::int64_t prompt, std::int64_t completion, std::optional<std::int64_t> thinking) {
        Evidence evidence = good_endpoint();
        evidence.sum->reply.usage = {prompt, completion, thinking};
        return verdict_of("usage", evidence);
    };
    EXPECT_EQ(with(20, 12, 3), Verdict::verified);
    EXPECT_EQ(with(20, 0, std::nullopt), Verdict::refuted);
    EXPECT_EQ(with(0, 12, std::nullopt), Verdict::refuted);
    EXPECT_EQ(with(20, 12, 13), Verdict::refuted);
    EXPECT_EQ(with(200, 12, std::nullopt), Verdict::refuted);  // as many as the longest prompt has
}

TEST(PreflightUsage, IsNotToldWhereNoneComes) {
    Evidence evidence = good_endpoint();
    evidence.sum->reply.usage = {};
    EXPECT_EQ(verdict_of("usage", evidence), Verdict::could_not_tell);
}

TEST(PreflightReasoning, NamesTheFieldAndRefutesThinkingInTheContent) {
    Evidence evidence = good_endpoint();
    EXPECT_EQ(check_named("reasoning", evidence).found, "thinking is apart, in reasoning_content");
    evidence.sum->reply.reasoning_field = "<think>";
    EXPECT_EQ(verdict_of("reasoning", evidence), Verdict::refuted);
    evidence = good_endpoint();
    evidence.sum->reply.content = "<|channel|>analysis 391";
    EXPECT_EQ(verdict_of("reasoning", evidence), Verdict::refuted);
    evidence = good_endpoint();
    evidence.sum->reply.reasoning.clear();
    evidence.sum->reply.usage.reasoning_tokens = 9;
    EXPECT_EQ(verdict_of("reasoning", evidence), Verdict::could_not_tell);
}

TEST(PreflightEffort, IsVerifiedOnlyWhereAWrongOneIsRefused) {
    Evidence evidence = good_endpoint();
    evidence.effort_wrong = evidence.effort_given;
    EXPECT_EQ(verdict_of("effort", evidence), Verdict::could_not_tell);
    evidence.effort_given = refused_probe(400, "max is no effort");
    EXPECT_EQ(verdict_of("effort", evidence), Verdict::refuted);
    evidence.effort.reset();
    EXPECT_EQ(verdict_of("effort", evidence), Verdict::could_not_tell);
}

TEST(PreflightSeed, ComparesTwoEqualRequestsAndOneMore) {
    Evidence evidence = good_endpoint();
    evidence.same_seed[1].reply.reasoning = "another thought";
    EXPECT_EQ(verdict_of("seed", evidence), Verdict::refuted);
    evidence = good_endpoint();
    evidence.other_seed = evidence.same_seed[0];
    EXPECT_EQ(verdict_of("seed", evidence), Verdict::could_not_tell);
    evidence.other_seed = refused_probe(400, "seed is not known");
    EXPECT_EQ(verdict_of("seed", evidence), Verdict::could_not_tell);
}

TEST(PreflightSum, WantsTheNumberItself) {
    const auto with = [](const std::string& content, chat::Outcome outcome) {
        Evidence evidence = good_endpoint();
        evidence.sum = probe_of(content, "hm", 9, outcome);
        return verdict_of("sum", evidence);
    };
    EXPECT_EQ(with("391", chat::Outcome::complete), Verdict::verified);
    EXPECT_EQ(with("It is **391**.", chat::Outcome::truncated), Verdict::verified);
    EXPECT_EQ(with("13910", chat::Outcome::complete), Verdict::refuted);
    EXPECT_EQ(with("408", chat::Outcome::complete), Verdict::refuted);
    EXPECT_EQ(with("Let me", chat::Outcome::truncated), Verdict::could_not_tell);
    EXPECT_EQ(with("", chat::Outcome::answer_in_reasoning), Verdict::could_not_tell);
    Evidence evidence = good_endpoint();
    evidence.sum = refused_probe(404, "no such model");
    EXPECT_EQ(verdict_of("sum", evidence), Verdict::refuted);
}

TEST(PreflightServerFacts, RefutesPagesThatDisagree) {
    Evidence evidence = good_endpoint();
    evidence.context_of_facts = 4000;
    EXPECT_EQ(verdict_of("server-facts", evidence), Verdict::refuted);
    evidence.facts.clear();
    EXPECT_EQ(verdict_of("server-facts", evidence), Verdict::could_not_tell);
}

}  // namespace
}  // namespace assay::preflight
