// The client against a server on a real socket: how each way of ending a response is told apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/harness_chat/endpoint_fixture.hpp"

namespace assay::chat {
namespace {

using namespace tests;
using std::chrono::milliseconds;

const std::string head = response_head("200 OK", {"Content-Type: text/event-stream", "Transfer-Encoding: chunked"});

std::string_view outcome(const Reply& reply) {
    return to_string(reply.outcome);
}

std::vector<std::string> first(std::vector<std::string> events, std::size_t count) {
    events.resize(count);
    return events;
}

Limits quick() {
    Limits limits;
    limits.connect = milliseconds(2000);
    limits.first_byte = milliseconds(150);
    limits.silence = milliseconds(150);
    limits.drain = milliseconds(100);
    return limits;
}

TEST(Endpoint, EachServersStreamBecomesTheSameReply) {
    for (const auto& events : {sglang_events(), vllm_events(), llama_cpp_events()}) {
        ScriptedServer server(streamed(events));
        const Reply reply = ask(server);
        EXPECT_EQ(outcome(reply), "complete") << reply.error;
        EXPECT_EQ(reply.content, "The final answer is B");
        EXPECT_EQ(reply.reasoning, "Let me see. 6 times 7");
        EXPECT_EQ(reply.usage.completion_tokens, 12);
    }
}

TEST(Endpoint, AStreamInSingleBytesBecomesTheSameReply) {
    Script script;
    for (const char c : head + chunk(stream_text(sglang_events())) + "0\r\n\r\n") script.pieces.push_back({std::string(1, c)});
    ScriptedServer server(script);
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "complete") << reply.error;
    EXPECT_EQ(reply.content, "The final answer is B");
}

TEST(Endpoint, AWholeBodyWhereAStreamWasAskedForIsRead) {
    ScriptedServer server(plain("200 OK", R"({"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"B"},"finish_reason":"stop"}]})"));
    EXPECT_EQ(outcome(ask(server)), "complete");
}

TEST(Endpoint, AChunkedStreamCutByFinIsDropped) {
    ScriptedServer server(unended(stream_text(first(sglang_events(), 4), false), Close::fin));
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_EQ(reply.curl_code, 18);
    EXPECT_EQ(reply.content, "The final");
    EXPECT_EQ(reply.http_status, 200);
    EXPECT_NE(reply.error, "");
}

TEST(Endpoint, AStreamOfKnownLengthCutByFinIsDropped) {
    Script script;
    script.pieces.push_back({response_head("200 OK", {"Content-Length: 100000"}) + stream_text(first(sglang_events(), 4), false)});
    ScriptedServer server(script);
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_EQ(reply.curl_code, 18);
}

TEST(Endpoint, AStreamEndedByClosingAndCutIsDroppedThoughTheTransportSawNothing) {
    Script script;
    script.pieces.push_back({response_head("200 OK", {"Connection: close"}) + stream_text(first(sglang_events(), 4), false)});
    ScriptedServer server(script);
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_EQ(reply.curl_code, 0);
}

TEST(Endpoint, AResetInsideTheStreamIsDropped) {
    Script script = unended(stream_text(first(sglang_events(), 4), false), Close::rst);
    script.pieces.push_back({"", milliseconds(50)});  // the reset must not overtake the bytes
    ScriptedServer server(script);
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_THAT(reply.curl_code, testing::AnyOf(56, 55));  // told by a receive or by a send
    EXPECT_EQ(reply.content, "The final");
}

TEST(Endpoint, AResetAfterTheFinishReasonIsComplete) {
    Script script = unended(stream_text(first(sglang_events(), 6), false), Close::rst);
    script.pieces.push_back({"", milliseconds(50)});
    ScriptedServer server(script);
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "complete") << reply.error;
    EXPECT_THAT(reply.curl_code, testing::AnyOf(56, 55));  // told by a receive or by a send
    EXPECT_FALSE(reply.usage.completion_tokens);
}

TEST(Endpoint, ClosingWithoutAReplyIsDropped) {
    ScriptedServer server(Script{});
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_EQ(reply.curl_code, 52);
    EXPECT_EQ(reply.http_status, 0);
    EXPECT_EQ(server.connections(), 1);  // libcurl did not repeat the request by itself
}

TEST(Endpoint, ARefusedConnectionIsDropped) {
    const Reply reply = ask("http://127.0.0.1:" + std::to_string(unused_port()) + "/v1");
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_EQ(reply.curl_code, 7);
    EXPECT_FALSE(reply.times.connected_ms);
    EXPECT_TRUE(reply.times.sent_ms);
}

