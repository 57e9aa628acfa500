// What must hold before anything is asked: the server is there, has the model, has room, and heeds the budget.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scorers/preflight/parts.hpp"

namespace assay::preflight {
namespace {

constexpr std::size_t most_listed = 5;  // model names in a message
constexpr const char* see_start = "check --model against what the server was started with";
constexpr const char* context_rule =
    "the context that the server was started with must be larger than the longest prompt and the budget together";

std::string names_of(const Listing& listing) {
    std::string text;
    const std::size_t shown = std::min(listing.models.size(), most_listed);
    for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + listing.models[i].id;
    if (listing.models.size() > shown) text += fmt::format(" and {} more", listing.models.size() - shown);
    return text;
}

bool contains(std::string text, std::string_view part) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text.find(part) != std::string::npos;
}

bool was_refused(const std::optional<Probe>& probe) {
    return probe && !probe->cut_off && probe->reply.outcome == chat::Outcome::refused;
}

std::string answer_of(const chat::Reply& reply) {
    return fmt::format("the server answered {}: {}", reply.http_status, reply.error);
}

bool speaks_of_context(const chat::Reply& reply) {
    constexpr std::array<std::string_view, 3> parts{"context", "longer than", "token limit"};
    return reply.http_status == 413 ||
           std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return contains(reply.error, part); });
}

struct Room {
    std::optional<std::int64_t> context;  // tokens of prompt and reply together
    std::optional<std::int64_t> prompt;
    bool exact_fit_refused = false;  // SGLang takes prompt + budget < context only
};

Room room_of(const Evidence& evidence) {
    Room room;
    const ListedModel* entry = entry_of(evidence);
    room.context = evidence.context_of_facts;
    if (entry != nullptr && entry->max_model_len) room.context = entry->max_model_len;
    room.exact_fit_refused = entry != nullptr && entry->owned_by == "sglang";
    if (const chat::Reply* reply = judged(evidence.one_token)) room.prompt = reply->usage.prompt_tokens;
    return room;
}

std::string smaller_budget(const Room& room) {
    if (!room.context || !room.prompt || *room.context - *room.prompt < 2) return "give a smaller --max-tokens";
    return fmt::format("give --max-tokens {} at most", *room.context - *room.prompt - 1);
}

Finding too_small(const Evidence& evidence, const Room& room, std::string found) {
    std::string more = "a longer context";
    if (room.prompt) more = fmt::format("a context of {} tokens or more", *room.prompt + evidence.budget + 1);
    return refuted(std::move(found), fmt::format("{}, or start the server with {}", smaller_budget(room), more));
}

// The request with the whole budget was answered as if there were room.
bool was_taken(const std::optional<Probe>& probe) {
    return probe && (probe->cut_off || chat::is_scored(probe->reply.outcome));
}

// Both numbers are known and the sum does not exceed the context.
Finding with_room(const Evidence& evidence, const Room& room) {
    const std::int64_t needed = *room.prompt + evidence.budget;
    const std::string filled = fmt::format("the longest prompt ({} tokens) and the budget fill the context of {} exactly, which ",
                                           *room.prompt, *room.context);
    if (needed == *room.context && room.exact_fit_refused) return too_small(evidence, room, filled + "SGLang refuses");
    if (was_refused(evidence.whole_budget)) {
        return untold("a request with the whole budget says nothing: " + why_silent(evidence.whole_budget), see_others);
    }
    const bool taken = was_taken(evidence.whole_budget);
    if (needed == *room.context && !taken) return untold(filled + "some servers refuse", smaller_budget(room));
    return verified(fmt::format("{} of prompt at most + {} of budget = {} of {} tokens{}", *room.prompt, evidence.budget, needed,
                                *room.context, taken ? ", and such a request was taken" : ""));
}

}  // namespace

