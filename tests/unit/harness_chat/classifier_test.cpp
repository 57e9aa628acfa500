#include "harness/chat/classifier.hpp"

#include <gtest/gtest.h>

namespace assay::chat {
namespace {

Facts ended(std::string_view finish_reason) {
    Facts facts;
    facts.http_status = 200;
    facts.any_bytes = true;
    facts.finish_reason = finish_reason;
    facts.has_content = true;
    return facts;
}

std::string_view outcome(const Facts& facts) {
    return to_string(classify(facts));
}

TEST(Classifier, StopAndItsAliasesAreCompleteWhateverTheirCase) {
    for (const char* reason : {"stop", "STOP", "Stop", "tool_calls", "function_call"}) EXPECT_EQ(outcome(ended(reason)), "complete") << reason;
}

TEST(Classifier, LengthAndItsAliasesAreTruncated) {
    for (const char* reason : {"length", "LENGTH", "MAX_TOKENS", "max_tokens", "model_length", "max_output_tokens"}) EXPECT_EQ(outcome(ended(reason)), "truncated") << reason;
}

TEST(Classifier, TruncatedNeedsNoContent) {
    Facts facts = ended("length");
    facts.has_content = false;
    EXPECT_EQ(outcome(facts), "truncated");
}

TEST(Classifier, ContentFilterIsFiltered) {
    EXPECT_EQ(outcome(ended("content_filter")), "filtered");
}

TEST(Classifier, AbortsAndUnknownReasonsAreAborted) {
    for (const char* reason : {"abort", "cancelled", "error", "network_error", "insufficient_system_resource", "stop ", "whatever"}) {
        EXPECT_EQ(outcome(ended(reason)), "aborted") << reason;
    }
}

TEST(Classifier, StopWithoutContentDependsOnTheReasoning) {
    Facts facts = ended("stop");
    facts.has_content = false;
    EXPECT_EQ(outcome(facts), "empty");
    facts.has_reasoning = true;
    EXPECT_EQ(outcome(facts), "answer_in_reasoning");
}

TEST(Classifier, NoFinishReasonIsDroppedHoweverTheTransportEnded) {
    Facts facts = ended("");
    EXPECT_EQ(outcome(facts), "dropped");
    facts.body_cut = true;
    EXPECT_EQ(outcome(facts), "dropped");
}

TEST(Classifier, ACutAfterTheFinishReasonIsStillComplete) {
    Facts facts = ended("stop");
    facts.body_cut = true;
    facts.limit_passed = true;
    EXPECT_EQ(outcome(facts), "complete");
}

TEST(Classifier, AnErrorFailsTheReplyEvenAfterAFinishReason) {
    Facts facts = ended("stop");
    facts.error_seen = true;
    EXPECT_EQ(outcome(facts), "server_error");
}

TEST(Classifier, AMalformedEventFailsTheReplyEvenAfterAFinishReason) {
    Facts facts = ended("stop");
    facts.malformed_seen = true;
    EXPECT_EQ(outcome(facts), "malformed");
}

TEST(Classifier, AnErrorGoesBeforeAMalformedEvent) {
    Facts facts = ended("");
    facts.malformed_seen = true;
    facts.error_seen = true;
    EXPECT_EQ(outcome(facts), "server_error");
}

TEST(Classifier, APassedLimitIsATimeoutWithAndWithoutAResponse) {
    Facts facts;
    facts.limit_passed = true;
    EXPECT_EQ(outcome(facts), "timeout");
    facts = ended("");
    facts.limit_passed = true;
    EXPECT_EQ(outcome(facts), "timeout");
}

TEST(Classifier, NoResponseIsDropped) {
    EXPECT_EQ(outcome(Facts{}), "dropped");
}

TEST(Classifier, ABodyThatIsNoCompletionIsMalformedUnlessItWasCut) {
    Facts facts = ended("");
    facts.whole_body = true;
    EXPECT_EQ(outcome(facts), "malformed");
    facts.body_cut = true;
    EXPECT_EQ(outcome(facts), "dropped");
    facts = ended("");
    facts.foreign_bytes = true;
    EXPECT_EQ(outcome(facts), "malformed");
}

TEST(Classifier, EveryStatusHasItsOutcome) {
    for (long status = 300; status < 600; ++status) {
        Facts facts;
        facts.http_status = status;
        const bool transient = status >= 500 || status == 408 || status == 409 || status == 425 || status == 429 || status == 460 || status == 499;
        EXPECT_EQ(outcome(facts), transient ? "server_error" : "refused") << status;
    }
}

TEST(Classifier, ABadRequestThatSpeaksOfOverloadMayBeTriedAgain) {
    Facts facts;
    facts.http_status = 400;
    facts.transient_words = true;
    EXPECT_EQ(outcome(facts), "server_error");
}

}  // namespace
}  // namespace assay::chat
