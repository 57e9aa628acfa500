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
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 413: return "Content Too Large";
        case 415: return "Unsupported Media Type";
        case 417: return "Expectation Failed";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
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

class ChatExchange : public Exchange {
public:
    explicit ChatExchange(ChatReply reply) : Exchange(reply.keep_alive), reply_(std::move(reply)) {}
    void delivered() override {
        if (!cut_) reply_.ticket->end(&Counters::completed);
    }

protected:
    // Runs the deliveries over one piece. True where the connection is to be reset behind it.
    bool pass(std::string& bytes, Place place) {
        for (const auto& delivery : reply_.deliveries) {
            if (delivery->pass(bytes, place) != Ending::reset) continue;
            cut_ = true;
            reply_.ticket->end(&Counters::cut);
            break;
        }
        return cut_;
    }

    [[nodiscard]] Clock::time_point due_of_token(std::int64_t token) const {
        const double after = reply_.token_ns * static_cast<double>(std::max<std::int64_t>(token, 0));
        return reply_.first_due + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::nano>(after));
    }

    void count_tokens(std::int64_t tokens) { reply_.ticket->counters().tokens.fetch_add(tokens, std::memory_order_relaxed); }

    ChatReply reply_;

private:
    bool cut_ = false;
};

// Events: role, one a token, finish, usage where asked for, [DONE].
class StreamExchange final : public ChatExchange {
public:
    explicit StreamExchange(ChatReply reply) : ChatExchange(std::move(reply)), tokens_(reply_.script.tokens()) {}

    Progress produce(Clock::time_point now, std::size_t room, std::string& out) override {
        const std::int64_t first = next_;
        for (; next_ < events(); ++next_) {
            const Clock::time_point due = due_of_token(std::min(next_ - 1, tokens_ - 1));
            if (due > now || out.size() >= room) {
                count_tokens(tokens_before(next_) - tokens_before(first));
                return {Progress::State::waiting, due};
            }
            if (next_ == 0) begin(out);
            piece_.clear();
            render(next_);
            const bool reset = pass(piece_, {next_, tokens_ + 1});
            frame(out);
            if (reset) return {Progress::State::reset, {}};
        }
        count_tokens(tokens_before(next_) - tokens_before(first));
        if (reply_.chunked) out += "0\r\n\r\n";
        return {Progress::State::finished, {}};
    }

private:
    [[nodiscard]] std::int64_t events() const { return 1 + tokens_ + 1 + (reply_.sends_usage ? 1 : 0) + 1; }

    // Of the tokens, those that events before this one carry.
    [[nodiscard]] std::int64_t tokens_before(std::int64_t event) const { return std::clamp<std::int64_t>(event - 1, 0, tokens_); }

    void begin(std::string& out) {
        append_head(out, 200, "text/event-stream; charset=utf-8", keep_alive());
        out += reply_.chunked ? "transfer-encoding: chunked\r\n\r\n" : "\r\n";
    }

    void render(std::int64_t number) {
        Event event;
        text_.clear();
        const std::int64_t token = number - 1;
        const std::int64_t thinking = reply_.script.reasoning.tokens();
        if (number == 0) {
            event.kind = EventKind::role;
        } else if (token < thinking) {
            event.kind = EventKind::reasoning;
            reply_.script.reasoning.append(token, text_);
        } else if (token < tokens_) {
            event.kind = EventKind::content;
            reply_.script.content.append(token - thinking, text_);
        } else if (token == tokens_) {
            event.kind = EventKind::finish;
            event.finish = reply_.script.finish;
        } else if (number + 1 < events()) {
            event.kind = EventKind::usage;
            event.tokens = reply_.tokens;
        } else {
            event.kind = EventKind::done;
        }
        event.text = text_;
        reply_.wire->append_event(reply_.head, event, piece_);
    }

    void frame(std::string& out) {
        if (!reply_.chunked) {
            out += piece_;
        } else if (!piece_.empty()) {  // an empty chunk would end the body
            fmt::format_to(std::back_inserter(out), "{:x}\r\n", piece_.size());
            out += piece_;
            out += "\r\n";
        }
    }

    std::int64_t tokens_;
    std::int64_t next_ = 0;  // number of the next event
    std::string piece_;
    std::string text_;
};

class WholeExchange final : public ChatExchange {
public:
    explicit WholeExchange(ChatReply reply) : ChatExchange(std::move(reply)) {}

    Progress produce(Clock::time_point now, std::size_t, std::string& out) override {
        const Clock::time_point due = due_of_token(reply_.script.tokens() - 1);
        if (now < due) return {Progress::State::waiting, due};
        std::string body = reply_.wire->whole(reply_.head, reply_.script, reply_.tokens);
        append_head(out, 200, "application/json", keep_alive());
        fmt::format_to(std::back_inserter(out), "content-length: {}\r\n\r\n", body.size());
        const bool reset = pass(body, {0, 0});
        out += body;
        count_tokens(reply_.script.tokens());
        return {reset ? Progress::State::reset : Progress::State::finished, {}};
    }
};

}  // namespace

std::unique_ptr<Exchange> respond(Response response, bool keep_alive, Clock::time_point due) {
    return std::make_unique<ResponseExchange>(std::move(response), keep_alive, due);
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
