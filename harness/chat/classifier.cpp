#include "harness/chat/classifier.hpp"

#include <algorithm>
#include <array>

namespace assay::chat {
namespace {

struct Alias {
    std::string_view name;  // lower case
    Finish finish;
};

constexpr std::array<Alias, 8> aliases{{{"stop", Finish::stop},
                                        {"tool_calls", Finish::stop},
                                        {"function_call", Finish::stop},
                                        {"length", Finish::length},
                                        {"max_tokens", Finish::length},
                                        {"model_length", Finish::length},
                                        {"max_output_tokens", Finish::length},
                                        {"content_filter", Finish::filtered}}};

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; });
}

Outcome of_finish(const Facts& facts, Finish finish) {
    switch (finish) {
        case Finish::length: return Outcome::truncated;
        case Finish::filtered: return Outcome::filtered;
        case Finish::aborted: return Outcome::aborted;
        case Finish::stop:
        case Finish::none: break;
    }
    if (facts.has_content) return Outcome::complete;
    return facts.has_reasoning ? Outcome::answer_in_reasoning : Outcome::empty;
}

Outcome of_status(const Facts& facts) {
    return is_transient_status(facts.http_status) || facts.transient_words ? Outcome::server_error : Outcome::refused;
}

Outcome without_finish(const Facts& facts) {
    if (facts.limit_passed) return Outcome::timeout;
    if (facts.body_cut) return Outcome::dropped;
    const bool not_a_completion = facts.whole_body || facts.foreign_bytes;
    return facts.any_bytes && not_a_completion ? Outcome::malformed : Outcome::dropped;
}

}  // namespace

Finish finish_from(std::string_view finish_reason) noexcept {
    if (finish_reason.empty()) return Finish::none;
    for (const Alias& alias : aliases) {
        if (equal_ignoring_case(finish_reason, alias.name)) return alias.finish;
    }
    return Finish::aborted;
}

bool is_transient_status(long http_status) noexcept {
    return http_status == 408 || http_status == 409 || http_status == 425 || http_status == 429 || http_status == 460 ||
           http_status == 499 || http_status >= 500;
}

Outcome classify(const Facts& facts) noexcept {
    if (facts.http_status < 200) return facts.limit_passed ? Outcome::timeout : Outcome::dropped;
    if (facts.http_status >= 300) return of_status(facts);
    if (facts.error_seen) return Outcome::server_error;
    if (facts.malformed_seen) return Outcome::malformed;
    const Finish finish = finish_from(facts.finish_reason);
    if (finish == Finish::none && facts.done_accepted && facts.has_content) return Outcome::complete;
    return finish == Finish::none ? without_finish(facts) : of_finish(facts, finish);
}

}  // namespace assay::chat
