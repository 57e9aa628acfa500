#include "runners/commands/score_options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>

#include "harness/chat/client.hpp"
#include "harness/error.hpp"
#include "harness/files/read_file.hpp"
#include "runners/commands/pacing_options.hpp"
#include "runners/commands/transport_options.hpp"

namespace assay::runners {
namespace {

std::optional<std::string> environment(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return std::string(value);
}

void check_range(const char* flag, std::int64_t value, std::int64_t low, std::int64_t high) {
    if (value < low || value > high) {
        throw Error(fmt::format("{} must lie between {} and {}, and is {}", flag, low, high, value));
    }
}

void check_seconds(const char* flag, double value) {
    if (!(value > 0) || value > 1e6) throw Error(fmt::format("{} must be a number of seconds above 0, and is {}", flag, value));
}

void check_sampling(const ScoreOptions& options) {
    if (options.temperature && !(*options.temperature >= 0 && *options.temperature <= 10)) {
        throw Error(fmt::format("--temperature must lie between 0 and 10, and is {}", *options.temperature));
    }
    if (options.top_p && !(*options.top_p > 0 && *options.top_p <= 1)) {
        throw Error(fmt::format("--top-p must lie above 0 and be at most 1, and is {}", *options.top_p));
    }
}

void check_greedy_seed(const ScoreOptions& options) {
    if (options.greedy_seed) {
        const auto last = options.first_seed + options.seeds - 1;
        if (*options.greedy_seed < options.first_seed || *options.greedy_seed > last) {
            throw Error(fmt::format("--greedy-seed {} is not one of the seeds {} to {} of this run", *options.greedy_seed, options.first_seed, last));
        }
    }
}

void check_proxy(const std::string& proxy) {
    if (proxy == "env" || proxy == "none") return;
    const bool one_word = proxy.find_first_of(" \t\r\n") == std::string::npos;
    if (one_word && proxy.find("://") != std::string::npos) return;
    throw Error("--proxy takes 'env', 'none', or a URL such as http://proxy:3128");  // what was given may hold a password
}

std::string key_of_file(const std::string& path) {
    std::string key = files::read_file(path);
    while (!key.empty() && (key.back() == '\n' || key.back() == '\r' || key.back() == ' ')) key.pop_back();
    return key;
}

std::string checked_key(std::string key, const std::string& source) {
    for (const char c : key) {
        if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7f) {
            throw Error(fmt::format("the key from {} holds a space or a control character inside; a key is one word", source));
        }
    }
    return key;
}

}  // namespace

void declare_questions(ScoreOptions& options, Flags& flags) {
    flags.group("What is asked");
    flags.option("--base-url", options.base_urls,
                 "the server, up to and with /v1; 'simulated:' starts one inside (default: OPENAI_BASE_URL); "
                 "several of the same model share the requests");
    flags.option("--model", options.model, "model name to ask for (default: the only one the server lists)");
    flags.option("--dataset", options.dataset, "'sample', 'gpqa:diamond', or a file: GPQA's CSV or NeMo-Skills' JSON lines");
    declare(options.protocol, flags);
    flags.option("--limit", options.limit, "only the first N questions");
    flags.flag("--allow-ambiguous", options.allow_ambiguous, "run although a wrong choice equals the right one");
}

void declare_sampling(ScoreOptions& options, Flags& flags) {
    flags.group("Sampling");
    flags.option("--temperature", options.temperature, "sent where given");
    flags.option("--top-p", options.top_p, "sent where given");
    flags.option("--max-tokens", options.max_tokens, "budget of a reply, thinking included");
    flags.option("--budget-field", options.budget_field, "name under which the budget is sent", {"max_tokens", "max_completion_tokens"});
    flags.option("--reasoning-effort", options.reasoning_effort, "sent where given: low, medium, high, ...");
    flags.option("--extra-body", options.extra_body, "JSON object whose keys are added to every request");
}

void declare_transport(ScoreOptions& options, Flags& flags) {
    flags.group("Transport");
    flags.option("--connect-timeout", options.connect_timeout_s, "seconds to connect");
    flags.option("--first-byte-timeout", options.first_byte_timeout_s, "seconds from a request to the first byte of its reply");
    flags.option("--idle-timeout", options.idle_timeout_s, "seconds of silence within a reply");
    flags.option("--api-key-env", options.api_key_env, "environment variable that holds the key (default: OPENAI_API_KEY)");
    flags.option("--api-key-file", options.api_key_file, "file that holds the key");
    flags.option("--header", options.headers, "a further header, 'Name: value'; may be given several times");
    flags.flag("--allow-plain-http", options.allow_plain_http, "send the key over http, readable on the way, to a public host");
    flags.option("--cacert", options.cacert, "PEM file of the authorities that the server's TLS certificate is checked against");
    flags.flag("--insecure", options.insecure, "do not check TLS certificates; the report says so");
    flags.option("--proxy", options.proxy, "'env' (http_proxy, https_proxy, all_proxy, no_proxy), 'none', or a URL");
    flags.flag("--reuse-connections", options.reuse_connections, "keep connections for later requests, none idle for more than 3 s");
    flags.flag("--http2", options.http2, "HTTP/2 where an https server offers it; requests then share connections");
    flags.flag("--accept-done-without-finish", options.accept_done_without_finish,
               "take text that ends in [DONE] for complete where the server never sends a finish_reason");
}

