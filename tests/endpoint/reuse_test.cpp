// Connections that are kept, and HTTP/2: what is asked for, and what the race with a server that closes them costs.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>
#include <thread>

#include "harness/loop/file_descriptor.hpp"
#include "tests/endpoint/asked.hpp"

namespace assay::endpoint_tests {
namespace {

// Two requests, the second when the first was answered.
std::vector<chat::Reply> ask_twice(const std::string& base_url, bool reuse) {
    loop::EventLoop loop;
    chat::Endpoint endpoint;
    endpoint.base_url = base_url;
    endpoint.reuse_connections = reuse;
    chat::Client client(loop, endpoint, {});
    std::vector<chat::Reply> replies;
    const std::string body = R"({"model":"simulated","messages":[{"role":"user","content":"q"}],"stream":true})";
    const chat::Client::Done second = [&](chat::Reply reply) {
        replies.push_back(std::move(reply));
        loop.stop();
    };
    client.send(body, true, [&](chat::Reply reply) {
        replies.push_back(std::move(reply));
        client.send(body, true, second);
    });
    loop.run();
    return replies;
}

TEST(Reuse, AServerThatClosesAKeptConnectionCostsARequestAndNoReply) {
    const auto endpoint = serve({"keep-alive-race"});
    const auto replies = ask_twice(endpoint->base_url(), true);
    EXPECT_EQ(chat::to_string(replies[0].outcome), "complete");
    EXPECT_EQ(chat::to_string(replies[1].outcome), "complete") << replies[1].error;
    EXPECT_EQ(replies[1].content, plain_answer);
    EXPECT_EQ(endpoint->counters().requests.load(), 3) << "libcurl sends again on a connection of its own";
    EXPECT_EQ(endpoint->counters().connections.load(), 2);
}

TEST(Reuse, OfNoneIsTheRuleAndKnowsNoSuchRace) {
    const auto endpoint = serve({"keep-alive-race"});
    const auto replies = ask_twice(endpoint->base_url(), false);
    EXPECT_EQ(chat::to_string(replies[1].outcome), "complete");
    EXPECT_EQ(endpoint->counters().requests.load(), 2);
    EXPECT_EQ(endpoint->counters().connections.load(), 2);
}

TEST(Reuse, SharesAConnectionWhereAskedTo) {
    const auto endpoint = serve({});
    const auto replies = ask_twice(endpoint->base_url(), true);
    EXPECT_EQ(chat::to_string(replies[1].outcome), "complete");
    EXPECT_FALSE(replies[1].new_connection);
    EXPECT_EQ(endpoint->counters().connections.load(), 1);
}

// The first bytes that a client sends to an https URL: TLS's ClientHello, in clear.
std::string first_bytes(bool http2) {
    const loop::FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener.get(), 1) != 0) throw std::runtime_error("no listener");
    ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size);
    std::string bytes;
    std::thread server([&] {
        const loop::FileDescriptor socket(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        std::array<char, 4096> buffer{};
        const ssize_t got = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
        if (got > 0) bytes.assign(buffer.data(), static_cast<std::size_t>(got));
    });
    loop::EventLoop loop;
    chat::Endpoint endpoint;
    endpoint.base_url = "https://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/v1";
    endpoint.http2 = http2;
    chat::Client client(loop, endpoint, {});
    client.send("{}", true, [&](const chat::Reply&) { loop.stop(); });
    loop.run();
    server.join();
    return bytes;
}

TEST(Http2, IsOfferedInTlsOnlyWhereAskedFor) {
    const std::string alpn("\x02h2", 3);  // an entry of the ALPN extension (RFC 7301)
    EXPECT_NE(first_bytes(true).find(alpn), std::string::npos);
    const std::string usual = first_bytes(false);
    EXPECT_NE(usual.find("http/1.1"), std::string::npos);
    EXPECT_EQ(usual.find(alpn), std::string::npos);
}

}  // namespace
}  // namespace assay::endpoint_tests
