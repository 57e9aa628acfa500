// Discovery: what a server says of itself before it is asked anything.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/chat/client.hpp"

namespace assay::runners {

struct ListedModel {
    std::string id;
    std::string owned_by;                       // empty where not said
    std::optional<std::int64_t> max_model_len;  // tokens, prompt and reply together
};

struct Discovery {
    std::vector<ListedModel> models;
    std::string error;  // why the list is unknown, in one line; empty where it was read
};

// GET <base_url>/models, at most 10 seconds. Never throws for what the server does.
[[nodiscard]] Discovery discover(const chat::Endpoint& endpoint, const chat::Limits& limits);

// `wanted` where it is given; else the one model that is listed. Throws assay::Error, naming the models, where
// there is not exactly one.
[[nodiscard]] std::string chosen_model(const std::optional<std::string>& wanted, const Discovery& discovery);

// Name and value of what a run records about its server.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> server_facts(const Discovery& discovery, const std::string& model);

}  // namespace assay::runners
