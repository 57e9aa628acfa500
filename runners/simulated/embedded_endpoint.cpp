#include "runners/simulated/embedded_endpoint.hpp"

#include "runners/simulated/keyed_prompts.hpp"

namespace assay::runners {

std::unique_ptr<simulated::InProcessEndpoint> embedded_endpoint(const SimulatedParameters& parameters, const std::string& model,
                                                                const questions::QuestionSet& set, const questions::Protocol& protocol) {
    return std::make_unique<simulated::InProcessEndpoint>(simulated::ListenAddress{}, service_settings(parameters, model),
                                                          std::make_unique<KeyedResponder>(keyed_prompts(set, protocol), parameters));
}

}  // namespace assay::runners
