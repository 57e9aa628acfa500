#include "harness/pacing/stop_rule.hpp"

#include <gmock/gmock.h>

namespace assay::pacing {
namespace {

using chat::Outcome;
using chat::Reply;
using std::chrono::seconds;
using testing::HasSubstr;

const StopRule::Time start{};

Reply of(Outcome outcome, long status, const std::string& words = "no") {
    Reply reply;
    reply.outcome = outcome;
    reply.http_status = status;
    reply.error = words;
    reply.times.connected_ms = 1;
    return reply;
}

const Reply good = of(Outcome::complete, 200, "");

Reply no_connection(int curl_code) {
    Reply reply = of(Outcome::dropped, 0, "could not connect");
    reply.curl_code = curl_code;
    reply.times.connected_ms.reset();
    return reply;
}

TEST(StopRule, ARefusedKeyStopsAtOnceWithTheServersWordsAndTheFlag) {
    StopRule rule;
    EXPECT_FALSE(rule.add(good, start));
    const auto stop = rule.add(of(Outcome::refused, 401, "Invalid token"), start);
    ASSERT_TRUE(stop);
    EXPECT_THAT(*stop, HasSubstr("401: Invalid token"));
    EXPECT_THAT(*stop, HasSubstr("--api-key-file"));
}

TEST(StopRule, AnUnknownModelStopsAtOnceBeforeAnyAnswer) {
    StopRule rule;
    const auto stop = rule.add(of(Outcome::refused, 404, "The model `m` does not exist"), start);
    ASSERT_TRUE(stop);
    EXPECT_THAT(*stop, HasSubstr("--model"));
}

TEST(StopRule, AfterAnAnswerAnUnknownModelStopsOnlyInARow) {
    StopRule rule;
    EXPECT_FALSE(rule.add(good, start));
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(rule.add(of(Outcome::refused, 404), start));
    EXPECT_FALSE(rule.add(good, start));
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(rule.add(of(Outcome::refused, 404), start));
    EXPECT_TRUE(rule.add(of(Outcome::refused, 404), start));
}

TEST(StopRule, ABadRequestThatTheFirstShareStops) {
    StopRule rule;
    EXPECT_FALSE(rule.add(of(Outcome::refused, 400, "too long"), start));
    EXPECT_FALSE(rule.add(of(Outcome::refused, 400, "too long"), start));
    const auto stop = rule.add(of(Outcome::refused, 400, "too long"), start);
    ASSERT_TRUE(stop);
    EXPECT_THAT(*stop, HasSubstr("--max-tokens"));
}

TEST(StopRule, BadRequestsAmongAnswersAreThoseItemsOwn) {
    StopRule rule;
    EXPECT_FALSE(rule.add(good, start));
    for (int i = 0; i < 50; ++i) EXPECT_FALSE(rule.add(of(Outcome::refused, 400), start));
}

TEST(StopRule, UsedUpQuotaStopsAtOnceAndAFullQueueDoesNot) {
    StopRule rule;
    EXPECT_FALSE(rule.add(of(Outcome::server_error, 429, "slow down (rate_limit_reached_error)"), start));
    EXPECT_TRUE(rule.add(of(Outcome::server_error, 429, "You exceeded your current quota (insufficient_quota)"), start));
    EXPECT_TRUE(rule.add(of(Outcome::refused, 403, "balance (exceeded_current_quota_error)"), start));
    EXPECT_TRUE(rule.add(of(Outcome::refused, 402, "credits"), start));
}

TEST(StopRule, ARedirectStopsAndSaysWhereItLeads) {
    StopRule rule;
    const auto stop = rule.add(of(Outcome::refused, 307, "redirected to https://h/v1; not followed"), start);
    ASSERT_TRUE(stop);
    EXPECT_THAT(*stop, HasSubstr("https://h/v1"));
    EXPECT_THAT(*stop, HasSubstr("--base-url"));
}

TEST(StopRule, AnEndpointThatIsNotThereStopsAfterItsPatience) {
    StopRule rule;
    EXPECT_FALSE(rule.add(no_connection(7), start));
    EXPECT_FALSE(rule.add(no_connection(7), start + seconds(7)));
    EXPECT_TRUE(rule.add(no_connection(7), start + seconds(8)));
}

TEST(StopRule, AnOutageAfterAnAnswerIsWaitedOut) {
    StopRule rule;
    EXPECT_FALSE(rule.add(good, start));
    EXPECT_FALSE(rule.add(no_connection(7), start + seconds(1)));
    EXPECT_FALSE(rule.add(no_connection(7), start + seconds(600)));
}

TEST(StopRule, AnUnknownHostAndAnUntrustedCertificateStopAtOnce) {
    EXPECT_TRUE(StopRule().add(no_connection(6), start));
    const auto stop = StopRule().add(no_connection(60), start);
    ASSERT_TRUE(stop);
    EXPECT_THAT(*stop, HasSubstr("--cacert"));
}

TEST(StopRule, FailuresOfTheServersOwnNeverStop) {
    StopRule rule;
    for (int i = 0; i < 50; ++i) {
        for (const long status : {500L, 503L, 429L, 200L}) EXPECT_FALSE(rule.add(of(Outcome::server_error, status), start));
    }
}

}  // namespace
}  // namespace assay::pacing
