// Outcome: what one try at a chat completion came to.
//
// Decided from finish_reason and error objects, never from transport success alone (a body that was cut
// can look complete to the transport). The names below are the spelling in journals and reports.
#pragma once

#include <optional>
#include <string_view>

namespace assay::chat {

enum class Outcome : unsigned char {
    complete,             // finish_reason stop, and content
    truncated,            // finish_reason length, or an alias of it
    answer_in_reasoning,  // stop, content empty, reasoning not
    empty,                // stop, nothing at all
    filtered,             // content_filter
    aborted,              // the server gave the request up: abort, cancelled, or a reason nobody knows
    dropped,              // the reply ended, or never began, without a finish_reason
    server_error,         // an error object, or a status of 5xx (or 408, 409, 425, 429)
    malformed,            // bytes that are no chat completion
    timeout,              // a limit on connecting, the first byte or silence was passed
    refused,              // a status that will not change: 4xx
};

inline constexpr int outcome_count = 11;

// The name, as written in journals and reports: "complete", "answer_in_reasoning", ...
[[nodiscard]] std::string_view to_string(Outcome outcome) noexcept;

// The outcome of that name, or nothing.
[[nodiscard]] std::optional<Outcome> outcome_from_string(std::string_view name) noexcept;

// True where the reply is judged (complete, truncated, answer_in_reasoning, empty, filtered): such an
// attempt is final and never sampled again.
[[nodiscard]] bool is_scored(Outcome outcome) noexcept;

// True where another try may help. Everything that is neither scored nor refused.
[[nodiscard]] bool may_be_retried(Outcome outcome) noexcept;

}  // namespace assay::chat
