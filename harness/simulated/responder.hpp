// Responder: decides what a simulated model says. The server decides how it goes over the wire.
#pragma once

#include <chrono>
#include <cstdint>

#include "harness/simulated/chat_call.hpp"
#include "harness/simulated/text.hpp"

namespace assay::simulated {

enum class Finish : unsigned char { stop, length };

// One reply, before it is sent.
struct Script {
    Text reasoning;  // thinking; no tokens: none
    Text content;
    Finish finish = Finish::stop;
    std::chrono::nanoseconds first_token{0};  // from the request's arrival to the first token
    double tokens_per_second = 100;           // > 0; token i is due at first_token + i / tokens_per_second

    [[nodiscard]] std::int64_t tokens() const noexcept { return reasoning.tokens() + content.tokens(); }
};

// Cuts a script where its budget ends, thinking first, and says so in `finish`.
inline void stop_at_budget(Script& script, std::int64_t budget) noexcept {
    if (script.tokens() <= budget) return;
    script.reasoning.cut_to(budget);
    script.content.cut_to(budget - script.reasoning.tokens());
    script.finish = Finish::length;
}

class Responder {
public:
    virtual ~Responder() = default;
    // The whole reply to a call that was found in order; the server cuts it at the budget.
    // Threads: called on the server's.
    [[nodiscard]] virtual Script answer(const ChatCall& call) const = 0;
};

}  // namespace assay::simulated
