#include "tests/unit/harness_chat/endpoint_fixture.hpp"

namespace assay::chat::tests {
namespace {

std::string choice(const std::string& delta, const std::string& finish, const std::string& rest = "") {
    return R"({"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":)" + delta +
           R"(,"logprobs":null,"finish_reason":)" + finish + rest + "}]}";
}

}  // namespace

std::vector<std::string> sglang_events() {
    return {choice(R"({"role":"assistant","content":"","reasoning_content":null,"tool_calls":null})", "null"),
            choice(R"({"role":null,"content":null,"reasoning_content":"Let me see.","tool_calls":null})", "null"),
            choice(R"({"role":null,"content":null,"reasoning_content":" 6 times 7","tool_calls":null})", "null"),
            choice(R"({"role":null,"content":"The final","reasoning_content":null,"tool_calls":null})", "null"),
            choice(R"({"role":null,"content":" answer is B","reasoning_content":null,"tool_calls":null})", "null"),
            choice(R"({"role":null,"content":null,"reasoning_content":null,"tool_calls":null})", R"("stop")", R"(,"matched_stop":151645)"),
            R"({"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":5,"total_tokens":17,"completion_tokens":12,"prompt_tokens_details":null,"reasoning_tokens":7}})"};
}

std::vector<std::string> vllm_events() {
    return {choice(R"({"role":"assistant","content":""})", "null"),
            choice(R"({"reasoning":"Let me see."})", "null"),
            choice(R"({"reasoning":" 6 times 7"})", "null"),
            choice(R"({"content":"The final"})", "null"),
            choice(R"({"content":" answer is B"})", R"("stop")", R"(,"stop_reason":null)"),
            R"({"id":"x","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":5,"total_tokens":17,"completion_tokens":12,"completion_tokens_details":{"reasoning_tokens":7}}})"};
}

std::vector<std::string> llama_cpp_events() {
    return {choice(R"({"role":"assistant","content":null})", "null"),
            choice(R"({"content":"<think>Let me see."})", "null"),
            choice(R"({"content":" 6 times 7</think>The final"})", "null"),
            choice(R"({"content":" answer is B"})", "null"),
            R"({"choices":[{"finish_reason":"stop","index":0,"delta":{}}],"created":1,"model":"m","object":"chat.completion.chunk"})",
            R"({"choices":[],"model":"m","object":"chat.completion.chunk","usage":{"completion_tokens":12,"prompt_tokens":5,"total_tokens":17},"timings":{"prompt_n":5,"predicted_n":12,"predicted_per_second":91.5}})"};
}

std::string stream_text(const std::vector<std::string>& events, bool done) {
    std::string text;
    for (const std::string& event : events) text += "data: " + event + "\n\n";
    if (done) text += "data: [DONE]\n\n";
    return text;
}

Script streamed(const std::vector<std::string>& events, bool done) {
    Script script;
    script.pieces.push_back({response_head("200 OK", {"Content-Type: text/event-stream", "Transfer-Encoding: chunked"})});
    for (const std::string& event : events) script.pieces.push_back({chunk("data: " + event + "\n\n")});
    if (done) script.pieces.push_back({chunk("data: [DONE]\n\n")});
    script.pieces.push_back({"0\r\n\r\n"});
    return script;
}

Script unended(const std::string& text, Close close) {
    Script script;
    script.pieces.push_back({response_head("200 OK", {"Content-Type: text/event-stream", "Transfer-Encoding: chunked"}) + chunk(text)});
    script.close = close;
    return script;
}

Script plain(const std::string& status, const std::string& body, std::vector<std::string> headers) {
    headers.push_back("Content-Length: " + std::to_string(body.size()));
    Script script;
    script.pieces.push_back({response_head(status, headers) + body});
    return script;
}

Reply ask(const std::string& base_url, Limits limits, const std::string& api_key) {
    loop::EventLoop loop;
    Endpoint endpoint;
    endpoint.base_url = base_url;
    endpoint.api_key = api_key;
    Client client(loop, endpoint, limits);
    Reply reply;
    Request request;
    request.model = "m";
    request.messages.push_back({"user", "What is 6 times 7?"});
    client.send(request_body(request), true, [&](Reply got) {
        reply = std::move(got);
        loop.stop();
    });
    loop.run();
    return reply;
}

Reply ask(const ScriptedServer& server, Limits limits, const std::string& api_key) {
    return ask(server.base_url(), limits, api_key);
}

}  // namespace assay::chat::tests
