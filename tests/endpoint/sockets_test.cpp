// Sockets: kept alive while they are silent, and not kept for longer than servers do.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/endpoint/asked.hpp"

namespace assay::endpoint_tests {
namespace {

// The timer that the system keeps for the connection to `port`: 2 is that of keepalive; -1: no such connection (proc_net_tcp(5)).
int timer_of_connection_to(std::uint16_t port) {
    std::ifstream table("/proc/net/tcp");
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::istringstream fields(line);
        std::string number, local, remote, state, queues, timer;
        fields >> number >> local >> remote >> state >> queues >> timer;
        constexpr const char* established = "01";
        if (state == established && std::stoi(remote.substr(remote.find(':') + 1), nullptr, 16) == port) return std::stoi(timer.substr(0, 2), nullptr, 16);
    }
    return -1;
}

TEST(Sockets, AreKeptAliveWhileAReplyIsSilent) {
    const auto endpoint = serve({"hang-after-bytes=100"});
    loop::EventLoop loop;
    chat::Endpoint to;
    to.base_url = endpoint->base_url();
    chat::Client client(loop, to, {});
    int timer = -1;
    client.send(R"({"model":"simulated","messages":[{"role":"user","content":"q"}],"stream":true})", true, [](const chat::Reply&) {});
    const std::function<void()> look = [&] {
        if (client.traffic().body_bytes < 100) {
            loop.after(std::chrono::milliseconds(5), look);
            return;
        }
        timer = timer_of_connection_to(endpoint->port());
        loop.stop();
    };
    look();
    loop.run();
    EXPECT_EQ(timer, 2);
}

// Servers close what was idle for some seconds: a connection that is sent on just then costs a request.
TEST(Sockets, ThatWereIdleForFourSecondsAreNotUsedAgain) {
    const auto endpoint = serve({});
    loop::EventLoop loop;
    chat::Endpoint to;
    to.base_url = endpoint->base_url();
    to.reuse_connections = true;
    chat::Client client(loop, to, {});
    const std::string body = R"({"model":"simulated","messages":[{"role":"user","content":"q"}],"stream":true})";
    std::vector<bool> fresh;
    const chat::Client::Done last = [&](const chat::Reply& reply) {
        fresh.push_back(reply.new_connection);
        loop.stop();
    };
    const chat::Client::Done second = [&](const chat::Reply& reply) {
        fresh.push_back(reply.new_connection);
        loop.after(std::chrono::milliseconds(4'100), [&] { client.send(body, true, last); });
    };
    client.send(body, true, [&](const chat::Reply& reply) {
        fresh.push_back(reply.new_connection);
        client.send(body, true, second);
    });
    loop.run();
    EXPECT_EQ(fresh, (std::vector<bool>{true, false, true}));
}

}  // namespace
}  // namespace assay::endpoint_tests
