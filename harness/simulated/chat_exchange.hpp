// ChatExchange: what a streamed reply and a whole one have in common: when a token is due, the behaviors that a piece of
// it passes, and what is counted.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/simulated/chat_reply.hpp"

namespace assay::simulated {

class ChatExchange : public Exchange {
public:
    explicit ChatExchange(ChatReply reply) : Exchange(reply.keep_alive), reply_(std::move(reply)) {}
    void delivered() override {
        if (!cut_) reply_.ticket->end(&Counters::completed);
    }
    [[nodiscard]] const Sending& sending() const noexcept override { return reply_.sending; }

protected:
    // Runs the deliveries over one piece: what is to become of the connection behind it.
    Ending pass(std::string& bytes, Place place) {
        for (const auto& delivery : reply_.deliveries) {
            const Ending ending = delivery->pass(bytes, place);
            if (ending == Ending::none) continue;
            cut();
            return ending;
        }
        return Ending::none;
    }

    void cut() {
        cut_ = true;
        reply_.ticket->end(&Counters::cut);
    }

    [[nodiscard]] loop::Clock::time_point due_of_token(std::int64_t token) const {
        const double after = reply_.token_ns * static_cast<double>(std::max<std::int64_t>(token, 0));
        if (begun_) return reply_.crowd->when(*begun_ + Crowd::Work(after));
        return reply_.first_due + std::chrono::duration_cast<loop::Clock::duration>(std::chrono::duration<double, std::nano>(after));
    }

    // Before anything is asked for the time when it is due.
    void look_at_the_crowd(loop::Clock::time_point now) {
        if (reply_.crowd == nullptr) return;
        reply_.crowd->advance(now, reply_.ticket->counters().in_flight.load(std::memory_order_relaxed), *reply_.sending.full_speed_up_to);
        if (!begun_ && now >= reply_.first_due) begun_ = reply_.crowd->done();
    }

    void count_tokens(std::int64_t tokens) { reply_.ticket->counters().tokens.fetch_add(tokens, std::memory_order_relaxed); }

    ChatReply reply_;

private:
    bool cut_ = false;
    std::optional<Crowd::Work> begun_;  // the crowd's when the first token was due
};

}  // namespace assay::simulated