Finding reachable(const Evidence& evidence) {
    const Listing& listing = evidence.listing;
    if (listing.http_status == 401 || listing.http_status == 403) {
        return refuted(fmt::format("the server answered {}", listing.http_status),
                       "check the key (OPENAI_API_KEY, --api-key-env or --api-key-file)");
    }
    if (judged(evidence.one_token) != nullptr) return verified("a chat completion was answered");
    if (listing.http_status == 503) return untold("the server answered 503: it is starting, full, or going down", "try again once it is up");
    if (listing.http_status != 0) return verified(fmt::format("HTTP answers, with {}", listing.http_status));
    if (listing.timed_out) return untold(listing.error, "check that the server is up, and what stands between");
    return refuted(listing.error, "check --base-url, that the server is up, and that it speaks HTTP");
}

Finding model_listed(const Evidence& evidence) {
    const Listing& listing = evidence.listing;
    if (!listing.error.empty()) return untold(listing.error, see_start);
    if (entry_of(evidence) != nullptr) return verified(evidence.model);
    if (listing.models.empty()) return untold("the list of models is empty", see_start);
    return refuted(fmt::format("the server lists {}, and not {}", names_of(listing), evidence.model),
                   "give one of these as --model: another name may be answered by any model");
}

Finding context(const Evidence& evidence) {
    const Room room = room_of(evidence);
    for (const auto* probe : {&evidence.whole_budget, &evidence.one_token}) {
        if (was_refused(*probe) && speaks_of_context((*probe)->reply)) return too_small(evidence, room, answer_of((*probe)->reply));
    }
    if (room.context && room.prompt.value_or(1) + evidence.budget > *room.context) {
        const std::string prompt = room.prompt ? fmt::format(" ({} tokens)", *room.prompt) : "";
        return too_small(evidence, room, fmt::format("the longest prompt{} and a budget of {} need more than the {} tokens of the context",
                                                     prompt, evidence.budget, *room.context));
    }
    if (!room.context) {
        const char* taken = was_taken(evidence.whole_budget)
                                ? "; a request with the whole budget was taken, as a server that cuts in silence does too" : "";
        return untold(std::string("the server does not say how long its context is") + taken, context_rule);
    }
    if (!room.prompt) {
        const bool answered = judged(evidence.one_token) != nullptr;
        return untold("the tokens of the longest prompt are not known: " + (answered ? "the reply carries no usage" : why_silent(evidence.one_token)),
                      context_rule);
    }
    return with_room(evidence, room);
}

Finding budget_field(const Evidence& evidence) {
    const bool is_old = evidence.budget_field == "max_tokens";
    const std::string advice = fmt::format("try --budget-field {}", is_old ? "max_completion_tokens" : "max_tokens");
    const std::string sent = fmt::format("a budget of 1 was sent as {}, and ", evidence.budget_field);
    const auto& probe = evidence.one_token;
    if (probe && probe->cut_off && probe->text_events > 1) {
        return refuted(sent + fmt::format("the reply went on for {} pieces of text and more", probe->text_events), advice);
    }
    if (was_refused(probe) && contains(probe->reply.error, evidence.budget_field)) return refuted(answer_of(probe->reply), advice);
    const chat::Reply* reply = judged(probe);
    if (reply == nullptr) return untold(why_silent(probe), see_others);
    const auto tokens = reply->usage.completion_tokens;
    const std::string ended = "finish_reason " + reply->finish_reason;
    if (tokens && *tokens > 1) return refuted(sent + fmt::format("{} tokens came, with {}", *tokens, ended), advice);
    if (reply->outcome != chat::Outcome::truncated) {
        const std::string found = sent + "the reply ended with " + ended;
        return !tokens && probe->text_events > 1 ? refuted(found, advice) : untold(found, advice);
    }
    if (!tokens) return untold(sent + "the reply ended with " + ended + "; the server does not count its tokens", "see the check of usage");
    return verified(fmt::format("{} 1 gave {} token and {}", evidence.budget_field, *tokens, ended));
}

}  // namespace assay::preflight