void declare(ScoreOptions& options, Flags& flags) {
    declare_questions(options, flags);
    flags.option("--extractor", options.extractor, "read letters with another extractor than the protocol's");

    declare_sampling(options, flags);
    flags.option("--seeds", options.seeds, "replies a question");
    flags.option("--first-seed", options.first_seed, "number of the first seed");
    flags.option("--greedy-seed", options.greedy_seed, "this seed is asked with temperature 0 (off unless given)");

    declare_transport(options, flags);
    declare_pacing(options, flags);
    flags.option("--max-retries", options.max_retries, "tries after the first, for failures of any kind");
    flags.option("--checkpoint", options.checkpoint,
                 "report on the weights that are served: JSON of `assay audit`, or assay-cast.json; their fingerprint goes on record with what the server says it loaded");
    flags.flag("--skip-preflight", options.skip_preflight, "start without asking the server whether it can do what the run needs");

    flags.group("Stopping early, looked at after whole seeds only");
    flags.option("--stop-when", options.stop_when,
                 "'this-test<=0.7': the interval for this test is at most that many points to either side; or gate-decided, with the next two");
    flags.option("--gate", options.gate, "with --stop-when gate-decided: the margin in points by which this run may be worse; ends 0 PASS, 1 FAIL, 3 INCONCLUSIVE");
    flags.option("--reference", options.reference, "with --stop-when gate-decided: folder of the run that this one is to match");

    flags.group("Output");
    flags.option("--out", options.out, "folder of the run; the same folder again continues it");
    flags.option("--format", options.format, "report on stdout", {"text", "json"});
    flags.option("--fail-under", options.fail_under, "end 1 where pass@1 is below this many percent");
    flags.flag("--dry-run", options.dry_run, "print the plan, the first request and their number; send nothing");
    flags.flag("--quiet", options.quiet, "no progress, no report on stdout in text form");
}

void complete_and_check_request(ScoreOptions& options) {
    if (options.base_urls.empty()) {
        if (const auto url = environment("OPENAI_BASE_URL")) {
            options.base_urls.push_back(*url);
            options.from_environment.push_back("base url from OPENAI_BASE_URL");
        }
    }
    if (options.base_urls.empty()) {
        throw Error("no server is named: give --base-url http://host:port/v1, or --base-url simulated: for the embedded one");
    }
    if (options.dataset.empty()) throw Error("no questions are named: give --dataset sample, gpqa:diamond, or a file");
    check_range("--max-tokens", options.max_tokens, 1, 1'000'000'000);
    if (options.limit) check_range("--limit", *options.limit, 1, 1'000'000'000);
    check_seconds("--connect-timeout", options.connect_timeout_s);
    check_seconds("--first-byte-timeout", options.first_byte_timeout_s);
    check_seconds("--idle-timeout", options.idle_timeout_s);
    chat::check_headers(options.headers);
    check_proxy(options.proxy);
    if (options.api_key_env && options.api_key_file) throw Error("--api-key-env and --api-key-file were both given; one key is enough");
    check_sampling(options);
}

void complete_and_check(ScoreOptions& options) {
    complete_and_check_request(options);
    if (options.out.empty() && !options.dry_run) throw Error("no place for the run is named: give --out FOLDER");
    check_range("--seeds", options.seeds, 1, 100'000);
    check_range("--first-seed", options.first_seed, 0, 1'000'000'000);
    check_pacing(options);
    check_range("--max-retries", options.max_retries, 0, 1'000);
    if (options.fail_under && !(*options.fail_under >= 0 && *options.fail_under <= 100)) {
        throw Error(fmt::format("--fail-under is in percent, between 0 and 100, and is {}", *options.fail_under));
    }
    check_greedy_seed(options);
}

std::string api_key(const ScoreOptions& options, std::vector<std::string>& said) {
    if (options.api_key_file) {
        said.push_back(fmt::format("key from the file {}", *options.api_key_file));
        std::string key = key_of_file(*options.api_key_file);
        if (key.empty()) throw Error(fmt::format("--api-key-file {} is empty", *options.api_key_file));
        return checked_key(std::move(key), *options.api_key_file);
    }
    const std::string name = options.api_key_env.value_or("OPENAI_API_KEY");
    const auto key = environment(name);
    if (!key) {
        if (options.api_key_env) throw Error(fmt::format("--api-key-env names {}, which is not set", name));
        return {};
    }
    said.push_back(fmt::format("key from {}", name));
    return checked_key(*key, name);
}

chat::Endpoint endpoint_of(const ScoreOptions& options, const std::string& url, std::vector<std::string>& said) {
    chat::Endpoint endpoint;
    endpoint.base_url = chat::checked_base_url(url);
    endpoint.api_key = api_key(options, said);
    endpoint.headers = options.headers;
    set_transport(options, endpoint);
    return endpoint;
}

chat::Limits limits_of(const ScoreOptions& options) {
    const auto ms = [](double seconds) { return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000)); };
    chat::Limits limits;
    limits.connect = ms(options.connect_timeout_s);
    limits.first_byte = ms(options.first_byte_timeout_s);
    limits.silence = ms(options.idle_timeout_s);
    limits.accept_done_without_finish = options.accept_done_without_finish;
    return limits;
}

std::optional<std::string> simulated_parameters_of(const std::string& url) {
    constexpr std::string_view scheme = "simulated:";
    if (!url.starts_with(scheme)) return std::nullopt;
    return url.substr(scheme.size());
}

std::vector<int> seed_numbers(const ScoreOptions& options) {
    std::vector<int> seeds(static_cast<std::size_t>(options.seeds));
    std::iota(seeds.begin(), seeds.end(), static_cast<int>(options.first_seed));
    return seeds;
}

}  // namespace assay::runners
