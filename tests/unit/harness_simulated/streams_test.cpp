// Many streams, clients that leave and clients that do not read.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <fstream>

#include "tests/unit/harness_simulated/fixed_responder.hpp"

namespace assay::simulated {
namespace {

using support::RawClient;
using support::StreamEnd;

long resident_kib() {
    std::ifstream statm("/proc/self/statm");
    long all = 0;
    long resident = 0;
    statm >> all >> resident;
    return resident * 4;
}

TEST(Streams, FiveHundredAtOnceComeWholeAndTheSame) {
    Script script = quick_script(40);
    script.tokens_per_second = 200;
    script.first_token = std::chrono::seconds(3);  // time for all requests to come in, on a busy machine too
    const auto endpoint = serve(script);
    const std::vector<std::string> requests(500, support::post("/v1/chat/completions", chat_body(true), "Connection: close\r\n"));
    const auto received = support::exchange_all(endpoint->port(), requests);
    for (const std::string& bytes : received) {
        const auto response = support::parse_response(bytes);
        ASSERT_TRUE(response.whole);
        ASSERT_EQ(support::event_payloads(response.body).size(), static_cast<std::size_t>(script.tokens() + 3));
    }
    const Counters& counters = endpoint->counters();
    EXPECT_TRUE(eventually([&] { return counters.completed.load() == 500 && counters.in_flight.load() == 0; }));
    EXPECT_GT(counters.max_in_flight.load(), 400);
    EXPECT_EQ(counters.dropped.load(), 0);
    EXPECT_EQ(counters.tokens.load(), 500 * script.tokens());
}

TEST(Streams, LastAsLongAsTheirRateSaysDividedByTheSpeed) {
    Script script;
    script.content = Text(1, 101);
    script.tokens_per_second = 100;
    script.first_token = std::chrono::milliseconds(1000);
    ServiceSettings settings;
    settings.speed = 10;
    const auto endpoint = serve(script, settings);
    RawClient client(endpoint->port());
    const auto start = loop::Clock::now();
    client.send(chat_request(true));
    EXPECT_TRUE(client.response().whole);
    EXPECT_GE(loop::Clock::now() - start, std::chrono::milliseconds(199));  // (1 s + 100 tokens at 100/s) / 10
}

TEST(Streams, AClientThatLeavesIsDropped) {
    Script script = quick_script(1'000'000);
    script.tokens_per_second = 100;
    const auto endpoint = serve(script);
    const Counters& counters = endpoint->counters();
    {
        RawClient leaves(endpoint->port());
        leaves.send(chat_request(true, R"(,"max_tokens":100000)"));
        RawClient resets(endpoint->port());
        resets.send(chat_request(false, R"(,"max_tokens":100000)"));
        RawClient half(endpoint->port());
        half.send(chat_request(true, R"(,"max_tokens":100000)"));
        EXPECT_TRUE(eventually([&] { return counters.in_flight.load() == 3; }));
        resets.reset();
        half.send_end();
        EXPECT_TRUE(eventually([&] { return counters.dropped.load() == 2; }));
        EXPECT_EQ(counters.in_flight.load(), 1);
    }
    EXPECT_TRUE(eventually([&] { return counters.dropped.load() == 3 && counters.in_flight.load() == 0; }));
    EXPECT_EQ(counters.completed.load(), 0);
}

TEST(Streams, AClientThatDoesNotReadHoldsNoMemoryAndLosesNothing) {
    Script script = quick_script(80'000);  // about 24 MB of events
    script.tokens_per_second = 1e9;
    const auto endpoint = serve(script);
    RawClient client(endpoint->port(), 8192);
    const long before = resident_kib();
    client.send(support::post("/v1/chat/completions", chat_body(true), "Connection: close\r\n"));
    EXPECT_TRUE(eventually([&] { return endpoint->counters().in_flight.load() == 1; }));
    std::int64_t tokens = -1;
    EXPECT_TRUE(eventually([&] {  // until the server stands still
        const std::int64_t seen = endpoint->counters().tokens.load();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return std::exchange(tokens, seen) == seen && seen > 0;
    }));
    EXPECT_LT(tokens, 40'000);
    EXPECT_LT(resident_kib() - before, 16 * 1024);
    EXPECT_EQ(endpoint->counters().in_flight.load(), 1);
    StreamEnd end{};
    const auto response = support::parse_response(client.rest(end));
    EXPECT_TRUE(response.whole);
    EXPECT_EQ(support::event_payloads(response.body).size(), static_cast<std::size_t>(script.tokens() + 3));
}

TEST(Streams, AFloodOfPipelinedRequestsIsNotReadAhead) {
    Script script = quick_script(1000);
    script.tokens_per_second = 100;
    const auto endpoint = serve(script);
    RawClient client(endpoint->port());
    client.send(chat_request(true));
    EXPECT_TRUE(eventually([&] { return endpoint->counters().in_flight.load() == 1; }));
    const long before = resident_kib();
    std::string some;
    for (int i = 0; i < 1000; ++i) some += support::get("/health");
    // The kernel's buffers take some; the server must leave the rest where it is.
    std::atomic<std::size_t> sent{0};
    std::thread sender([&] {
        try {
            while (sent < 64U << 20) {
                client.send(some);
                sent += some.size();
            }
        } catch (const std::runtime_error&) {
        }
    });
    std::size_t seen = 1;
    EXPECT_TRUE(eventually([&] {  // until the sender stands still
        const std::size_t now = sent.load();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return std::exchange(seen, now) == now && now > 0;
    }));
    EXPECT_LT(sent.load(), 32U << 20);
    EXPECT_LT(resident_kib() - before, 16 * 1024);
    ::shutdown(client.descriptor(), 2);
    sender.join();
}

}  // namespace
}  // namespace assay::simulated
