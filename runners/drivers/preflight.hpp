// Preflight: asks an endpoint little, so that what a run will meet is known before it starts.
//
// Each probe is a chat completion of its own, one after the other, that ends by itself, at `limit`, or as soon as what
// was asked is known. Blocks; has no threads of its own. Never throws for what the server does.
#pragma once

#include <chrono>

#include "harness/chat/client.hpp"
#include "harness/chat/request.hpp"
#include "scorers/preflight/evidence.hpp"

namespace assay::runners {

struct PreflightJob {
    chat::Endpoint endpoint;
    chat::Limits limits;
    std::chrono::milliseconds limit{120'000};  // of one probe
    chat::Request longest;  // the run's request with the longest prompt; its budget and its fields are those of the run
};

// The list of models, the server's pages, and one completion of 1 token.
[[nodiscard]] preflight::Evidence probe_before_run(const PreflightJob& job);

// All probes: 9 completions at most, of which one may have the run's whole budget and is cut off at its first words.
[[nodiscard]] preflight::Evidence probe_all(const PreflightJob& job);

// The request of `requests` whose messages have most bytes; none of 0.
[[nodiscard]] const chat::Request& longest_of(const std::vector<chat::Request>& requests);

}  // namespace assay::runners
