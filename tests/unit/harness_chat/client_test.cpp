#include "harness/chat/client.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "tests/unit/harness_chat/endpoint_fixture.hpp"

namespace assay::chat {
namespace {

using namespace tests;

TEST(Client, PutsTheDeltasOfAStreamTogether) {
    ScriptedServer server(streamed(sglang_events()));
    const Reply reply = ask(server);
    EXPECT_EQ(to_string(reply.outcome), "complete") << reply.error;
    EXPECT_EQ(reply.content, "The final answer is B");
    EXPECT_EQ(reply.reasoning, "Let me see. 6 times 7");
    EXPECT_EQ(reply.reasoning_field, "reasoning_content");
    EXPECT_EQ(reply.finish_reason, "stop");
    EXPECT_EQ(reply.http_status, 200);
    EXPECT_EQ(reply.curl_code, 0);
    EXPECT_EQ(reply.usage.completion_tokens, 12);
    EXPECT_EQ(reply.usage.reasoning_tokens, 7);
    EXPECT_TRUE(reply.done_marker);
    EXPECT_TRUE(reply.new_connection);
    ASSERT_TRUE(reply.times.sent_ms && reply.times.connected_ms && reply.times.first_byte_ms && reply.times.first_token_ms && reply.times.end_ms);
    EXPECT_LE(*reply.times.sent_ms, *reply.times.connected_ms);
    EXPECT_LE(*reply.times.connected_ms, *reply.times.first_byte_ms);
    EXPECT_LE(*reply.times.first_byte_ms, *reply.times.first_token_ms);
    EXPECT_LE(*reply.times.first_token_ms, *reply.times.end_ms);
}

TEST(Client, HandsBackWhatTheServerSaidOfAnError) {
    ScriptedServer server(plain("400 Bad Request", R"({"object":"error","message":"The input (70000 tokens) is too long","type":"BadRequestError","param":null,"code":400})"));
    const Reply reply = ask(server);
    EXPECT_EQ(to_string(reply.outcome), "refused");
    EXPECT_EQ(reply.http_status, 400);
    EXPECT_EQ(reply.error, "The input (70000 tokens) is too long (BadRequestError, 400)");
}

Endpoint at(const std::string& base_url) {
    Endpoint endpoint;
    endpoint.base_url = base_url;
    return endpoint;
}

TEST(Client, CarriesHundredsOfRepliesAtOnceOnOneLoop) {
    constexpr int count = 300;
    Script slow = streamed(sglang_events());
    for (Piece& piece : slow.pieces) piece.before = std::chrono::milliseconds(60);
    ScriptedServer server(slow);
    loop::EventLoop loop;
    Client client(loop, at(server.base_url()), {});
    int done = 0;
    for (int i = 0; i < count; ++i) {
        client.send("{}", true, [&](const Reply& reply) {
            EXPECT_EQ(to_string(reply.outcome), "complete") << reply.error;
            EXPECT_EQ(reply.content, "The final answer is B");
            if (++done == count) loop.stop();
        });
    }
    EXPECT_EQ(client.traffic().in_flight, count);
    EXPECT_EQ(done, 0);
    loop.run();
    EXPECT_EQ(done, count);
    EXPECT_EQ(server.connections(), count);
    EXPECT_GT(server.most_at_once(), 10);  // how many meet depends on how fast the machine connects them
    EXPECT_EQ(client.traffic().in_flight, 0);
    EXPECT_EQ(client.traffic().text_bytes_held, 0);
    EXPECT_EQ(client.traffic().text_events, 4 * count);
}

TEST(Client, MaySendAgainFromItsCallback) {
    ScriptedServer server(streamed(sglang_events()));
    loop::EventLoop loop;
    Client client(loop, at(server.base_url()), {});
    int left = 20;
    std::function<void(Reply)> next = [&](const Reply&) {
        if (--left == 0) return loop.stop();
        client.send("{}", true, next);
    };
    client.send("{}", true, next);
    loop.run();
    EXPECT_EQ(server.connections(), 20);
}

TEST(Client, ReusesAConnectionOnlyWhereAskedTo) {
    Script script = streamed(sglang_events());
    script.again = true;
    for (const bool reuse : {false, true}) {
        ScriptedServer server(script);
        loop::EventLoop loop;
        Endpoint endpoint = at(server.base_url());
        endpoint.reuse_connections = reuse;
        Client client(loop, endpoint, {});
        std::vector<bool> fresh;
        std::function<void(Reply)> next = [&](const Reply& reply) {
            EXPECT_EQ(to_string(reply.outcome), "complete");
            fresh.push_back(reply.new_connection);
            if (fresh.size() == 3) return loop.stop();
            client.send("{}", true, next);
        };
        client.send("{}", true, next);
        loop.run();
        EXPECT_EQ(server.connections(), reuse ? 1 : 3);
        EXPECT_EQ(fresh, reuse ? (std::vector<bool>{true, false, false}) : (std::vector<bool>{true, true, true}));
    }
}

TEST(Client, IsDestroyedWithRepliesInFlightAndCallsNobody) {
    Script script;
    script.close = Close::hold;
    ScriptedServer server(script);
    loop::EventLoop loop;
    int calls = 0;
    {
        Client client(loop, at(server.base_url()), {});
        for (int i = 0; i < 10; ++i) client.send("{}", true, [&](const Reply&) { ++calls; });
        loop.after(std::chrono::milliseconds(100), [&] { loop.stop(); });
        loop.run();
        client.send("{}", true, [&](const Reply&) { ++calls; });
    }
    loop.after(std::chrono::milliseconds(50), [&] { loop.stop(); });
    loop.run();
    EXPECT_EQ(calls, 0);
}

TEST(Client, AnExceptionOfACallbackLeavesTheLoop) {
    ScriptedServer server(streamed(sglang_events()));
    loop::EventLoop loop;
    Client client(loop, at(server.base_url()), {});
    client.send("{}", true, [](const Reply&) { throw Error("the disk is full"); });
    EXPECT_THROW(loop.run(), Error);
}

TEST(Client, ReachesLocalhostByItsName) {
    ScriptedServer server(streamed(sglang_events()));
    EXPECT_EQ(to_string(ask("http://localhost:" + std::to_string(server.port()) + "/v1").outcome), "complete");
}

Client::Answer get(Client& client, loop::EventLoop& loop, const std::string& url, std::chrono::milliseconds limit = std::chrono::seconds(5)) {
    Client::Answer answer;
    client.get(url, limit, [&](Client::Answer got) {
        answer = std::move(got);
        loop.stop();
    });
    loop.run();
    return answer;
}

TEST(Client, GetsAPathFromTheServersRoot) {
    ScriptedServer server(plain("200 OK", R"({"data":[]})"));
    loop::EventLoop loop;
    Endpoint endpoint = at(server.base_url());
    endpoint.api_key = "sk-verysecret";
    Client client(loop, endpoint, {});
    const Client::Answer answer = get(client, loop, "/v1/models");
    EXPECT_EQ(answer.http_status, 200);
    EXPECT_EQ(answer.body, R"({"data":[]})");
    EXPECT_EQ(answer.error, "");
    EXPECT_TRUE(server.requests().at(0).starts_with("GET /v1/models HTTP/1.1\r\n"));
    EXPECT_NE(server.requests().at(0).find("Bearer sk-verysecret"), std::string::npos);
}

TEST(Client, KeepsTheKeyFromAnotherServer) {
    ScriptedServer own(plain("200 OK", "{}"));
    ScriptedServer other(plain("200 OK", "{}"));
    loop::EventLoop loop;
    Endpoint endpoint = at(own.base_url());
    endpoint.api_key = "sk-verysecret";
    Client client(loop, endpoint, {});
    EXPECT_EQ(get(client, loop, other.base_url() + "/models").http_status, 200);
    EXPECT_EQ(other.requests().at(0).find("sk-verysecret"), std::string::npos);
}

TEST(Client, AGetEndsAtItsLimit) {
    Script drip;
    drip.pieces.push_back({response_head("200 OK", {"Content-Length: 1000"})});
    for (int i = 0; i < 100; ++i) drip.pieces.push_back({"x", std::chrono::milliseconds(20)});
    ScriptedServer server(drip);
    loop::EventLoop loop;
    Client client(loop, at(server.base_url()), {});
    EXPECT_EQ(get(client, loop, "/health", std::chrono::milliseconds(200)).error, "no whole answer within the limit");
}

TEST(Client, RefusesKeysHeadersAndFilesThatCannotBeUsed) {
    loop::EventLoop loop;
    const auto make = [&](const std::function<void(Endpoint&)>& change) {
        Endpoint endpoint = at("http://127.0.0.1:1/v1");
        change(endpoint);
        const Client client(loop, endpoint, {});
    };
    EXPECT_NO_THROW(make([](Endpoint&) {}));
    EXPECT_THROW(make([](Endpoint& e) { e.api_key = "sk-a\nX: y"; }), Error);
    EXPECT_THROW(make([](Endpoint& e) { e.headers = {"X: a\r\nY: b"}; }), Error);
    EXPECT_THROW(make([](Endpoint& e) { e.headers = {"no colon"}; }), Error);
    EXPECT_THROW(make([](Endpoint& e) { e.ca_file = "/no/such/file.pem"; }), Error);
    EXPECT_THROW(make([](Endpoint& e) { e.base_url = "nonsense"; }), Error);
}

TEST(Client, AnUnusableKeyIsNotShownInTheMessage) {
    loop::EventLoop loop;
    Endpoint endpoint = at("http://127.0.0.1:1/v1");
    endpoint.api_key = "sk-verysecret\n";
    try {
        const Client client(loop, endpoint, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find("verysecret"), std::string::npos);
    }
}

}  // namespace
}  // namespace assay::chat