TEST(Endpoint, ANameNobodyKnowsIsDroppedAndSaysSo) {
    const Reply reply = ask("http://no-such-host.invalid:8000/v1");
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_EQ(reply.curl_code, 6);
    EXPECT_EQ(reply.error, "could not resolve host: no-such-host.invalid");
}

TEST(Endpoint, ASilentServerPassesTheFirstByteLimit) {
    Script script;
    script.close = Close::hold;
    ScriptedServer server(script);
    const Reply reply = ask(server, quick());
    EXPECT_EQ(outcome(reply), "timeout");
    EXPECT_EQ(reply.error, "no byte of a response within 0.15 s");
    EXPECT_EQ(reply.curl_code, 28);
    EXPECT_TRUE(reply.times.connected_ms);
    EXPECT_FALSE(reply.times.first_byte_ms);
}

TEST(Endpoint, AStreamThatFallsSilentPassesTheSilenceLimit) {
    ScriptedServer server(unended(stream_text(first(sglang_events(), 4), false), Close::hold));
    const Reply reply = ask(server, quick());
    EXPECT_EQ(outcome(reply), "timeout");
    EXPECT_EQ(reply.error, "silent for 0.15 s");
    EXPECT_EQ(reply.content, "The final");
}

TEST(Endpoint, CommentsCountAsLife) {
    Script script;
    script.pieces.push_back({head});
    for (int i = 0; i < 8; ++i) script.pieces.push_back({chunk(": keepalive\n\n"), milliseconds(60)});
    script.pieces.push_back({chunk(stream_text(sglang_events())) + "0\r\n\r\n"});
    ScriptedServer server(script);
    EXPECT_EQ(outcome(ask(server, quick())), "complete");
}

TEST(Endpoint, AnAddressThatDoesNotAnswerPassesTheConnectLimit) {
    // A listener whose queue is full drops what knocks: the handshake never ends.
    assay::tests::FullListener full;
    Limits limits;
    limits.connect = milliseconds(200);
    const Reply reply = ask(full.base_url(), limits);
    EXPECT_EQ(outcome(reply), "timeout") << reply.error;
    EXPECT_EQ(reply.error, "not connected within 0.2 s");
    EXPECT_FALSE(reply.times.connected_ms);
}

TEST(Endpoint, ARedirectIsNotFollowed) {
    ScriptedServer other(streamed(sglang_events()));
    ScriptedServer server(plain("307 Temporary Redirect", "<html>moved</html>", {"Location: " + other.base_url() + "/chat/completions"}));
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "refused");
    EXPECT_EQ(reply.http_status, 307);
    EXPECT_NE(reply.error.find(other.base_url()), std::string::npos) << reply.error;
    EXPECT_EQ(other.connections(), 0);
}

TEST(Endpoint, StatusesThatWillNotChangeAreRefused) {
    for (const std::string status : {"400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found", "422 Unprocessable Entity"}) {
        ScriptedServer server(plain(status, R"({"error":{"message":"no"}})"));
        const Reply reply = ask(server);
        EXPECT_EQ(outcome(reply), "refused") << status;
        EXPECT_EQ(reply.error, "no");
    }
}

TEST(Endpoint, StatusesThatMayChangeAreServerErrors) {
    for (const std::string status : {"429 Too Many Requests", "500 Internal Server Error", "503 Service Unavailable", "529 Overloaded"}) {
        ScriptedServer server(plain(status, R"({"object":"error","message":"busy"})"));
        const Reply reply = ask(server);
        EXPECT_EQ(outcome(reply), "server_error") << status;
        EXPECT_EQ(reply.error, "busy");
    }
}

TEST(Endpoint, AnHtmlPageOfAGatewayIsAServerError) {
    ScriptedServer server(plain("504 Gateway Time-out", "<html><body><h1>504 Gateway Time-out</h1></body></html>", {"Content-Type: text/html"}));
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "server_error");
    EXPECT_NE(reply.error.find("504 Gateway Time-out"), std::string::npos);
}

TEST(Endpoint, RetryAfterIsReadInItsForms) {
    const auto asked = [](const std::string& header) {
        ScriptedServer server(plain("429 Too Many Requests", "{}", {header}));
        return ask(server).retry_after_s;
    };
    EXPECT_EQ(asked("Retry-After: 7"), 7.0);
    EXPECT_EQ(asked("retry-after: 1.5"), 1.5);
    EXPECT_EQ(asked("retry-after-ms: 250"), 0.25);
    EXPECT_LT(asked("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT").value(), -1e8);
    EXPECT_FALSE(asked("Retry-After: soon"));
    EXPECT_FALSE(asked("X-Other: 1"));
}

