// What must hold of a reply: it ends as it should, its tokens are counted, thinking is apart, and the model works.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scorers/preflight/parts.hpp"

namespace assay::preflight {
namespace {

// Marks of thinking or of a chat template that a parser should have taken out.
constexpr std::array<std::string_view, 9> marks{"<think>",    "</think>",  "[THINK]",                  "[/THINK]",    "<|channel|>",
                                                "<|open|>", "<|start|>", "\xe2\x97\x81think\xe2\x96\xb7", "<|im_start|>"};
constexpr const char* parser_advice = "start the server with its reasoning parser (--reasoning-parser of SGLang and vLLM)";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// `number` as a whole number of its own.
bool holds_number(const std::string& text, int number) {
    const std::string digits = fmt::format("{}", number);
    for (std::size_t at = text.find(digits); at != std::string::npos; at = text.find(digits, at + 1)) {
        const std::size_t end = at + digits.size();
        if ((at == 0 || !is_digit(text[at - 1])) && (end == text.size() || !is_digit(text[end]))) return true;
    }
    return false;
}

std::string wrong_count(const chat::Reply& reply) {
    const chat::Usage& u = reply.usage;
    const bool has_text = !reply.content.empty() || !reply.reasoning.empty();
    if (u.completion_tokens && *u.completion_tokens < 1 && has_text) return fmt::format("{} completion tokens for a reply with text", *u.completion_tokens);
    if (u.prompt_tokens && *u.prompt_tokens < 1) return fmt::format("{} prompt tokens", *u.prompt_tokens);
    if (u.reasoning_tokens && u.completion_tokens && *u.reasoning_tokens > *u.completion_tokens) {
        return fmt::format("{} reasoning tokens of {} completion tokens", *u.reasoning_tokens, *u.completion_tokens);
    }
    return {};
}

// What cannot be true of the counts of both probes; empty: nothing.
std::string wrong_usage(const Evidence& evidence) {
    const chat::Reply* one = judged(evidence.one_token);
    const chat::Reply* sum = judged(evidence.sum);
    for (const chat::Reply* reply : {one, sum}) {
        if (reply == nullptr) continue;
        if (std::string wrong = wrong_count(*reply); !wrong.empty()) return wrong;
    }
    if (one == nullptr || sum == nullptr || !one->usage.prompt_tokens || !sum->usage.prompt_tokens) return {};
    const bool much_longer = evidence.longest_prompt_bytes > 4 * evidence.sum_prompt_bytes;
    if (!much_longer || *one->usage.prompt_tokens > *sum->usage.prompt_tokens) return {};
    return fmt::format("{} prompt tokens for a prompt of {} bytes, and {} for one of {}", *one->usage.prompt_tokens,
                       evidence.longest_prompt_bytes, *sum->usage.prompt_tokens, evidence.sum_prompt_bytes);
}

std::string text_of(const Probe& probe) {
    return probe.reply.reasoning + '\n' + probe.reply.content;
}

bool was_refused(const std::optional<Probe>& probe) {
    return probe && !probe->cut_off && probe->reply.outcome == chat::Outcome::refused;
}

}  // namespace

Finding stream_end(const Evidence& evidence) {
    const auto& probe = evidence.sum ? evidence.sum : evidence.one_token;
    const std::string advice = "look at the server's log and at what stands between: a reply that is cut would be asked again each time";
    if (!probe || probe->cut_off || probe->reply.http_status != 200) return untold(why_silent(probe), see_others);
    const chat::Reply& reply = probe->reply;
    if (reply.finish_reason.empty()) {
        return refuted(reply.done_marker ? "\"[DONE]\" came without a finish_reason" : why_silent(probe), advice);
    }
    if (!chat::is_scored(reply.outcome)) return refuted(why_silent(probe), advice);
    if (reply.done_marker) return verified(fmt::format("finish_reason {} and \"[DONE]\"", reply.finish_reason));
    return untold(reply.events == 0 ? "a whole body came where a stream was asked for" : "finish_reason came and \"[DONE]\" did not",
                  "replies are taken by their finish_reason; where some are cut, look at what stands between");
}

Finding usage(const Evidence& evidence) {
    const chat::Reply* reply = judged(evidence.sum);
    if (reply == nullptr) reply = judged(evidence.one_token);
    if (reply == nullptr) return untold(why_silent(evidence.sum ? evidence.sum : evidence.one_token), see_others);
    if (const std::string wrong = wrong_usage(evidence); !wrong.empty()) {
        return refuted("the server counts " + wrong, "do not trust the token counts of this server");
    }
    const chat::Usage& counted = reply->usage;
    if (!counted.completion_tokens || !counted.prompt_tokens) {
        return untold("the reply carries no usage", "let the server send usage in streams (stream_options.include_usage): tokens are unknown without it");
    }
    const std::string thinking = counted.reasoning_tokens ? fmt::format(" ({} of them reasoning)", *counted.reasoning_tokens) : "";
    return verified(fmt::format("{} prompt tokens and {} completion tokens{}", *counted.prompt_tokens, *counted.completion_tokens, thinking));
}

Finding reasoning(const Evidence& evidence) {
    const chat::Reply* reply = judged(evidence.sum);
    if (reply == nullptr) return untold(why_silent(evidence.sum), see_others);
    for (const std::string_view mark : marks) {
        if (reply->content.find(mark) != std::string::npos) return refuted(fmt::format("\"{}\" stands in the content", mark), parser_advice);
    }
    if (reply->reasoning_field == "<think>") {
        return refuted("thinking stands in the content, between <think> tags", fmt::format("{}; replies are split at the tags until then", parser_advice));
    }
    if (!reply->reasoning.empty()) return verified("thinking is apart, in " + reply->reasoning_field);
    const std::int64_t counted = reply->usage.reasoning_tokens.value_or(0);
    return untold(counted > 0 ? fmt::format("{} reasoning tokens were counted, and no thinking was sent", counted)
                              : "no thinking came: the model does not think here, or the server keeps it",
                  "for a model that thinks, check that thinking is on (--reasoning-effort, or chat_template_kwargs in --extra-body)");
}

Finding effort(const Evidence& evidence) {
    if (!evidence.effort) return untold("not asked: no --reasoning-effort was given", "nothing, unless the run is to send one");
    const auto& given = evidence.effort_given;
    if (was_refused(given)) {
        return refuted(fmt::format("\"{}\": {}", *evidence.effort, why_silent(given)), "give an effort that the server knows as --reasoning-effort, or none");
    }
    if (!given || (!given->cut_off && judged(given) == nullptr)) return untold(why_silent(given), see_others);
    if (was_refused(evidence.effort_wrong)) return verified(fmt::format("\"{}\" is taken, and one that does not exist is refused", *evidence.effort));
    return untold(fmt::format("\"{}\" is taken, and so is one that does not exist: it may not be read at all", *evidence.effort),
                  "compare the lengths of replies with two efforts, or look at the server's chat template");
}

Finding seed(const Evidence& evidence) {
    if (evidence.same_seed.size() < 2 || !evidence.other_seed) return untold("it was not asked", see_others);
    for (const Probe* probe : {&evidence.same_seed[0], &evidence.same_seed[1], &*evidence.other_seed}) {
        if (probe->cut_off || !chat::is_scored(probe->reply.outcome)) return untold(why_silent(*probe), see_others);
    }
    const std::string first = text_of(evidence.same_seed[0]);
    if (first != text_of(evidence.same_seed[1])) {
        return refuted("two equal requests with one seed gave different replies",
                       "none for a score: it stands, but a run cannot be repeated token by token (SGLang: --enable-deterministic-inference)");
    }
    if (first == text_of(*evidence.other_seed)) {
        return untold("replies are the same, whatever the seed", "check that sampling is on: seeds that all say the same are one sample");
    }
    return verified("two equal requests gave one reply, and another seed another");
}

Finding sum(const Evidence& evidence) {
    const chat::Reply* reply = judged(evidence.sum);
    const int product = sum_a * sum_b;
    if (was_refused(evidence.sum)) {
        return refuted(why_silent(evidence.sum), "check what is sent (--model, --extra-body, the sampling flags) against what the server says");
    }
    if (reply == nullptr) return untold(why_silent(evidence.sum), see_others);
    if (holds_number(reply->content, product)) return verified(fmt::format("{} * {} = {}", sum_a, sum_b, product));
    if (reply->content.empty() || reply->outcome != chat::Outcome::complete) {
        return untold(fmt::format("no whole answer to {} * {}: the reply ended with finish_reason {}", sum_a, sum_b, reply->finish_reason),
                      "ask it by hand, with more tokens");
    }
    return refuted(fmt::format("asked for {} * {}, and {} is not in the answer", sum_a, sum_b, product),
                   "the model or its chat template is broken, or it is a very small one: ask it by hand");
}

Finding server_facts(const Evidence& evidence) {
    if (evidence.facts.empty()) return untold("the server has no page that says what it runs", "note its version and flags yourself");
    const ListedModel* entry = entry_of(evidence);
    const auto listed = entry != nullptr ? entry->max_model_len : std::nullopt;
    if (listed && evidence.context_of_facts && *listed != *evidence.context_of_facts) {
        return refuted(fmt::format("the server's pages disagree: a context of {} and of {} tokens", *evidence.context_of_facts, *listed),
                       "check which server answers at --base-url, and with which flags");
    }
    return verified(fmt::format("{} read, listed below", evidence.facts.size()));
}

}  // namespace assay::preflight
