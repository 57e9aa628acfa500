// Evidence: what the probes of an endpoint brought back, before anything is made of it.
//
// Plain values. What was not asked, or not answered, is absent; texts come from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/chat/reply.hpp"

namespace assay::preflight {

struct ListedModel {
    std::string id;
    std::string owned_by;                       // empty where not said
    std::optional<std::int64_t> max_model_len;  // tokens, prompt and reply together
    std::string root{};                         // the checkpoint's path (vLLM) or its name again (SGLang); empty where not said
};

// The answer to GET /v1/models.
struct Listing {
    std::vector<ListedModel> models;
    std::string error;     // why the list is unknown, in one line; empty where it was read
    long http_status = 0;  // 0: no response
    bool timed_out = false;  // connected, or about to, and no whole answer came within the limit
};

// One chat completion.
struct Probe {
    chat::Reply reply;     // where `cut_off`: without content
    bool cut_off = false;  // ended from here, as it had gone on long enough
    std::int64_t text_events = 0;  // deltas with text
};

struct Evidence {
    // What the run is going to ask.
    std::string model;
    std::int64_t budget = 0;
    std::string budget_field;
    std::optional<std::string> effort;
    std::size_t longest_prompt_bytes = 0;
    std::size_t sum_prompt_bytes = 0;

    Listing listing;
    std::vector<std::pair<std::string, std::string>> facts;  // of the server's own pages, by name, secrets left out
    std::optional<std::int64_t> context_of_facts;            // the context length that those pages name

    std::optional<Probe> one_token;     // the longest prompt with a budget of 1
    std::optional<Probe> whole_budget;  // the longest prompt with the run's budget, cut off once it was taken on
    std::optional<Probe> sum;           // 17 * 23
    std::vector<Probe> same_seed;       // two equal requests, sampled
    std::optional<Probe> other_seed;    // the same with another seed
    std::optional<Probe> effort_given;  // with the effort of the run
    std::optional<Probe> effort_wrong;  // with an effort that does not exist
};

inline constexpr int sum_a = 17;
inline constexpr int sum_b = 23;

}  // namespace assay::preflight
