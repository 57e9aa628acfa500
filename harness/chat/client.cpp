#include "harness/chat/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/chat/assembler.hpp"
#include "harness/error.hpp"
#include "harness/http/transport.hpp"
#include "harness/http/url.hpp"

namespace assay::chat {
namespace {

constexpr std::size_t most_answer_bytes = 1 << 20;

std::vector<std::string> headers_of(const Endpoint& endpoint) {
    std::vector<std::string> headers;
    if (!endpoint.api_key.empty()) headers.push_back("Authorization: Bearer " + endpoint.api_key);
    check_headers(endpoint.headers);
    headers.insert(headers.end(), endpoint.headers.begin(), endpoint.headers.end());
    return headers;
}

http::TransportOptions options_of(const Endpoint& endpoint, const Limits& limits) {
    http::TransportOptions options;
    options.headers = headers_of(endpoint);
    options.reuse = endpoint.reuse_connections;
    options.http2 = endpoint.http2;
    options.ca_file = endpoint.ca_file;
    options.insecure = endpoint.insecure;
    options.proxy = endpoint.proxy;
    options.drain = limits.drain;
    return options;
}

std::string words_of(const http::Result& result, const Limits& limits) {
    const auto seconds = [](std::chrono::milliseconds limit) { return static_cast<double>(limit.count()) / 1e3; };
    switch (result.limit) {
        case http::Limit::connect: return fmt::format("not connected within {} s", seconds(limits.connect));
        case http::Limit::first_byte: return fmt::format("no byte of a response within {} s", seconds(limits.first_byte));
        case http::Limit::silence: return fmt::format("silent for {} s", seconds(limits.silence));
        case http::Limit::overall: return "not done within the limit";
        case http::Limit::none: break;
    }
    if (!result.location.empty()) return fmt::format("redirected to {}; not followed", result.location);
    return result.error;
}

}  // namespace

// What all requests of a client count into.
struct Wire {
    Traffic traffic;
    std::function<void()> changed;

    void on_wire(int more) {
        traffic.on_wire += more;
        if (changed) changed();
    }
};

struct Client::Parts {
    Parts(loop::EventLoop& on, Endpoint to, Limits within)
        : endpoint(std::move(to)),
          limits(within),
          base_url(checked_base_url(endpoint.base_url)),
          secrets(endpoint.api_key, endpoint.headers),
          transport(on, base_url, options_of(endpoint, limits)) {}

    Endpoint endpoint;
    Limits limits;
    std::string base_url;
    Secrets secrets;
    ChunkReader reader;
    Wire wire;
    http::Transport transport;  // last: it is the first to go, and its receivers use the rest
};

namespace {

http::Next next_from(ReplyAssembler::Wants wants) {
    switch (wants) {
        case ReplyAssembler::Wants::rest: return http::Next::drain;
        case ReplyAssembler::Wants::nothing: return http::Next::stop;
        case ReplyAssembler::Wants::more: break;
    }
    return http::Next::more;
}

}  // namespace

// One chat completion under way.
class CompletionReceiver final : public http::Receiver {
public:
    CompletionReceiver(ChunkReader& reader, const Secrets& secrets, const Limits& limits, Wire& wire, Client::Done done)
        : assembler_(reader, secrets, {limits.event_bytes, limits.response_bytes, limits.accept_done_without_finish}), limits_(limits), wire_(wire), done_(std::move(done)) {}

    void on_sent() override {
        sent_ = true;
        wire_.on_wire(+1);
    }

    http::Next on_bytes(long http_status, std::string_view bytes) override {
        const auto wants = assembler_.add(http_status, bytes);
        if (!first_token_ && assembler_.text_events() > 0) note_begin();
        wire_.traffic.body_bytes += static_cast<std::int64_t>(bytes.size());
        count_text();
        return next_from(wants);
    }

