// The simulated endpoint that `--base-url simulated:` starts inside the process.
#pragma once

#include <memory>
#include <string>

#include "datasets/questions/protocol.hpp"
#include "datasets/questions/question_set.hpp"
#include "harness/simulated/in_process_endpoint.hpp"
#include "runners/simulated/parameters.hpp"

namespace assay::runners {

// Serves one model, which knows the key of `set` (the whole file). Listens on loopback, on any free port.
[[nodiscard]] std::unique_ptr<simulated::InProcessEndpoint> embedded_endpoint(const SimulatedParameters& parameters, const std::string& model,
                                                                              const questions::QuestionSet& set,
                                                                              const questions::Protocol& protocol);

}  // namespace assay::runners
