#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/error.hpp"
#include "tests/unit/harness_simulated/fixed_responder.hpp"

namespace assay::simulated {
namespace {

using Json = nlohmann::json;
using support::event_payloads;
using support::get;
using support::post;
using support::RawClient;
using support::RawResponse;
using support::StreamEnd;

RawResponse ask(const InProcessEndpoint& endpoint, const std::string& request) {
    RawClient client(endpoint.port());
    client.send(request);
    return client.response();
}

TEST(Server, StreamsAReplyWhoseTextIsTheScripts) {
    const Script script = quick_script();
    const auto endpoint = serve(script);
    const RawResponse response = ask(*endpoint, chat_request(true, R"(,"stream_options":{"include_usage":true})"));
    EXPECT_EQ(response.status, 200);
    EXPECT_TRUE(response.whole);
    const auto payloads = event_payloads(response.body);
    ASSERT_EQ(payloads.size(), static_cast<std::size_t>(1 + script.tokens() + 1 + 1 + 1));
    std::string reasoning;
    std::string content;
    for (std::size_t i = 0; i + 2 < payloads.size(); ++i) {
        const Json delta = Json::parse(payloads[i])["choices"][0]["delta"];
        if (delta["reasoning_content"].is_string()) reasoning += delta["reasoning_content"].get<std::string>();
        if (delta["content"].is_string()) content += delta["content"].get<std::string>();
    }
    EXPECT_EQ(reasoning, script.reasoning.all());
    EXPECT_EQ(content, script.content.all());
    EXPECT_EQ(Json::parse(payloads[payloads.size() - 2])["usage"]["completion_tokens"], script.tokens());
    EXPECT_EQ(payloads.back(), "[DONE]");
}

TEST(Server, SendsNoUsageUnlessAsked) {
    const auto endpoint = serve(quick_script());
    const auto payloads = event_payloads(ask(*endpoint, chat_request(true)).body);
    for (std::size_t i = 0; i + 1 < payloads.size(); ++i) EXPECT_FALSE(Json::parse(payloads[i])["choices"].empty());
}

TEST(Server, AnswersWithoutAStream) {
    const Script script = quick_script();
    const auto endpoint = serve(script);
    const Json body = Json::parse(ask(*endpoint, chat_request(false)).body);
    EXPECT_EQ(body["choices"][0]["message"]["content"], script.content.all());
    EXPECT_EQ(body["choices"][0]["finish_reason"], "stop");
    EXPECT_EQ(body["usage"]["completion_tokens"], script.tokens());
}

TEST(Server, StopsAtTheBudget) {
    const auto endpoint = serve(quick_script(50));
    const Json body = Json::parse(ask(*endpoint, chat_request(false, R"(,"max_tokens":20)")).body);
    EXPECT_EQ(body["choices"][0]["message"]["content"], "");
    EXPECT_EQ(body["choices"][0]["finish_reason"], "length");
    EXPECT_EQ(body["usage"]["completion_tokens"], 20);
    EXPECT_EQ(body["usage"]["reasoning_tokens"], 20);
}

TEST(Server, StopsAtTheContextWhereNoBudgetIsGiven) {
    ServiceSettings settings;
    settings.context = 30;
    const auto endpoint = serve(quick_script(50), settings);
    const Json body = Json::parse(ask(*endpoint, chat_request(false)).body);
    EXPECT_EQ(body["choices"][0]["finish_reason"], "length");
    EXPECT_EQ(body["usage"]["total_tokens"], 30);
}

TEST(Server, RefusesInTheServersForm) {
    const auto endpoint = serve(quick_script());
    const auto status = [&](const std::string& request) { return ask(*endpoint, request).status; };
    EXPECT_EQ(status(post("/v1/chat/completions", "{")), 400);
    EXPECT_EQ(status(chat_request(true, R"(,"max_tokens":131072)")), 400);
    EXPECT_EQ(status(post("/v1/chat/completions", R"({"model":"other","messages":[{"role":"user","content":"q"}]})")), 404);
    EXPECT_EQ(status(get("/v1/chat/completions")), 405);
    EXPECT_EQ(status(post("/v1/models", "{}")), 405);
    EXPECT_EQ(status(get("/nowhere")), 404);
    EXPECT_EQ(status("POST /v1/chat/completions HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"), 400);
    EXPECT_EQ(status("nonsense\r\n\r\n"), 400);
    EXPECT_TRUE(eventually([&] { return endpoint->counters().refused.load() == 4; }));
}

TEST(Server, AsksForTheKeyOnAllPathsButHealth) {
    ServiceSettings settings;
    settings.api_key = "secret";
    const auto endpoint = serve(quick_script(), settings);
    EXPECT_EQ(ask(*endpoint, get("/health")).status, 200);
    EXPECT_EQ(ask(*endpoint, get("/v1/models")).status, 401);
    EXPECT_EQ(ask(*endpoint, chat_request(true)).status, 401);
    EXPECT_EQ(ask(*endpoint, get("/v1/models", "Authorization: Bearer wrong\r\n")).status, 401);
    EXPECT_EQ(ask(*endpoint, get("/v1/models", "Authorization: Bearer secret\r\n")).status, 200);
}

TEST(Server, ListsItsModel) {
    ServiceSettings settings;
    settings.model = "kimi";
    const auto endpoint = serve(quick_script(), settings);
    const Json models = Json::parse(ask(*endpoint, get("/v1/models")).body);
    EXPECT_EQ(models["data"][0]["id"], "kimi");
    EXPECT_EQ(models["data"][0]["max_model_len"], 131072);
}

TEST(Server, AnswersPipelinedRequestsInOrderOnOneConnection) {
    const auto endpoint = serve(quick_script());
    RawClient client(endpoint->port());
    std::string all;
    for (int i = 0; i < 5; ++i) all += chat_request(i % 2 == 0) + get("/health");
    client.send(all + "HEAD /v1/models HTTP/1.1\r\n\r\n");
    for (int i = 0; i < 5; ++i) {
        const RawResponse chat = client.response();
        EXPECT_TRUE(chat.whole);
        EXPECT_EQ(chat.head.find("text/event-stream") != std::string::npos, i % 2 == 0) << i;
        EXPECT_EQ(client.response().body, "");
    }
    const RawResponse head = client.response(std::chrono::seconds(20), true);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(endpoint->counters().connections.load(), 1);
}

TEST(Server, ClosesWhereTheClientAsksForIt) {
    const auto endpoint = serve(quick_script());
    RawClient client(endpoint->port());
    client.send(post("/v1/chat/completions", chat_body(true), "Connection: close\r\n"));
    StreamEnd end{};
    EXPECT_TRUE(support::parse_response(client.rest(end)).whole);
    EXPECT_EQ(end, StreamEnd::closed);
}

TEST(Server, EndsAStreamToAnHttp10ClientWithTheConnection) {
    const auto endpoint = serve(quick_script());
    RawClient client(endpoint->port());
    const std::string body = chat_body(true);
    client.send("POST /v1/chat/completions HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    StreamEnd end{};
    const std::string bytes = client.rest(end);
    EXPECT_EQ(end, StreamEnd::closed);
    EXPECT_EQ(bytes.find("chunked"), std::string::npos);
    EXPECT_TRUE(bytes.ends_with("data: [DONE]\n\n"));
}

TEST(Server, AsksForABodyThatTheClientHoldsBack) {
    const auto endpoint = serve(quick_script());
    RawClient client(endpoint->port());
    const std::string body = chat_body(false);
    client.send("POST /v1/chat/completions HTTP/1.1\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n");
    EXPECT_EQ(client.response().status, 100);
    client.send(body);
    EXPECT_EQ(client.response().status, 200);
}

TEST(Server, AnswersARequestWhoseBodyIsTooLargeBeforeItCame) {
    const auto endpoint = serve(quick_script());
    RawClient client(endpoint->port());
    client.send("POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n{\"model\"");
    EXPECT_EQ(client.response().status, 413);
}

TEST(Server, ListensOnLoopbackAndNamesItsAddress) {
    const auto endpoint = serve(quick_script());
    EXPECT_EQ(endpoint->base_url(), "http://127.0.0.1:" + std::to_string(endpoint->port()) + "/v1");
    try {
        const InProcessEndpoint second({"127.0.0.1", endpoint->port()}, {}, std::make_unique<FixedResponder>(quick_script()));
        FAIL() << "two servers on one port";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("--port"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace assay::simulated
