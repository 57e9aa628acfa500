#include "runners/commands/score_options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>

#include "harness/error.hpp"
#include "harness/files/read_file.hpp"

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
    if (options.greedy_seed) {
        const auto last = options.first_seed + options.seeds - 1;
        if (*options.greedy_seed < options.first_seed || *options.greedy_seed > last) {
            throw Error(fmt::format("--greedy-seed {} is not one of the seeds {} to {} of this run", *options.greedy_seed, options.first_seed, last));
        }
    }
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

void declare(ScoreOptions& options, Flags& flags) {
    flags.group("What is asked");
    flags.option("--base-url", options.base_urls,
                 "the server, up to and with /v1; 'simulated:' starts one inside (default: OPENAI_BASE_URL)");
    flags.option("--model", options.model, "model name to ask for (default: the only one the server lists)");
    flags.option("--dataset", options.dataset, "'sample', 'gpqa:diamond', or a file: GPQA's CSV or NeMo-Skills' JSON lines");
    flags.option("--protocol", options.protocol, "prompt, choice order and extractor that belong together");
    flags.option("--extractor", options.extractor, "read letters with another extractor than the protocol's");
    flags.option("--limit", options.limit, "only the first N questions");
    flags.flag("--allow-ambiguous", options.allow_ambiguous, "run although a wrong choice equals the right one");

    flags.group("Sampling");
    flags.option("--seeds", options.seeds, "replies a question");
    flags.option("--first-seed", options.first_seed, "number of the first seed");
    flags.option("--greedy-seed", options.greedy_seed, "this seed is asked with temperature 0 (off unless given)");
    flags.option("--temperature", options.temperature, "sent where given");
    flags.option("--top-p", options.top_p, "sent where given");
    flags.option("--max-tokens", options.max_tokens, "budget of a reply, thinking included");
    flags.option("--budget-field", options.budget_field, "name under which the budget is sent", {"max_tokens", "max_completion_tokens"});
    flags.option("--reasoning-effort", options.reasoning_effort, "sent where given: low, medium, high, ...");
    flags.option("--extra-body", options.extra_body, "JSON object whose keys are added to every request");

    flags.group("Transport");
    flags.option("--concurrency,--max-connections", options.concurrency, "requests in flight");
    flags.option("--max-retries", options.max_retries, "tries after the first, for failures of any kind");
    flags.option("--connect-timeout", options.connect_timeout_s, "seconds to connect");
    flags.option("--first-byte-timeout", options.first_byte_timeout_s, "seconds from a request to the first byte of its reply");
    flags.option("--idle-timeout", options.idle_timeout_s, "seconds of silence within a reply");
    flags.option("--api-key-env", options.api_key_env, "environment variable that holds the key (default: OPENAI_API_KEY)");
    flags.option("--api-key-file", options.api_key_file, "file that holds the key");
    flags.option("--header", options.headers, "a further header, 'Name: value'; may be given several times");

    flags.group("Output");
    flags.option("--out", options.out, "folder of the run; the same folder again continues it");
    flags.option("--format", options.format, "report on stdout", {"text", "json"});
    flags.option("--fail-under", options.fail_under, "end 1 where pass@1 is below this many percent");
    flags.flag("--dry-run", options.dry_run, "print the plan, the first request and their number; send nothing");
    flags.flag("--quiet", options.quiet, "no progress, no report on stdout in text form");
}

void complete_and_check(ScoreOptions& options) {
    if (options.base_urls.empty()) {
        if (const auto url = environment("OPENAI_BASE_URL")) {
            options.base_urls.push_back(*url);
            options.from_environment.push_back("base url from OPENAI_BASE_URL");
        }
    }
    if (options.base_urls.empty()) {
        throw Error("no server is named: give --base-url http://host:port/v1, or --base-url simulated: for the embedded one");
    }
    if (options.base_urls.size() > 1) throw Error("one --base-url is expected, and several were given");
    if (options.dataset.empty()) throw Error("no questions are named: give --dataset sample, gpqa:diamond, or a file");
    if (options.out.empty() && !options.dry_run) throw Error("no place for the run is named: give --out FOLDER");

    check_range("--seeds", options.seeds, 1, 100'000);
    check_range("--first-seed", options.first_seed, 0, 1'000'000'000);
    check_range("--max-tokens", options.max_tokens, 1, 1'000'000'000);
    check_range("--concurrency", options.concurrency, 1, 65'536);
    check_range("--max-retries", options.max_retries, 0, 1'000);
    if (options.limit) check_range("--limit", *options.limit, 1, 1'000'000'000);
    check_seconds("--connect-timeout", options.connect_timeout_s);
    check_seconds("--first-byte-timeout", options.first_byte_timeout_s);
    check_seconds("--idle-timeout", options.idle_timeout_s);
    if (options.fail_under && !(*options.fail_under >= 0 && *options.fail_under <= 100)) {
        throw Error(fmt::format("--fail-under is in percent, between 0 and 100, and is {}", *options.fail_under));
    }
    if (options.api_key_env && options.api_key_file) throw Error("--api-key-env and --api-key-file were both given; one key is enough");
    check_sampling(options);
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

std::vector<int> seed_numbers(const ScoreOptions& options) {
    std::vector<int> seeds(static_cast<std::size_t>(options.seeds));
    std::iota(seeds.begin(), seeds.end(), static_cast<int>(options.first_seed));
    return seeds;
}

}  // namespace assay::runners
