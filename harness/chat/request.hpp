// Request: one chat completion to ask for. Only what is set here is sent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::chat {

struct Message {
    std::string role;  // "system", "user", "assistant"
    std::string content;
};

enum class BudgetField : unsigned char { max_tokens, max_completion_tokens };

[[nodiscard]] constexpr const char* to_string(BudgetField field) noexcept {
    return field == BudgetField::max_tokens ? "max_tokens" : "max_completion_tokens";
}

struct Request {
    std::string model;
    std::vector<Message> messages;
    std::optional<std::int64_t> budget;  // tokens of the reply, thinking included
    BudgetField budget_field = BudgetField::max_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<std::int64_t> seed;
    std::optional<std::string> reasoning_effort;
    std::string extra_body;  // a JSON object whose keys are added last and win; empty: none
    bool stream = true;      // asks for usage with stream_options where true
};

// The JSON body, keys in a fixed order (model, messages, budget, temperature, top_p, seed,
// reasoning_effort, stream, stream_options, then the extra keys), so that equal requests have equal bytes.
// Throws assay::Error where extra_body is not a JSON object, sets the budget under its other name, or asks for more than one
// choice (`n`).
[[nodiscard]] std::string request_body(const Request& request);

}  // namespace assay::chat
