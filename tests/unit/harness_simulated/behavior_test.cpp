#include "harness/simulated/behavior.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "tests/unit/harness_simulated/fixed_responder.hpp"

namespace assay::simulated {
namespace {

using support::RawClient;
using support::RawResponse;
using support::StreamEnd;

ServiceSettings with(BehaviorChoice behaviors) {
    ServiceSettings settings;
    settings.behaviors = std::move(behaviors);
    return settings;
}

std::string numbered(int i) { return chat_request(true, ",\"seed\":" + std::to_string(i)); }

// "whole", "cut" or the status of each of `count` requests sent `tries` times.
std::vector<std::string> ends_of(const InProcessEndpoint& endpoint, int count, int tries) {
    std::vector<std::string> ends;
    for (int i = 0; i < count; ++i) {
        for (int attempt = 0; attempt < tries; ++attempt) {
            RawClient client(endpoint.port());
            client.send(numbered(i));
            const RawResponse response = client.response();
            ends.push_back(response.status != 200 ? std::to_string(response.status) : response.whole ? "whole" : "cut");
        }
    }
    return ends;
}

TEST(Behavior, DropRateCutsItsShareOfRepliesByResetBeforeFinishReason) {
    const auto endpoint = serve(quick_script(), with({{"drop-rate", "1"}}));
    for (int i = 0; i < 30; ++i) {
        RawClient client(endpoint->port());
        client.send(numbered(i));
        StreamEnd end{};
        const std::string bytes = client.rest(end);
        EXPECT_EQ(end, StreamEnd::reset);
        EXPECT_NE(bytes.find("\"role\":\"assistant\""), std::string::npos) << bytes;
        EXPECT_EQ(bytes.find("\"stop\""), std::string::npos) << bytes;
    }
    EXPECT_EQ(endpoint->counters().cut.load(), 30);
    EXPECT_EQ(endpoint->counters().completed.load(), 0);
    EXPECT_EQ(endpoint->counters().dropped.load(), 0);
}

TEST(Behavior, DropRateCutsRepliesWithoutAStreamToo) {
    const auto endpoint = serve(quick_script(), with({{"drop-rate", "1"}}));
    RawClient client(endpoint->port());
    client.send(chat_request(false));
    StreamEnd end{};
    const RawResponse response = support::parse_response(client.rest(end));
    EXPECT_EQ(end, StreamEnd::reset);
    EXPECT_EQ(response.status, 200);
    EXPECT_FALSE(response.whole);
}

TEST(Behavior, WhichTryIsCutDependsOnTheRequestAndItsCountAlone) {
    const BehaviorChoice choice{{"drop-rate", "0.5"}, {"error-rate", "0.25"}};
    const auto first = ends_of(*serve(quick_script(), with(choice)), 40, 3);
    EXPECT_EQ(ends_of(*serve(quick_script(), with(choice)), 40, 3), first);
    const auto count = [&](const std::string& how) { return std::count(first.begin(), first.end(), how); };
    EXPECT_NEAR(static_cast<double>(count("500")), 30, 20);
    EXPECT_NEAR(static_cast<double>(count("cut")), 45, 25);
    EXPECT_GT(count("whole"), 10);
}

TEST(Behavior, ErrorRateAnswersInTheServersForm) {
    ServiceSettings settings = with({{"error-rate", "1"}});
    settings.wire = "vllm";
    const auto endpoint = serve(quick_script(), settings);
    RawClient client(endpoint->port());
    client.send(numbered(0));
    const RawResponse response = client.response();
    EXPECT_EQ(response.status, 500);
    EXPECT_TRUE(response.body.starts_with(R"({"error":{"message":)")) << response.body;
}

TEST(Behavior, RateLimitRefusesAboveItsNumberInFlight) {
    Script slow = quick_script(1000);
    slow.tokens_per_second = 100;
    const auto endpoint = serve(slow, with({{"rate-limit", "2"}}));
    RawClient one(endpoint->port());
    RawClient two(endpoint->port());
    one.send(numbered(1));
    two.send(numbered(2));
    EXPECT_TRUE(eventually([&] { return endpoint->counters().in_flight.load() == 2; }));
    RawClient three(endpoint->port());
    three.send(numbered(3));
    const RawResponse response = three.response();
    EXPECT_EQ(response.status, 429);
    EXPECT_NE(response.head.find("\r\nRetry-After: 1"), std::string::npos) << response.head;
    one.reset();
    EXPECT_TRUE(eventually([&] { return endpoint->counters().in_flight.load() == 1; }));
    RawClient four(endpoint->port());
    four.send(numbered(4));
    EXPECT_TRUE(eventually([&] { return endpoint->counters().in_flight.load() == 2; }));
}

// How a reply to the request ends, without a socket: its status, or "cut" or "whole".
std::string end_of(Service& service, int i) {
    RequestParser parser;
    parser.feed(numbered(i));
    std::string out;
    const Progress progress = service.answer(parser.take())->produce(loop::Clock::time_point::max(), 1 << 20, out);
    if (!out.starts_with("HTTP/1.1 200")) return out.substr(9, 3);
    return progress.state == Progress::State::reset ? "cut" : "whole";
}

TEST(Behavior, ARequestTurnedAwayByTheRateLimitIsNotCountedAsATry) {
    const FixedResponder responder(quick_script());
    Service free(with({{"drop-rate", "0.5"}}), responder);
    Service limited(with({{"drop-rate", "0.5"}, {"rate-limit", "1"}}), responder);
    for (int i = 0; i < 20; ++i) {
        for (int attempt = 0; attempt < 3; ++attempt) {
            {
                RequestParser parser;
                parser.feed(numbered(1000));
                const auto other = limited.answer(parser.take());
                EXPECT_EQ(end_of(limited, i), "429");
            }
            EXPECT_EQ(end_of(limited, i), end_of(free, i)) << i << ", " << attempt;
        }
    }
}

TEST(Behavior, LatencyDelaysTheFirstByte) {
    const auto endpoint = serve(quick_script(), with({{"latency-ms", "80"}}));
    RawClient client(endpoint->port());
    const auto start = loop::Clock::now();
    client.send(numbered(0));
    EXPECT_TRUE(client.response().whole);
    EXPECT_GE(loop::Clock::now() - start, std::chrono::milliseconds(80));
}

TEST(Behavior, RefusesUnknownNamesAndValuesOutOfRange) {
    EXPECT_THROW((void)make_behaviors({{"cut-rate", "1"}}), Error);
    EXPECT_THROW((void)make_behaviors({{"drop-rate", "1.5"}}), Error);
    EXPECT_THROW((void)make_behaviors({{"drop-rate", "x"}}), Error);
    EXPECT_THROW((void)make_behaviors({{"rate-limit", "-1"}}), Error);
    EXPECT_EQ(make_behaviors({{"latency-ms", "5"}, {"drop-rate", "0"}}).size(), 2U);
}

}  // namespace
}  // namespace assay::simulated
