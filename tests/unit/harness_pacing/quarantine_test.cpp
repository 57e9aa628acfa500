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
    Quarantine quarantine{2};
    Quarantine::Time now{};
    std::size_t server = 0;  // that all of it happens to

    // All are asked at once; the server goes down after `lasts`, and a try more finds nobody there. What is caught.
    std::optional<int> fall(const std::vector<int>& questions, std::chrono::milliseconds lasts = 500ms) {
        const auto sent = now += 10s;
        for (const int question : questions) quarantine.sent(question, server, sent);
        now += lasts;
        for (const int question : questions) EXPECT_EQ(quarantine.ended(question, server, sent, now, broken_off()), std::nullopt);
        const auto knocked = now += 10ms;
        quarantine.sent(99, server, knocked);
        return quarantine.ended(99, server, knocked, now, refused_connection());
    }
    std::optional<int> answer(int question) {
        const auto sent = now += 10s;
        quarantine.sent(question, server, sent);
        now += 1s;
        return quarantine.ended(question, server, sent, now, complete());
    }
};

TEST_F(QuarantineTest, AQuestionThatIsAloneWhenTheServerFallsForTheThirdTimeIsCaught) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_TRUE(quarantine.may_be_asked(7, server, now));
    EXPECT_EQ(fall({7}), 7);
    EXPECT_TRUE(quarantine.caught(7));
    EXPECT_FALSE(quarantine.may_be_asked(7, server, now + 1h));
    EXPECT_TRUE(quarantine.may_be_asked(8, server, now));
}

TEST_F(QuarantineTest, ThoseThatFellTwiceAreAskedOneAtATimeAndTheOthersAreFreed) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7, 8, 9}), std::nullopt);
    EXPECT_EQ(fall({7, 8, 9}), std::nullopt);
    quarantine.sent(8, server, now);
    EXPECT_FALSE(quarantine.may_be_asked(7, server, now)) << "8 is being tried";
    EXPECT_TRUE(quarantine.may_be_asked(5, server, now)) << "no suspect";
    EXPECT_EQ(quarantine.ended(8, server, now, now + 1s, complete()), std::nullopt);
    EXPECT_EQ(quarantine.falls(8), 0);
    EXPECT_TRUE(quarantine.may_be_asked(7, server, now));
    EXPECT_EQ(fall({7, 8, 5}), 7) << "those who are not under suspicion have an alibi";
    EXPECT_EQ(quarantine.falls(5), 0);
    EXPECT_EQ(quarantine.falls(9), 0);
}

TEST_F(QuarantineTest, ASuspectThatOutlivesTheFallTwiceOverLetsTheNextOneGo) {
    EXPECT_EQ(fall({7, 8}, 4s), std::nullopt);
    EXPECT_EQ(fall({7, 8}, 4s), std::nullopt);
    quarantine.sent(7, server, now);
    EXPECT_FALSE(quarantine.may_be_asked(8, server, now + 9s));
    EXPECT_TRUE(quarantine.may_be_asked(8, server, now + 10s));
}

TEST_F(QuarantineTest, WhereNothingWasEverScoredNobodyIsCaught) {
    for (int i = 0; i < 6; ++i) EXPECT_EQ(fall({7}), std::nullopt);
}

TEST_F(QuarantineTest, RepliesThatBreakOffWhileTheServerStaysUpAreHeldAgainstNobody) {
    EXPECT_EQ(answer(1), std::nullopt);
    for (int i = 0; i < 10; ++i) {
        const auto sent = now += 1s;
        quarantine.sent(7, server, sent);
        EXPECT_EQ(quarantine.ended(7, server, sent, now + 1s, broken_off()), std::nullopt);
    }
    now += 1min;  // a connection refused long after them
    EXPECT_EQ(fall({}), std::nullopt);
    EXPECT_EQ(quarantine.falls(7), 0);
}

TEST_F(QuarantineTest, OneOutageCountsOnceHoweverOftenItRefuses) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(quarantine.ended(7, server, now, now, refused_connection()), std::nullopt);
    EXPECT_EQ(quarantine.falls(7), 1);
}

