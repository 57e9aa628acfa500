// The flags about transport, made into an endpoint, and into what a run records of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/chat/client.hpp"
#include "runners/commands/score_options.hpp"

namespace assay::runners {

// Sets certificates, proxy, reuse and HTTP version of an endpoint whose URL, key and headers are set. Throws assay::Error
// for a key that would travel in clear to a public host, and for --http2 without https.
void set_transport(const ScoreOptions& options, chat::Endpoint& endpoint);

// What of it is not the usual way, as runs::RunInfo::transport has it; no secrets.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> transport_facts(const ScoreOptions& options, const chat::Endpoint& endpoint);

}  // namespace assay::runners
