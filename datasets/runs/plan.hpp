// Plan: what a run asks, and how. Two runs with the same plan_hash ask the same questions in the same way.
//
// More seeds, another --limit, endpoint URL, concurrency, timeout or extractor are no part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::runs {

// How the reply to a seed is sampled. The seed's number goes out as "seed" with every request.
struct Sampling {
    std::optional<double> temperature;  // not sent where unset
    std::optional<double> top_p;
    std::optional<int> greedy_seed;  // this seed is sent with temperature 0
    std::optional<std::string> reasoning_effort;
    std::string extra_body;  // a JSON object in canonical form (keys sorted, no spaces), or empty
};

struct Plan {
    std::string dataset_name;    // "sample", "gpqa:diamond", or the file's name without its folders
    int dataset_rows = 0;        // of the whole file, whatever --limit says
    std::string dataset_sha256;  // of the file's bytes, lower-case hex
    std::string protocol;        // "nemo"
    std::string prompts_sha256;  // of all rendered prompts and correct letters, lower-case hex
    std::string model;
    Sampling sampling;
    std::optional<std::int64_t> budget;  // tokens of a reply
    std::string budget_field;            // "max_tokens" or "max_completion_tokens"
    std::string simulated;               // parameters of the simulated endpoint, empty for a real one: never mixed
};

// sha256 of the plan's canonical JSON, lower-case hex.
[[nodiscard]] std::string plan_hash(const Plan& plan);

// One line a difference: "model: this run was made with 'a', now 'b'". Empty where the hashes agree.
[[nodiscard]] std::vector<std::string> differences(const Plan& recorded, const Plan& wanted);

}  // namespace assay::runs
