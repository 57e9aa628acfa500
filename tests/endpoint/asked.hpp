// One question asked of a simulated endpoint that misbehaves, as `assay score` would ask it: client, retries, journal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/runs/attempt.hpp"
#include "harness/chat/client.hpp"
#include "harness/simulated/in_process_endpoint.hpp"

namespace assay::endpoint_tests {

// Three tokens of thinking, an answer of 13 bytes, without waiting.
inline constexpr const char* plain_answer = "so it goes: B";
[[nodiscard]] simulated::Script quick_script();

// A server that says the same to everybody.
[[nodiscard]] std::unique_ptr<simulated::InProcessEndpoint> serve(const std::vector<std::string>& behaviors, const std::string& wire = "sglang",
                                                                  const std::optional<simulated::Script>& script = std::nullopt);

struct Asked {
    runs::Attempt attempt;                    // as read back from the journal
    int tries = 0;                            // on record
    std::optional<std::string> stopped;       // why the run was ended, where it was
};

inline constexpr int most_tries = 3;        // of an attempt that is answered
inline constexpr int most_turned_away = 4;  // of one that is not

// Asks until it is scored or given up. Delays between tries are a few milliseconds.
[[nodiscard]] Asked ask(const std::string& base_url, chat::Limits limits = {}, std::int64_t budget = 1000);

// One try, nothing recorded.
[[nodiscard]] chat::Reply ask_once(const std::string& base_url, chat::Limits limits = {});

// Limits that pass soon, for servers that say nothing.
[[nodiscard]] chat::Limits impatient();

}  // namespace assay::endpoint_tests
