// What the tests of the client on real sockets share: streams as servers write them, and asking once.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/chat/client.hpp"
#include "tests/support/scripted_server.hpp"

namespace assay::chat::tests {

using assay::tests::chunk;
using assay::tests::Close;
using assay::tests::Piece;
using assay::tests::response_head;
using assay::tests::Script;
using assay::tests::ScriptedServer;
using assay::tests::unused_port;

// JSON texts of a whole reply in each server's form, without "data:" and "[DONE]".
[[nodiscard]] std::vector<std::string> sglang_events();
[[nodiscard]] std::vector<std::string> vllm_events();
[[nodiscard]] std::vector<std::string> llama_cpp_events();

// The events as a text/event-stream, "[DONE]" last where asked for.
[[nodiscard]] std::string stream_text(const std::vector<std::string>& events, bool done = true);

// 200, chunked, one chunk an event, the last chunk sent.
[[nodiscard]] Script streamed(const std::vector<std::string>& events, bool done = true);

// 200, chunked head, then the events of `text` in one chunk and no end of the body.
[[nodiscard]] Script unended(const std::string& text, Close close);

// A status with Content-Length and a JSON body (or `type`).
[[nodiscard]] Script plain(const std::string& status, const std::string& body, std::vector<std::string> headers = {"Content-Type: application/json"});

// Sends one request and waits for its reply.
[[nodiscard]] Reply ask(const std::string& base_url, Limits limits = {}, const std::string& api_key = {});
[[nodiscard]] Reply ask(const ScriptedServer& server, Limits limits = {}, const std::string& api_key = {});

}  // namespace assay::chat::tests
