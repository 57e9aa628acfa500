#include "runners/commands/pacing_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/error.hpp"
#include "harness/http/descriptor_limit.hpp"

namespace assay::runners {
namespace {

void check_rate(const char* flag, const std::optional<double>& value) {
    if (value && !(*value > 0 && *value <= 1e12)) throw Error(fmt::format("{} must be a number above 0, and is {}", flag, *value));
}

}  // namespace

void declare_pacing(ScoreOptions& options, Flags& flags) {
    flags.option("--concurrency,--max-connections", options.concurrency, "requests in flight; 'auto' finds how many each server takes");
    flags.option("--requests-per-minute", options.requests_per_minute, "send no more than so many requests");
    flags.option("--tokens-per-minute", options.tokens_per_minute,
                 "send no more than takes so many tokens, of prompts and replies; one that is not answered yet is reckoned at the mean of "
                 "those that are, and at --max-tokens while none is");
    flags.option("--text-budget", options.text_budget_mib, "MiB for the text of replies in flight and not yet on disk; requests wait before it is reached");
}

void check_pacing(const ScoreOptions& options) {
    const auto fixed = fixed_concurrency(options);
    if (fixed && (*fixed < 1 || *fixed > 65'536)) throw Error(fmt::format("--concurrency must be 'auto' or lie between 1 and 65536, and is {}", *fixed));
    check_rate("--requests-per-minute", options.requests_per_minute);
    check_rate("--tokens-per-minute", options.tokens_per_minute);
    if (options.text_budget_mib < 1 || options.text_budget_mib > 1 << 20) {
        throw Error(fmt::format("--text-budget must lie between 1 and {} MiB, and is {}", 1 << 20, options.text_budget_mib));
    }
}

std::optional<std::int64_t> fixed_concurrency(const ScoreOptions& options) {
    const std::string& text = options.concurrency;
    if (text == "auto") return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw Error(fmt::format("--concurrency takes a whole number or 'auto', and is '{}'", text));
    }
    return number;
}

std::int64_t most_in_flight(const ScoreOptions& options) {
    const std::int64_t fits = http::transfers_that_fit(http::raise_descriptor_limit());
    const auto fixed = fixed_concurrency(options);
    if (!fixed) return std::clamp<std::int64_t>(fits / static_cast<std::int64_t>(options.base_urls.size()), 1, most_automatic);
    if (*fixed > fits) {
        throw Error(fmt::format("--concurrency {} needs more open files than this process may have (room for {}): raise `ulimit -n` or lower it",
                                *fixed, fits));
    }
    return *fixed;
}

std::string pacing_text(const ScoreOptions& options) {
    const auto fixed = fixed_concurrency(options);
    std::string text = fixed ? fmt::format("{} requests in flight", *fixed)
                             : fmt::format("as many requests in flight as each server takes, up to {}", most_automatic);
    if (options.requests_per_minute) text += fmt::format(", at most {} requests a minute", *options.requests_per_minute);
    if (options.tokens_per_minute) text += fmt::format(", at most {} tokens a minute", *options.tokens_per_minute);
    return text + fmt::format(", {} MiB for text", options.text_budget_mib);
}

void note_pacing(const ScoreOptions& options, std::int64_t most, runs::RunInfo& info) {
    info.concurrency = static_cast<int>(most);
    info.automatic = !fixed_concurrency(options);
    info.requests_per_minute = options.requests_per_minute;
    info.tokens_per_minute = options.tokens_per_minute;
}

void set_pacing(const ScoreOptions& options, std::int64_t most, Drive& job) {
    job.settings.concurrency = fixed_concurrency(options);
    if (!job.settings.concurrency) {
        job.lanes.automatic.emplace();
        job.lanes.automatic->most = most;
    }
    job.settings.rates = {options.requests_per_minute, options.tokens_per_minute};
    job.settings.tokens_expected = options.max_tokens;
    job.settings.text_budget_bytes = options.text_budget_mib << 20;
}

}  // namespace assay::runners
