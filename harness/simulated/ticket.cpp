#include "harness/simulated/chat_reply.hpp"

namespace assay::simulated {

Ticket::Ticket(Counters& counters) noexcept : counters_(counters) {
    const std::int64_t now = counters_.in_flight.fetch_add(1) + 1;
    if (now > counters_.max_in_flight.load()) counters_.max_in_flight.store(now);  // the server's thread is the only writer
}

Ticket::~Ticket() {
    (counters_.*how_).fetch_add(1);
    counters_.in_flight.fetch_sub(1);
}

}  // namespace assay::simulated