    void on_end(http::Result result) override {
        --wire_.traffic.in_flight;
        wire_.traffic.text_bytes_held -= held_;
        if (sent_) wire_.on_wire(-1);
        BodyEnd end;
        end.http_status = result.http_status;
        end.curl_code = result.curl_code;
        end.limit_passed = result.end == http::End::limit;
        end.words = words_of(result, limits_);
        Reply reply = assembler_.finish(end);
        reply.retry_after_s = result.retry_after_s;
        reply.new_connection = result.new_connection;
        reply.times.sent_ms = result.times.sent_ms;
        reply.times.connected_ms = result.times.connected_ms;
        reply.times.first_byte_ms = result.times.first_byte_ms;
        reply.times.last_byte_ms = result.times.last_byte_ms;
        reply.times.end_ms = result.times.end_ms;
        if (first_token_) reply.times.first_token_ms = std::chrono::duration<double, std::milli>(*first_token_ - started_).count();
        done_(std::move(reply));
    }

private:
    void note_begin() {
        first_token_ = loop::Clock::now();
        Traffic& traffic = wire_.traffic;
        ++traffic.begun;
        traffic.first_text_wait_s += std::chrono::duration<double>(*first_token_ - started_).count();
        traffic.newest_begun = traffic.newest_begun ? std::max(*traffic.newest_begun, started_) : started_;
    }

    void count_text() {
        wire_.traffic.text_events += assembler_.text_events() - text_events_;
        text_events_ = assembler_.text_events();
        wire_.traffic.text_bytes_held += assembler_.text_bytes() - held_;
        held_ = assembler_.text_bytes();
    }

    ReplyAssembler assembler_;
    const Limits& limits_;
    Wire& wire_;
    Client::Done done_;
    loop::Clock::time_point started_ = loop::Clock::now();
    std::optional<loop::Clock::time_point> first_token_;
    std::int64_t text_events_ = 0;
    std::int64_t held_ = 0;
    bool sent_ = false;
};

// One answer for discovery under way.
class AnswerReceiver final : public http::Receiver {
public:
    AnswerReceiver(const Secrets& secrets, std::function<void(Client::Answer)> done) : secrets_(secrets), done_(std::move(done)) {}

    http::Next on_bytes(long, std::string_view bytes) override {
        body_.append(bytes.substr(0, most_answer_bytes - body_.size()));
        return body_.size() < most_answer_bytes ? http::Next::more : http::Next::stop;
    }

    void on_end(http::Result result) override {
        Client::Answer answer;
        answer.http_status = result.http_status;
        answer.body = secrets_.scrubbed(std::move(body_));
        answer.timed_out = result.end == http::End::limit;
        answer.error = result.end == http::End::limit ? "no whole answer within the limit" : secrets_.scrubbed(std::move(result.error));
        done_(std::move(answer));
    }

private:
    const Secrets& secrets_;
    std::function<void(Client::Answer)> done_;
    std::string body_;
};

Client::Client(loop::EventLoop& loop, Endpoint endpoint, Limits limits)
    : parts_(std::make_unique<Parts>(loop, std::move(endpoint), limits)) {}

Client::~Client() = default;

void Client::send(std::string body, bool streamed, Done done) {
    static_cast<void>(streamed);  // the body's own form decides: servers answer one with the other
    http::Transfer transfer;
    transfer.method = http::Method::post;
    transfer.url = parts_->base_url + "/chat/completions";
    transfer.body = std::move(body);
    const Limits& limits = parts_->limits;
    transfer.limits = {limits.connect, limits.first_byte, limits.silence, std::nullopt};
    ++parts_->wire.traffic.in_flight;
    parts_->transport.start(std::move(transfer), std::make_unique<CompletionReceiver>(parts_->reader, parts_->secrets, limits, parts_->wire, std::move(done)));
}

void Client::get(const std::string& url, std::chrono::milliseconds limit, std::function<void(Answer)> done) {
    const auto base = http::parse_url(parts_->base_url);
    http::Transfer transfer;
    transfer.url = url.starts_with('/') ? base->origin() + url : url;
    const auto target = http::parse_url(transfer.url);
    transfer.with_headers = target && target->origin() == base->origin();  // no key for another server
    transfer.limits = {limit, limit, limit, limit};
    parts_->transport.start(std::move(transfer), std::make_unique<AnswerReceiver>(parts_->secrets, std::move(done)));
}

const Traffic& Client::traffic() const noexcept {
    return parts_->wire.traffic;
}

void Client::on_wire_changed(std::function<void()> changed) {
    parts_->wire.changed = std::move(changed);
}

const std::string& Client::proxy() const noexcept {
    return parts_->transport.proxy();
}

}  // namespace assay::chat
