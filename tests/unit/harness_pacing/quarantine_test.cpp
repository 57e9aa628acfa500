#include "harness/pacing/quarantine.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace assay::pacing {
namespace {

using namespace std::chrono_literals;

chat::Reply complete() {
    chat::Reply reply;
    reply.outcome = chat::Outcome::complete;
    reply.http_status = 200;
    reply.times.connected_ms = 1;
    return reply;
}

chat::Reply broken_off() {
    chat::Reply reply;
    reply.outcome = chat::Outcome::dropped;
    reply.times.connected_ms = 1;
    return reply;
}

chat::Reply refused_connection() {
    chat::Reply reply;
    reply.outcome = chat::Outcome::dropped;
    return reply;
}

class QuarantineTest : public testing::Test {
protected:
    Quarantine quarantine;
    Quarantine::Time now{};

    // All are asked at once; the server goes down after `lasts`, and a try more finds nobody there. What is caught.
    std::optional<int> fall(const std::vector<int>& questions, std::chrono::milliseconds lasts = 500ms) {
        const auto sent = now += 10s;
        for (const int question : questions) quarantine.sent(question, sent);
        now += lasts;
        for (const int question : questions) EXPECT_EQ(quarantine.ended(question, sent, now, broken_off()), std::nullopt);
        const auto knocked = now += 10ms;
        quarantine.sent(99, knocked);
        return quarantine.ended(99, knocked, now, refused_connection());
    }
    std::optional<int> answer(int question) {
        const auto sent = now += 10s;
        quarantine.sent(question, sent);
        now += 1s;
        return quarantine.ended(question, sent, now, complete());
    }
};

TEST_F(QuarantineTest, AQuestionThatIsAloneWhenTheServerFallsForTheThirdTimeIsCaught) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_TRUE(quarantine.may_be_asked(7, now));
    EXPECT_EQ(fall({7}), 7);
    EXPECT_TRUE(quarantine.caught(7));
    EXPECT_FALSE(quarantine.may_be_asked(7, now + 1h));
    EXPECT_TRUE(quarantine.may_be_asked(8, now));
}

TEST_F(QuarantineTest, ThoseThatFellTwiceAreAskedOneAtATimeAndTheOthersAreFreed) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7, 8, 9}), std::nullopt);
    EXPECT_EQ(fall({7, 8, 9}), std::nullopt);
    quarantine.sent(8, now);
    EXPECT_FALSE(quarantine.may_be_asked(7, now)) << "8 is being tried";
    EXPECT_TRUE(quarantine.may_be_asked(5, now)) << "no suspect";
    EXPECT_EQ(quarantine.ended(8, now, now + 1s, complete()), std::nullopt);
    EXPECT_EQ(quarantine.falls(8), 0);
    EXPECT_TRUE(quarantine.may_be_asked(7, now));
    EXPECT_EQ(fall({7, 8, 5}), 7) << "those who are not under suspicion have an alibi";
    EXPECT_EQ(quarantine.falls(5), 0);
    EXPECT_EQ(quarantine.falls(9), 0);
}

TEST_F(QuarantineTest, ASuspectThatOutlivesTheFallTwiceOverLetsTheNextOneGo) {
    EXPECT_EQ(fall({7, 8}, 4s), std::nullopt);
    EXPECT_EQ(fall({7, 8}, 4s), std::nullopt);
    quarantine.sent(7, now);
    EXPECT_FALSE(quarantine.may_be_asked(8, now + 9s));
    EXPECT_TRUE(quarantine.may_be_asked(8, now + 10s));
}

TEST_F(QuarantineTest, WhereNothingWasEverScoredNobodyIsCaught) {
    for (int i = 0; i < 6; ++i) EXPECT_EQ(fall({7}), std::nullopt);
}

TEST_F(QuarantineTest, RepliesThatBreakOffWhileTheServerStaysUpAreHeldAgainstNobody) {
    EXPECT_EQ(answer(1), std::nullopt);
    for (int i = 0; i < 10; ++i) {
        const auto sent = now += 1s;
        quarantine.sent(7, sent);
        EXPECT_EQ(quarantine.ended(7, sent, now + 1s, broken_off()), std::nullopt);
    }
    now += 1min;  // a connection refused long after them
    EXPECT_EQ(fall({}), std::nullopt);
    EXPECT_EQ(quarantine.falls(7), 0);
}

TEST_F(QuarantineTest, OneOutageCountsOnceHoweverOftenItRefuses) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(quarantine.ended(7, now, now, refused_connection()), std::nullopt);
    EXPECT_EQ(quarantine.falls(7), 1);
}

TEST_F(QuarantineTest, AnAnswerClearsAQuestion) {
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(answer(7), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_FALSE(quarantine.caught(7));
}

}  // namespace
}  // namespace assay::pacing
