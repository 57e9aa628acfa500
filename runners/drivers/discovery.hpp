// Discovery: what a server says of itself before it is asked anything.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/chat/client.hpp"
#include "scorers/preflight/evidence.hpp"

namespace assay::runners {

using Discovery = preflight::Listing;

// GET <base_url>/models, at most 10 seconds. Never throws for what the server does.
[[nodiscard]] Discovery discover(const chat::Endpoint& endpoint, const chat::Limits& limits);

// What an answer to that says.
[[nodiscard]] Discovery listing_of(const chat::Client::Answer& answer);

// `wanted` where it is given; else the one model that is listed. Throws assay::Error, naming the models, where
// there is not exactly one.
[[nodiscard]] std::string chosen_model(const std::optional<std::string>& wanted, const Discovery& discovery);

// Name and value of what a run records about its server.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> server_facts(const Discovery& discovery, const std::string& model);

}  // namespace assay::runners
