// Parameters of the simulated endpoint: what `simulated:` in --base-url carries and `assay simulate` takes as flags.
//
//   simulated:accuracy=0.8,rate=1000,drop-rate=0.05
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/simulated/behavior.hpp"
#include "harness/simulated/service.hpp"

namespace assay::runners {

struct SimulatedParameters {
    double accuracy = 0.9;      // expected share of right answers over the question set, before truncation; [0, 1]
    double icc = 0.5;           // intra-class correlation: how much of the variance lies between questions; [0, 1]
    double think_median = 300;  // tokens; 0: no thinking
    double think_sigma = 0.8;   // of the logarithm
    std::int64_t answer_tokens = 24;  // words before the line with the letter
    double first_token_ms = 20;
    double rate = 500;  // tokens per second of one reply
    double speed = 1;   // all times are divided by it, those of behaviours apart
    std::int64_t context = 131'072;
    std::string wire = "sglang";
    simulated::BehaviorChoice behaviors;
};

struct SimulatedParameter {
    std::string_view name;  // "think-median"
    std::variant<double SimulatedParameters::*, std::int64_t SimulatedParameters::*, std::string SimulatedParameters::*> member;
    double low;  // numbers only
    double high;
    bool decides_answers;  // false: only how fast or how badly they come
    std::string_view help;
};
[[nodiscard]] const std::vector<SimulatedParameter>& simulated_parameters();

// Adds a behaviour, "name=value" or "name", in place of an earlier one of that name. Throws assay::Error, naming what there is.
void add_behavior(SimulatedParameters& parameters, std::string_view text);

// From "name=value,name=value", each name of simulated_parameters() or of a behaviour; empty: the defaults.
// Throws assay::Error, naming what there is.
[[nodiscard]] SimulatedParameters parse_simulated(std::string_view text);
// Throws assay::Error where a value is out of range.
void check_simulated(const SimulatedParameters& parameters);

// Every parameter in a fixed order, then the behaviours; parse_simulated() reads it back to the same text.
[[nodiscard]] std::string simulated_text(const SimulatedParameters& parameters);
// Only what decides the answers: equal texts give equal replies, however fast and through whatever faults they come.
[[nodiscard]] std::string simulated_answers_text(const SimulatedParameters& parameters);

[[nodiscard]] simulated::ServiceSettings service_settings(const SimulatedParameters& parameters, const std::string& model);

}  // namespace assay::runners
