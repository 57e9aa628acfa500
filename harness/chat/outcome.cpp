#include "harness/chat/outcome.hpp"

#include <array>

namespace assay::chat {
namespace {

constexpr std::array<std::string_view, outcome_count> names{
    "complete", "truncated", "answer_in_reasoning", "empty",   "filtered", "aborted",
    "dropped",  "server_error", "malformed",        "timeout", "refused"};

}  // namespace

std::string_view to_string(Outcome outcome) noexcept {
    return names[static_cast<std::size_t>(outcome)];
}

std::optional<Outcome> outcome_from_string(std::string_view name) noexcept {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return static_cast<Outcome>(i);
    }
    return std::nullopt;
}

bool is_scored(Outcome outcome) noexcept {
    return outcome <= Outcome::filtered;
}

bool may_be_retried(Outcome outcome) noexcept {
    return !is_scored(outcome) && outcome != Outcome::refused;
}

}  // namespace assay::chat
