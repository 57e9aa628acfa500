// Server pages: what an inference server says of its version and flags on pages of its own.
//
// Sources: SGLang /server_info (older: /get_server_info), vLLM and TensorRT-LLM /version, llama.cpp /props,
// Prometheus names of /metrics. Such pages hold keys and paths of the server beside what is of use: only fields of
// a fixed list are read, and only numbers, truth values and short texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/chat/client.hpp"

namespace assay::runners {

struct ServerPages {
    std::vector<std::pair<std::string, std::string>> facts;  // "server_info.version" and its value, in a fixed order
    std::optional<std::int64_t> context;                     // tokens of prompt and reply together
};

// GETs at the server's root, at most 5 seconds each; a page that is not there is passed over.
[[nodiscard]] ServerPages ask_server_pages(const chat::Endpoint& endpoint, const chat::Limits& limits);

// A base URL without the "/v1" it ends in: where a server's own pages are.
[[nodiscard]] std::string server_root(std::string base_url);

// Reads one page; `path` is one of "/server_info", "/version", "/props", "/metrics".
void read_server_page(const std::string& path, const std::string& body, ServerPages& pages);

}  // namespace assay::runners