TEST(Endpoint, DoneWithoutAFinishReasonIsDropped) {
    ScriptedServer server(streamed(first(sglang_events(), 5)));
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_TRUE(reply.done_marker);
    EXPECT_EQ(reply.curl_code, 0);
}

TEST(Endpoint, AFinishReasonWithoutDoneIsComplete) {
    ScriptedServer server(streamed(sglang_events(), false));
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "complete");
    EXPECT_FALSE(reply.done_marker);
}

TEST(Endpoint, AServerThatHangsAfterDoneIsNotWaitedFor) {
    Limits limits = quick();
    limits.silence = std::chrono::hours(1);
    ScriptedServer server(unended(stream_text(sglang_events()), Close::hold));
    const Reply reply = ask(server, limits);
    EXPECT_EQ(outcome(reply), "complete");
    EXPECT_EQ(reply.curl_code, 0);
    EXPECT_EQ(reply.usage.completion_tokens, 12);
}

TEST(Endpoint, AServerThatHangsAfterTheFinishReasonIsNotWaitedFor) {
    Limits limits = quick();
    limits.silence = std::chrono::hours(1);
    ScriptedServer server(unended(stream_text(first(sglang_events(), 6), false), Close::hold));
    const Reply reply = ask(server, limits);
    EXPECT_EQ(outcome(reply), "complete");
    EXPECT_FALSE(reply.usage.completion_tokens);
}

TEST(Endpoint, AnErrorInsideTheStreamThenDoneIsAServerError) {
    auto events = first(sglang_events(), 4);
    events.push_back(R"({"error":{"object":"error","message":"CUDA out of memory","type":"InternalServerError","code":500}})");
    ScriptedServer server(streamed(events));
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "server_error");
    EXPECT_EQ(reply.error, "CUDA out of memory (InternalServerError, 500)");
    EXPECT_EQ(reply.http_status, 200);
    EXPECT_TRUE(reply.done_marker);
}

TEST(Endpoint, AbortAndUnknownFinishReasonsAreAborted) {
    for (const std::string reason : {"abort", "tired"}) {
        auto events = first(sglang_events(), 5);
        events.push_back(R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + reason + "\"}]}");
        ScriptedServer server(streamed(events));
        const Reply reply = ask(server);
        EXPECT_EQ(outcome(reply), "aborted");
        EXPECT_EQ(reply.finish_reason, reason);
    }
}

TEST(Endpoint, BytesThatAreNoHttpAreDropped) {
    Script script;
    script.pieces.push_back({"SSH-2.0-OpenSSH_9.2\r\n"});
    ScriptedServer server(script);
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_NE(reply.curl_code, 0);
}

TEST(Endpoint, HeadersWithoutEndAreCutOff) {
    Script script;
    script.pieces.push_back({"HTTP/1.1 200 OK\r\n"});
    for (int i = 0; i < 400; ++i) script.pieces.push_back({"X-Filler: " + std::string(1000, 'x') + "\r\n"});
    script.close = Close::hold;
    ScriptedServer server(script);
    const Reply reply = ask(server);
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_EQ(reply.error, "the response headers exceed 256 KiB");
}

TEST(Endpoint, AResponseBeyondItsBoundIsGivenUp) {
    Limits limits;
    limits.response_bytes = 100'000;
    Script script;
    script.pieces.push_back({head});
    for (int i = 0; i < 200; ++i) script.pieces.push_back({chunk(": " + std::string(1000, 'x') + "\n")});
    script.close = Close::hold;
    ScriptedServer server(script);
    const Reply reply = ask(server, limits);
    EXPECT_EQ(outcome(reply), "malformed");
    EXPECT_EQ(reply.error, "the response exceeds 100000 bytes");
}

TEST(Endpoint, SendsTheKeyAndWhatTheApiNeedsAndNothingElse) {
    ScriptedServer server(plain("401 Unauthorized", R"({"error":{"message":"key sk-verysecret is bad"}})"));
    const Reply reply = ask(server, {}, "sk-verysecret");
    EXPECT_EQ(reply.error, "key [key] is bad");
    const std::string request = server.requests().at(0);
    EXPECT_TRUE(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n")) << request;
    EXPECT_NE(request.find("\r\nAuthorization: Bearer sk-verysecret\r\n"), std::string::npos);
    EXPECT_NE(request.find("\r\nContent-Type: application/json\r\n"), std::string::npos);
    for (const char* header : {"Expect:", "Accept-Encoding:", "Cookie:"}) EXPECT_EQ(request.find(header), std::string::npos) << header;
}

}  // namespace
}  // namespace assay::chat
