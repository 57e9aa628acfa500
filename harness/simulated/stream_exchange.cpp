#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/simulated/chat_exchange.hpp"
#include "harness/simulated/response_head.hpp"

namespace assay::simulated {
namespace {

using loop::Clock;

// Events: role, one a token, finish, usage where asked for, [DONE].
class StreamExchange final : public ChatExchange {
public:
    explicit StreamExchange(ChatReply reply)
        : ChatExchange(std::move(reply)), tokens_(reply_.script.tokens()), last_byte_(reply_.arrived) {
        // The last token may come with finish_reason and then has no event of its own.
        carried_ = reply_.sending.finish_carries_content && reply_.script.content.tokens() > 0 ? 1 : 0;
    }

    Progress produce(Clock::time_point now, std::size_t room, std::string& out) override {
        look_at_the_crowd(now);
        if (gathers()) return produce_at_once(now, out);
        const std::int64_t first = next_;
        for (; next_ < events(); ++next_) {
            const Clock::time_point due = due_of_event(next_);
            if (due > now || out.size() >= room) {
                count_tokens(tokens_before(next_) - tokens_before(first));
                return wait_until(due, now);
            }
            if (next_ == 0) begin(out, 0);
            const Ending ending = render_and_pass(next_);
            if (!piece_.empty()) last_byte_ = now;
            frame(out);
            if (ending != Ending::none) return {state_after(ending), {}};
        }
        count_tokens(tokens_before(next_) - tokens_before(first));
        end(out);
        return {Progress::State::finished, {}};
    }

private:
    static constexpr std::int64_t most_gathered = 10'000'000;  // tokens

    [[nodiscard]] std::int64_t finish_event() const { return 1 + tokens_ - carried_; }
    [[nodiscard]] std::int64_t events() const { return finish_event() + 1 + (reply_.sends_usage ? 1 : 0) + 1; }
    [[nodiscard]] Clock::time_point due_of_event(std::int64_t event) const { return due_of_token(std::min(event - 1, tokens_ - 1)); }

    // Of the tokens, those that events before this one carry.
    [[nodiscard]] std::int64_t tokens_before(std::int64_t event) const { return std::clamp<std::int64_t>(event - 1, 0, tokens_); }

    [[nodiscard]] bool gathers() const {
        return (reply_.sending.gathered || reply_.sending.framing == Framing::length) && tokens_ <= most_gathered;
    }

    Progress produce_at_once(Clock::time_point now, std::string& out) {
        const Clock::time_point due = due_of_event(events());
        if (now < due) return wait_until(due, now);
        std::string body;
        std::size_t promised = 0;  // what the reply has where it breaks off, and would have had behind that
        Ending ending = Ending::none;
        for (; next_ < events(); ++next_) {
            if (ending == Ending::none) {
                render(next_);
                const std::size_t whole = piece_.size();
                ending = pass(piece_, place_);
                promised += ending == Ending::none ? piece_.size() : whole;
                frame(body);
            } else {
                render(next_);
                promised += piece_.size();
            }
        }
        begin(out, promised);
        out += body;
        count_tokens(tokens_);
        if (ending == Ending::none) end(out);
        return {state_after(ending), {}};
    }

    // Until the next event, or until a proxy would have had enough of the silence or of the request.
    Progress wait_until(Clock::time_point due, Clock::time_point now) {
        std::optional<Clock::time_point> limit;
        const auto offer = [&limit](Clock::time_point from, const std::optional<std::chrono::nanoseconds>& length) {
            if (length && (!limit || from + *length < *limit)) limit = from + std::chrono::duration_cast<Clock::duration>(*length);
        };
        offer(last_byte_, reply_.sending.idle_limit);
        offer(reply_.arrived, reply_.sending.age_limit);
        if (!limit || due <= *limit) return {Progress::State::waiting, due};
        if (now < *limit) return {Progress::State::waiting, *limit};
        cut();
        return {Progress::State::close, {}};
    }

    void begin(std::string& out, std::size_t length) {
        append_head(out, 200, "text/event-stream; charset=utf-8", keep_alive());
        if (reply_.sending.framing == Framing::chunked) out += "transfer-encoding: chunked\r\n";
        if (reply_.sending.framing == Framing::length) fmt::format_to(std::back_inserter(out), "content-length: {}\r\n", length);
        out += "\r\n";
    }

    void end(std::string& out) {
        if (reply_.sending.framing == Framing::chunked) out += "0\r\n\r\n";
    }

    Ending render_and_pass(std::int64_t number) {
        render(number);
        return pass(piece_, place_);
    }

    // Fills piece_ and place_.
    void render(std::int64_t number) {
        Event event;
        text_.clear();
        piece_.clear();
        const std::int64_t token = number - 1;
        const std::int64_t thinking = reply_.script.reasoning.tokens();
        if (number == 0) {
            event.kind = EventKind::role;
        } else if (token < thinking) {
            event.kind = EventKind::reasoning;
            event.first = token == 0;
            reply_.script.reasoning.append(token, text_);
        } else if (number < finish_event()) {
            event.kind = EventKind::content;
            take_content(token, event);
        } else if (number == finish_event()) {
            event.kind = EventKind::finish;
            event.finish = reply_.script.finish;
            if (carried_ > 0) take_content(token, event);
        } else if (number + 1 < events()) {
            event.kind = EventKind::usage;
            event.tokens = reply_.tokens;
        } else {
            event.kind = EventKind::done;
        }
        event.text = text_;
        place_ = {number, finish_event(), event.kind};
        if (event.kind == EventKind::reasoning && !reply_.wire->shows_reasoning()) return;
        reply_.wire->append_event(reply_.head, event, piece_);
    }

    void take_content(std::int64_t token, Event& event) {
        const std::int64_t thinking = reply_.script.reasoning.tokens();
        event.first = token == thinking;
        event.after_reasoning = thinking > 0;
        reply_.script.content.append(token - thinking, text_);
    }

    void frame(std::string& out) {
        if (reply_.sending.framing != Framing::chunked) {
            out += piece_;
        } else if (!piece_.empty()) {  // an empty chunk would end the body
            fmt::format_to(std::back_inserter(out), "{:x}\r\n", piece_.size());
            out += piece_;
            out += "\r\n";
        }
    }

    std::int64_t tokens_;
    std::int64_t carried_ = 0;  // tokens in the event with finish_reason
    std::int64_t next_ = 0;     // number of the next event
    Clock::time_point last_byte_;
    Place place_;
    std::string piece_;
    std::string text_;
};

}  // namespace

std::unique_ptr<Exchange> stream_reply(ChatReply reply) {
    return std::make_unique<StreamExchange>(std::move(reply));
}

}  // namespace assay::simulated
