#include <gtest/gtest.h>

#include "tests/unit/scorers_preflight/good_endpoint.hpp"

namespace assay::preflight {
namespace {

TEST(Preflight, VerifiesEveryCheckOfAGoodEndpoint) {
    for (const Check& check : judge(good_endpoint())) {
        EXPECT_EQ(check.verdict, Verdict::verified) << check.name << ": " << check.found;
        EXPECT_TRUE(check.advice.empty()) << check.name;
    }
    EXPECT_EQ(conclusion(judge(good_endpoint()), {}), Verdict::verified);
}

TEST(Preflight, SaysWhatToDoForWhateverIsNotVerified) {
    Evidence nothing;
    nothing.model = "m";
    nothing.budget_field = "max_tokens";
    nothing.listing.error = "connection refused";
    for (const Check& check : judge(nothing)) {
        EXPECT_NE(check.verdict, Verdict::verified) << check.name;
        EXPECT_FALSE(check.found.empty()) << check.name;
        EXPECT_FALSE(check.advice.empty()) << check.name;
    }
    EXPECT_EQ(conclusion(judge(nothing), {}), Verdict::refuted);
}

TEST(Preflight, OneRefutedCheckIsEnoughUnlessItIsAccepted) {
    Evidence evidence = good_endpoint();
    evidence.same_seed[1].reply.content = "three";
    EXPECT_EQ(conclusion(judge(evidence), {}), Verdict::refuted);
    EXPECT_EQ(conclusion(judge(evidence), {"seed"}), Verdict::verified);
    EXPECT_EQ(conclusion(judge(evidence), {"sum"}), Verdict::refuted);
}

TEST(Preflight, OnlyNeededChecksMustBeTold) {
    Evidence evidence = good_endpoint();
    evidence.sum->reply.reasoning.clear();
    evidence.facts.clear();
    EXPECT_EQ(check_named("reasoning", evidence).verdict, Verdict::could_not_tell);
    EXPECT_EQ(conclusion(judge(evidence), {}), Verdict::verified);
    evidence.listing.models[0].max_model_len.reset();
    evidence.context_of_facts.reset();
    EXPECT_EQ(conclusion(judge(evidence), {}), Verdict::could_not_tell);
    EXPECT_EQ(conclusion(judge(evidence), {"context"}), Verdict::verified);
}

TEST(Preflight, MakesFourChecksBeforeARun) {
    std::string names;
    for (const Check& check : judge_before_run(good_endpoint())) names += std::string(check.name) + " ";
    EXPECT_EQ(names, "reachable model-listed context budget-field ");
    EXPECT_EQ(check_names().size(), 11U);
}

}  // namespace
}  // namespace assay::preflight
