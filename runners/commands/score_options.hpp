// ScoreOptions: what `assay score` was asked to do, as flags and environment say, checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/chat/client.hpp"
#include "runners/commands/protocol_options.hpp"
#include "runners/flags.hpp"

namespace assay::runners {

struct ScoreOptions {
    std::vector<std::string> base_urls;  // or "simulated:" with parameters
    std::optional<std::string> model;
    std::string dataset;
    ProtocolOptions protocol;
    std::optional<std::string> extractor;  // the protocol's own where unset
    std::string out;

    std::int64_t seeds = 16;
    std::int64_t first_seed = 0;
    std::optional<std::int64_t> greedy_seed;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::int64_t max_tokens = 65536;
    std::string budget_field = "max_tokens";
    std::optional<std::string> reasoning_effort;
    std::string extra_body;

    std::string concurrency = "64";  // or "auto"
    std::optional<double> requests_per_minute;
    std::optional<double> tokens_per_minute;
    std::int64_t max_retries = 5;  // tries after the first
    std::int64_t text_budget_mib = 1024;
    double connect_timeout_s = 30;
    double first_byte_timeout_s = 1800;
    double idle_timeout_s = 1800;
    std::optional<std::string> api_key_env;
    std::optional<std::string> api_key_file;
    std::vector<std::string> headers;
    bool allow_plain_http = false;
    std::string cacert;
    bool insecure = false;
    std::string proxy = "env";
    bool reuse_connections = false;
    bool http2 = false;
    bool accept_done_without_finish = false;

    std::optional<std::int64_t> limit;
    bool allow_ambiguous = false;
    bool skip_preflight = false;
    bool dry_run = false;
    bool quiet = false;
    std::string format = "text";
    std::optional<double> fail_under;  // percent
    std::optional<std::string> stop_when;
    std::optional<double> gate;  // points
    std::optional<std::string> reference;
    std::optional<std::string> checkpoint;  // a report of the weights that are served

    std::vector<std::string> from_environment;  // "base url from OPENAI_BASE_URL", said with the plan
};

void declare(ScoreOptions& options, Flags& flags);

// The parts of it that say what a request is and how it travels, each under a heading of its own.
void declare_questions(ScoreOptions& options, Flags& flags);
void declare_sampling(ScoreOptions& options, Flags& flags);
void declare_transport(ScoreOptions& options, Flags& flags);

// Fills what the environment provides (OPENAI_BASE_URL) and checks every value against its range and the
// others. Throws assay::Error naming the flag.
void complete_and_check(ScoreOptions& options);

// The same of what these parts hold.
void complete_and_check_request(ScoreOptions& options);

// The key, from --api-key-file, the variable named by --api-key-env, or OPENAI_API_KEY; empty where there is none.
// `said` receives where it came from, without the key. Throws assay::Error where a named source is empty or missing.
[[nodiscard]] std::string api_key(const ScoreOptions& options, std::vector<std::string>& said);

// The server at `url`, with the key (see api_key) and headers. Throws assay::Error for a URL that cannot be one.
[[nodiscard]] chat::Endpoint endpoint_of(const ScoreOptions& options, const std::string& url, std::vector<std::string>& said);
[[nodiscard]] chat::Limits limits_of(const ScoreOptions& options);

// What follows "simulated:" where the URL names an embedded endpoint.
[[nodiscard]] std::optional<std::string> simulated_parameters_of(const std::string& url);

// The seeds of the run, ascending.
[[nodiscard]] std::vector<int> seed_numbers(const ScoreOptions& options);

}  // namespace assay::runners
