#include <fmt/format.h>

#include <iterator>

#include "harness/simulated/chat_exchange.hpp"
#include "harness/simulated/response_head.hpp"

namespace assay::simulated {
namespace {

using loop::Clock;

class WholeExchange final : public ChatExchange {
public:
    explicit WholeExchange(ChatReply reply) : ChatExchange(std::move(reply)) {}

    Progress produce(Clock::time_point now, std::size_t, std::string& out) override {
        look_at_the_crowd(now);
        const Clock::time_point due = due_of_token(reply_.script.tokens() - 1);
        if (now < due) return {Progress::State::waiting, due};
        std::string body = reply_.wire->whole(reply_.head, reply_.script, reply_.tokens);
        const std::size_t whole = body.size();
        append_head(out, 200, "application/json", keep_alive());
        const Ending ending = pass(body, {0, 0, EventKind::whole});
        const std::size_t promised = ending == Ending::none ? body.size() : whole;
        fmt::format_to(std::back_inserter(out), "content-length: {}\r\n\r\n", promised);
        out += body;
        count_tokens(reply_.script.tokens());
        return {state_after(ending), {}};
    }
};

}  // namespace

std::unique_ptr<Exchange> whole_reply(ChatReply reply) {
    return std::make_unique<WholeExchange>(std::move(reply));
}

}  // namespace assay::simulated
