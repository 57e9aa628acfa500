// ChatReply: a chat completion that was accepted, to be streamed or sent whole.
//
// Threads: the server's only.
#pragma once

#include <memory>
#include <vector>

#include "harness/loop/event_loop.hpp"
#include "harness/simulated/behavior.hpp"
#include "harness/simulated/counters.hpp"
#include "harness/simulated/crowd.hpp"
#include "harness/simulated/exchange.hpp"
#include "harness/simulated/wire.hpp"

namespace assay::simulated {

// Counts one chat completion as in flight while it lives, and how it ended. Starts as dropped.
class Ticket {
public:
    explicit Ticket(Counters& counters) noexcept;
    ~Ticket();
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    void end(Counters::Count Counters::*how) noexcept { how_ = how; }
    [[nodiscard]] Counters& counters() noexcept { return counters_; }

private:
    Counters& counters_;
    Counters::Count Counters::*how_ = &Counters::dropped;
};

// All that a chat completion needs once it was accepted.
struct ChatReply {
    const Wire* wire = nullptr;  // outlives the exchange
    ReplyHead head;
    Script script;
    TokenCounts tokens;
    bool sends_usage = false;
    bool keep_alive = true;
    Sending sending;                     // framing close for an HTTP/1.0 client
    loop::Clock::time_point arrived;
    loop::Clock::time_point first_due;   // of the first token
    double token_ns = 0;                 // between two tokens, at full speed
    Crowd* crowd = nullptr;              // where all replies share the speed of sending.full_speed_up_to; outlives the exchange
    std::vector<std::unique_ptr<Delivery>> deliveries;
    std::unique_ptr<Ticket> ticket;
};
[[nodiscard]] std::unique_ptr<Exchange> stream_reply(ChatReply reply);
[[nodiscard]] std::unique_ptr<Exchange> whole_reply(ChatReply reply);

}  // namespace assay::simulated
