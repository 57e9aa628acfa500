#include "runners/drivers/preflight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "runners/drivers/discovery.hpp"
#include "runners/drivers/server_pages.hpp"

namespace assay::runners {
namespace {

using preflight::Evidence;
using preflight::Probe;

constexpr std::chrono::milliseconds look_every{20};
constexpr std::int64_t too_many_events = 64;       // of text, for a budget of 1
constexpr std::int64_t sum_budget = 8192;          // tokens, thinking included
constexpr std::int64_t sampled_budget = 48;
constexpr const char* no_such_effort = "assay-none-such";

std::size_t bytes_of(const chat::Request& request) {
    return std::accumulate(request.messages.begin(), request.messages.end(), std::size_t{0},
                           [](std::size_t sum, const chat::Message& message) { return sum + message.content.size(); });
}

// One completion on a client of its own, so that ending it closes its connection.
class Prober {
public:
    Prober(const PreflightJob& job, std::int64_t most_events) : job_(job), most_events_(most_events), client_(loop_, job.endpoint, job.limits) {}

    Probe ask(const chat::Request& request) {
        client_.send(chat::request_body(request), request.stream, [this](chat::Reply reply) {
            probe_.reply = std::move(reply);
            loop_.stop();
        });
        until_ = loop::Clock::now() + job_.limit;
        look();
        loop_.run();
        probe_.text_events = client_.traffic().text_events;
        return std::move(probe_);
    }

private:
    void look() {
        probe_.cut_off = loop::Clock::now() >= until_ || client_.traffic().text_events >= most_events_;
        if (probe_.cut_off) return loop_.stop();
        loop_.after(look_every, [this] { look(); });
    }

    const PreflightJob& job_;
    std::int64_t most_events_;
    loop::EventLoop loop_;
    chat::Client client_;
    loop::Clock::time_point until_{};
    Probe probe_;
};

constexpr std::int64_t any_number = INT64_MAX;

Probe ask(const PreflightJob& job, const chat::Request& request, std::int64_t most_events = any_number) {
    return Prober(job, most_events).ask(request);
}

chat::Request plain(const PreflightJob& job) {
    chat::Request request = job.longest;
    request.reasoning_effort.reset();  // has a probe of its own
    return request;
}

chat::Request with_words(const PreflightJob& job, const std::string& words, std::int64_t budget) {
    chat::Request request = plain(job);
    request.messages = {{"user", words}};
    request.budget = std::min(request.budget.value_or(budget), budget);
    return request;
}

chat::Request with_effort(const PreflightJob& job, const std::string& effort) {
    chat::Request request = with_words(job, "Say yes.", 1);
    request.reasoning_effort = effort;
    return request;
}

void ask_for_seeds(const PreflightJob& job, Evidence& evidence) {
    chat::Request request = with_words(job, "Make up a name for a planet, and tell its story in a few lines.", sampled_budget);
    if (!request.temperature || *request.temperature == 0) request.temperature = 1.0;
    request.seed = 1;
    evidence.same_seed = {ask(job, request), ask(job, request)};
    request.seed = 2;
    evidence.other_seed = ask(job, request);
}

void ask_for_effort(const PreflightJob& job, Evidence& evidence) {
    evidence.effort = job.longest.reasoning_effort;
    if (!evidence.effort) return;
    evidence.effort_given = ask(job, with_effort(job, *evidence.effort), too_many_events);
    evidence.effort_wrong = ask(job, with_effort(job, no_such_effort), too_many_events);
}

}  // namespace

const chat::Request& longest_of(const std::vector<chat::Request>& requests) {
    return *std::max_element(requests.begin(), requests.end(), [](const auto& a, const auto& b) { return bytes_of(a) < bytes_of(b); });
}

Evidence probe_before_run(const PreflightJob& job) {
    Evidence evidence;
    evidence.model = job.longest.model;
    evidence.budget = job.longest.budget.value_or(0);
    evidence.budget_field = to_string(job.longest.budget_field);
    evidence.longest_prompt_bytes = bytes_of(job.longest);
    evidence.listing = discover(job.endpoint, job.limits);
    if (evidence.listing.http_status == 0) return evidence;
    ServerPages pages = ask_server_pages(job.endpoint, job.limits);
    evidence.facts = std::move(pages.facts);
    evidence.context_of_facts = pages.context;

    chat::Request request = plain(job);
    request.budget = 1;
    evidence.one_token = ask(job, request, too_many_events);
    return evidence;
}

Evidence probe_all(const PreflightJob& job) {
    Evidence evidence = probe_before_run(job);
    if (evidence.listing.http_status == 0) return evidence;
    evidence.whole_budget = ask(job, plain(job), 1);
    const chat::Request sum = with_words(job, fmt::format("What is {} * {}? Give the number.", preflight::sum_a, preflight::sum_b), sum_budget);
    evidence.sum_prompt_bytes = bytes_of(sum);
    evidence.sum = ask(job, sum);
    ask_for_seeds(job, evidence);
    ask_for_effort(job, evidence);
    return evidence;
}

}  // namespace assay::runners
