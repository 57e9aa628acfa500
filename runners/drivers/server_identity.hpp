// ServerIdentity: what must stay the same while a run goes on, as far as the server says.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "harness/chat/client.hpp"
#include "scorers/preflight/evidence.hpp"

namespace assay::runners {

// What is unset was not said, and says nothing.
struct ServerIdentity {
    std::optional<bool> lists_model;            // the run's
    std::string models;                         // the first few that are listed, for the message
    std::optional<std::int64_t> max_model_len;  // of the run's model
    std::optional<std::string> version;
};

// Of a list of models; the version is not in it.
[[nodiscard]] ServerIdentity identity_of(const preflight::Listing& listing, const std::string& model);

// "" where nothing that both say differs; else what it was and what it is, in one line. Text from outside in it.
[[nodiscard]] std::string identity_change(const ServerIdentity& before, const ServerIdentity& now);

// Asks the server again: `done` gets the identity, or nothing where no response came. On the loop's thread, never from
// inside this call. The version is asked only where `with_version`, of /version and /server_info.
void ask_identity(chat::Client& client, const std::string& base_url, const std::string& model, bool with_version,
                  std::function<void(std::optional<ServerIdentity>)> done);

// The same, blocking, on a loop of its own: before a run.
[[nodiscard]] ServerIdentity identity_before_run(const chat::Endpoint& endpoint, const chat::Limits& limits, const std::string& model);

}  // namespace assay::runners
