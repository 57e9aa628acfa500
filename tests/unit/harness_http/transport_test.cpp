#include "harness/http/transport.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <stdexcept>

#include "harness/error.hpp"
#include "harness/http/descriptor_limit.hpp"
#include "tests/support/scripted_server.hpp"

namespace assay::http {
namespace {

using tests::Close;
using tests::response_head;
using tests::Script;
using tests::ScriptedServer;

class Collector final : public Receiver {
public:
    using OnBytes = std::function<Next(std::string_view)>;
    Collector(OnBytes on_bytes, std::function<void(Result)> on_result) : on_bytes_(std::move(on_bytes)), on_result_(std::move(on_result)) {}
    Next on_bytes(long, std::string_view bytes) override { return on_bytes_(bytes); }
    void on_end(Result result) override { on_result_(std::move(result)); }

private:
    OnBytes on_bytes_;
    std::function<void(Result)> on_result_;
};

Script hello() {
    Script script;
    script.pieces.push_back({response_head("200 OK", {"Content-Length: 5"}) + "hello"});
    return script;
}

Result fetch(const ScriptedServer& server, const Collector::OnBytes& on_bytes, TransportOptions options = {}) {
    loop::EventLoop loop;
    Transport transport(loop, server.base_url(), std::move(options));
    Result result;
    Transfer transfer;
    transfer.url = server.base_url();
    transport.start(transfer, std::make_unique<Collector>(on_bytes, [&](Result got) {
        result = std::move(got);
        loop.stop();
    }));
    loop.run();
    return result;
}

TEST(Transport, HandsOverTheBodyAndHowItEnded) {
    ScriptedServer server(hello());
    std::string body;
    const Result result = fetch(server, [&](std::string_view bytes) { body += bytes; return Next::more; });
    EXPECT_EQ(body, "hello");
    EXPECT_EQ(result.end, End::transport);
    EXPECT_EQ(result.curl_code, 0);
    EXPECT_EQ(result.http_status, 200);
    EXPECT_EQ(result.body_bytes, 5);
}

TEST(Transport, AReceiverMayStopIt) {
    ScriptedServer server(hello());
    const Result result = fetch(server, [](std::string_view) { return Next::stop; });
    EXPECT_EQ(result.end, End::receiver);
    EXPECT_EQ(result.curl_code, 0);
}

TEST(Transport, WhatAReceiverThrowsLeavesTheLoopAndNotLibcurl) {
    ScriptedServer server(hello());
    EXPECT_THROW(fetch(server, [](std::string_view) -> Next { throw std::runtime_error("no"); }), std::runtime_error);
}

TEST(Transport, ConnectsManyWithoutOverflowingAnyQueueAndInSeveralShards) {
    constexpr int count = 1500;
    Script slow = hello();
    slow.pieces.front().before = std::chrono::milliseconds(300);
    ScriptedServer server(slow);
    loop::EventLoop loop;
    Transport transport(loop, server.base_url(), {});
    int done = 0;
    Transfer transfer;
    transfer.url = server.base_url();
    for (int i = 0; i < count; ++i) {
        transport.start(transfer, std::make_unique<Collector>([](std::string_view) { return Next::more; }, [&](const Result& result) {
            EXPECT_EQ(result.curl_code, 0) << result.error;
            if (++done == count) loop.stop();
        }));
    }
    EXPECT_EQ(transport.in_flight(), count);
    EXPECT_EQ(transport.waiting(), count);
    loop.run();
    EXPECT_EQ(done, count);
    EXPECT_EQ(transport.in_flight(), 0);
    EXPECT_EQ(server.connections(), count);
}

TEST(Transport, RefusesOptionsThatCannotWork) {
    loop::EventLoop loop;
    EXPECT_THROW(Transport(loop, "gopher://h", {}), Error);
    TransportOptions options;
    options.headers = {"X: a\nY: b"};
    EXPECT_THROW(Transport(loop, "http://h", options), Error);
}

TEST(DescriptorLimit, IsRaisedToTheHardOne) {
    const std::int64_t limit = raise_descriptor_limit();
    rlimit now{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &now), 0);
    EXPECT_EQ(now.rlim_cur, now.rlim_max);
    EXPECT_GT(limit, 0);
    EXPECT_EQ(transfers_that_fit(1064), 1000);
    EXPECT_EQ(transfers_that_fit(10), 0);
}

}  // namespace
}  // namespace assay::http