TEST_F(QuarantineTest, InWhateverOrderTheEndsAreSeenAFallIsHeldAgainstAllThatWereAsked) {
    EXPECT_EQ(answer(1), std::nullopt);
    const auto sent = now += 10s;
    for (const int question : {7, 8}) quarantine.sent(question, server, sent);
    now += 1s;
    EXPECT_EQ(quarantine.ended(8, server, sent, now, broken_off()), std::nullopt);
    quarantine.sent(99, server, now);
    EXPECT_EQ(quarantine.ended(99, server, now, now, refused_connection()), std::nullopt);
    EXPECT_EQ(quarantine.falls(8), 0) << "7 has not been heard of yet";
    EXPECT_EQ(quarantine.ended(7, server, sent, now + 1ms, broken_off()), std::nullopt);
    EXPECT_EQ(quarantine.falls(7), 1);
    EXPECT_EQ(quarantine.falls(8), 1);
}

TEST_F(QuarantineTest, ATryThatHangsDoesNotKeepAFallFromBeingSettled) {
    EXPECT_EQ(answer(1), std::nullopt);
    const auto sent = now += 10s;
    for (const int question : {7, 8}) quarantine.sent(question, server, sent);
    EXPECT_EQ(quarantine.ended(8, server, sent, now, broken_off()), std::nullopt);
    EXPECT_EQ(quarantine.nobody_there(server, now += 1s), std::nullopt);
    EXPECT_EQ(quarantine.falls(8), 0);
    EXPECT_EQ(quarantine.nobody_there(server, now + Quarantine::settled_after), std::nullopt);
    EXPECT_EQ(quarantine.falls(8), 1);
}

TEST_F(QuarantineTest, AServerThatIsBackSettlesItsFall) {
    EXPECT_EQ(answer(1), std::nullopt);
    const auto sent = now += 10s;
    for (const int question : {7, 8}) quarantine.sent(question, server, sent);
    EXPECT_EQ(quarantine.ended(8, server, sent, now, broken_off()), std::nullopt);
    EXPECT_EQ(quarantine.nobody_there(server, now += 1s), std::nullopt);
    EXPECT_EQ(answer(2), std::nullopt);
    EXPECT_EQ(quarantine.falls(8), 1);
    EXPECT_EQ(quarantine.falls(7), 0);
}

TEST_F(QuarantineTest, AnAnswerClearsAQuestion) {
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(answer(7), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_FALSE(quarantine.caught(7));
}

TEST_F(QuarantineTest, AQuestionThatTakesEachServerDownInTurnIsCaughtAtTheThirdFall) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7, 8}), std::nullopt);
    server = 1;
    EXPECT_EQ(fall({7, 9}), std::nullopt);
    EXPECT_EQ(quarantine.falls(7), 2);
    EXPECT_EQ(quarantine.falls(8), 1) << "it was not there when the second server fell";
    server = 0;
    EXPECT_EQ(fall({7, 9}), 7);
}

TEST_F(QuarantineTest, WhatAnotherServerWasAskedWhenThisOneFellIsHeldAgainstNobody) {
    EXPECT_EQ(answer(1), std::nullopt);
    const auto sent = now += 1s;
    quarantine.sent(5, 1, sent);
    EXPECT_EQ(quarantine.ended(5, 1, sent, now + 1s, broken_off()), std::nullopt);  // a reply cut short, and its server stays up
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(quarantine.falls(5), 0);
    EXPECT_EQ(quarantine.falls(7), 1);
}

TEST_F(QuarantineTest, ServersFallAndComeBackEachForItself) {
    EXPECT_EQ(answer(1), std::nullopt);
    EXPECT_EQ(fall({7}), std::nullopt);  // the first server stays down
    server = 1;
    EXPECT_EQ(fall({7}), std::nullopt);
    EXPECT_EQ(quarantine.falls(7), 2) << "the second is another, and counts";
}

TEST_F(QuarantineTest, SuspectsAreTriedOneAtATimeOfEachServer) {
    EXPECT_EQ(fall({7, 8}), std::nullopt);
    EXPECT_EQ(fall({7, 8}), std::nullopt);
    quarantine.sent(7, 0, now);
    EXPECT_FALSE(quarantine.may_be_asked(8, 0, now));
    EXPECT_TRUE(quarantine.may_be_asked(8, 1, now));
}

TEST_F(QuarantineTest, AServerThatIsAskedForSomethingElseAndGoneHasFallenToo) {
    EXPECT_EQ(answer(1), std::nullopt);
    for (int i = 0; i < 3; ++i) {
        const auto sent = now += 10s;
        quarantine.sent(7, 0, sent);
        EXPECT_EQ(quarantine.ended(7, 0, sent, now + 1s, broken_off()), std::nullopt);
        EXPECT_EQ(quarantine.nobody_there(0, now + 1s), i == 2 ? std::optional(7) : std::nullopt);
    }
}

}  // namespace
}  // namespace assay::pacing
