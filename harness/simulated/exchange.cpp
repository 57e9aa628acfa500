#include "harness/simulated/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace assay::simulated {
namespace {

using loop::Clock;

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200: return "OK";
        case 307: return "Temporary Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 417: return "Expectation Failed";
        case 422: return "Unprocessable Content";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        case 505: return "HTTP Version Not Supported";
        default: return "Unknown";
    }
}

void append_head(std::string& out, int status, std::string_view content_type, bool keep_alive) {
    out += fmt::format("HTTP/1.1 {} {}\r\nserver: assay (simulated)\r\n", status, reason_phrase(status));
    if (!content_type.empty()) out += fmt::format("content-type: {}\r\n", content_type);
    out += keep_alive ? "connection: keep-alive\r\n" : "connection: close\r\n";
}

class ResponseExchange final : public Exchange {
public:
    ResponseExchange(Response response, bool keep_alive, Clock::time_point due) : Exchange(keep_alive), response_(std::move(response)), due_(due) {}

    Progress produce(Clock::time_point now, std::size_t, std::string& out) override {
        if (now < due_) return {Progress::State::waiting, due_};
        append_head(out, response_.status, response_.content_type, keep_alive());
        for (const std::string& header : response_.headers) out += header + "\r\n";
        out += fmt::format("content-length: {}\r\n\r\n", response_.body.size());
        if (!response_.head_only) out += response_.body;
        return {Progress::State::finished, {}};
    }

private:
    Response response_;
    Clock::time_point due_;
};

Progress::State state_of(Ending ending) {
    switch (ending) {
        case Ending::none: break;
        case Ending::reset: return Progress::State::reset;
        case Ending::close: return Progress::State::close;
        case Ending::hang: return Progress::State::hang;
    }
    return Progress::State::finished;
}

class NoResponse final : public Exchange {
public:
    explicit NoResponse(Ending ending) : Exchange(false), ending_(ending) {}
    Progress produce(Clock::time_point, std::size_t, std::string&) override { return {state_of(ending_), {}}; }

private:
    Ending ending_;
};

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

    [[nodiscard]] Clock::time_point due_of_token(std::int64_t token) const {
        const double after = reply_.token_ns * static_cast<double>(std::max<std::int64_t>(token, 0));
        if (begun_) return reply_.crowd->when(*begun_ + Crowd::Work(after));
        return reply_.first_due + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::nano>(after));
    }

    // Before anything is asked for the time when it is due.
    void look_at_the_crowd(Clock::time_point now) {
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
            if (ending != Ending::none) return {state_of(ending), {}};
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
        return {state_of(ending), {}};
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
        return {state_of(ending), {}};
    }
};

}  // namespace

std::unique_ptr<Exchange> respond(Response response, bool keep_alive, Clock::time_point due) {
    return std::make_unique<ResponseExchange>(std::move(response), keep_alive, due);
}

std::unique_ptr<Exchange> no_response(Ending ending) {
    return std::make_unique<NoResponse>(ending);
}

const Sending& Exchange::sending() const noexcept {
    static const Sending as_it_is;
    return as_it_is;
}

std::unique_ptr<Exchange> stream_reply(ChatReply reply) {
    return std::make_unique<StreamExchange>(std::move(reply));
}

std::unique_ptr<Exchange> whole_reply(ChatReply reply) {
    return std::make_unique<WholeExchange>(std::move(reply));
}

Ticket::Ticket(Counters& counters) noexcept : counters_(counters) {
    const std::int64_t now = counters_.in_flight.fetch_add(1) + 1;
    if (now > counters_.max_in_flight.load()) counters_.max_in_flight.store(now);  // the server's thread is the only writer
}

Ticket::~Ticket() {
    (counters_.*how_).fetch_add(1);
    counters_.in_flight.fetch_sub(1);
}

}  // namespace assay::simulated
