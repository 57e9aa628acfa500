#include "harness/simulated/service.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <chrono>

#include "harness/error.hpp"
#include "harness/simulated/choices.hpp"

namespace assay::simulated {
namespace {

using loop::Clock;

constexpr std::string_view chat_path = "/v1/chat/completions";
constexpr std::size_t most_attempts_kept = 1'000'000;

std::int64_t unix_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool is_json(std::string_view content_type) {
    content_type = content_type.substr(0, content_type.find(';'));
    while (content_type.ends_with(' ')) content_type.remove_suffix(1);
    return content_type == "application/json";
}

}  // namespace

Service::Service(ServiceSettings settings, const Responder& responder)
    : settings_(std::move(settings)), responder_(responder), wire_(make_wire(settings_.wire)), behaviors_(make_behaviors(settings_.behaviors)) {
    if (!(settings_.speed > 0)) throw Error(fmt::format("speed must be above 0, not {}", settings_.speed));
    identity_ = {settings_.model, settings_.context, unix_seconds()};
}

void Service::become(const std::string& model) {
    settings_.model = model;
    identity_.model = model;
    identity_.started = unix_seconds();
}

Listening Service::listening() const {
    Listening listening;
    for (const auto& behavior : behaviors_) behavior->listen(listening);
    return listening;
}

std::optional<Page> Service::page_of(const std::string& path) const {
    for (const auto& behavior : behaviors_)
        if (auto page = behavior->page(path, identity_)) return page;
    if (path == "/metrics") {
        auto text = wire_->metrics(counters_.in_flight.load());
        return text ? std::optional(Page{200, "text/plain; version=0.0.4", *std::move(text)}) : std::nullopt;
    }
    auto body = wire_->page(path, identity_);
    return body ? std::optional(Page{200, "application/json", *std::move(body)}) : std::nullopt;
}

std::unique_ptr<Exchange> Service::answer(const HttpRequest& request, int on_connection) {
    counters_.requests.fetch_add(1);
    const auto now = Clock::now();
    const bool get = request.method == "GET" || request.method == "HEAD";
    const auto plain = [&](Response response) {
        response.head_only = request.method == "HEAD";
        return respond(std::move(response), request.keep_alive, now);
    };
    if (request.path == "/health" && get) return plain({200, "", {}, ""});
    if (!authorised(request)) return plain({401, "application/json", {}, R"({"error":"Unauthorized"})"});
    if (request.path == chat_path && request.method == "POST") return chat(request, on_connection);

    const auto page = page_of(request.path);
    if (page && get) return plain({page->status, page->content_type, {}, page->body});
    if (page || request.path == "/health" || request.path == chat_path)
        return plain({405, "application/json", {request.path == chat_path ? "allow: POST" : "allow: GET"}, R"({"detail":"Method Not Allowed"})"});
    return plain({404, "application/json", {}, R"({"detail":"Not Found"})"});
}

std::unique_ptr<Exchange> Service::answer_malformed(int status) {
    return respond({status, "text/plain; charset=utf-8", {}, "Invalid HTTP request received."}, false, Clock::now());
}

bool Service::authorised(const HttpRequest& request) const {
    return settings_.api_key.empty() || request.header("authorization") == "Bearer " + settings_.api_key;
}

std::unique_ptr<Exchange> Service::fault(const Fault& fault, bool keep_alive, std::vector<std::string> headers) {
    counters_.refused.fetch_add(1);
    return respond({fault.status, "application/json", std::move(headers), wire_->error(fault)}, keep_alive, Clock::now());
}

std::unique_ptr<Exchange> Service::refuse(Refusal refusal, const HttpRequest& request) {
    if (refusal.outage) {
        if (take_down_) take_down_(*refusal.outage);
        return no_response(Ending::hang);
    }
    if (refusal.ending != Ending::none) return no_response(refusal.ending);
    counters_.refused.fetch_add(1);
    std::string body = refusal.body.empty() ? wire_->error(refusal.fault) : std::move(refusal.body);
    const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(refusal.after);
    return respond({refusal.fault.status, refusal.content_type, std::move(refusal.headers), std::move(body)}, request.keep_alive, due);
}

std::unique_ptr<Exchange> Service::chat(const HttpRequest& request, int on_connection) {
    if (!is_json(request.header("content-type"))) return fault(wire_->wrong_content_type(), request.keep_alive);

    const Arrival arrival = arrival_of(request.body, on_connection);
    for (const auto& behavior : behaviors_) {
        auto refusal = behavior->admit(arrival);
        if (!refusal) continue;
        if (!refusal->counts_as_try) --attempts_[arrival.request];
        return refuse(*std::move(refusal), request);
    }

    auto decoded = decode_chat_call(request.body);
    if (const auto* wrong = std::get_if<Fault>(&decoded)) return fault(*wrong, request.keep_alive);
    auto& call = std::get<ChatCall>(decoded);
    if (call.model != settings_.model) return fault({404, fmt::format("The model `{}` does not exist.", call.model), "model"}, request.keep_alive);
    for (const auto& behavior : behaviors_) behavior->read(arrival, call);
    if (const auto wrong = wire_->check(call, identity_)) return fault(*wrong, request.keep_alive);
    return accept(call, request, arrival, std::make_unique<Ticket>(counters_));
}

Arrival Service::arrival_of(const std::string& body, int on_connection) {
    if (attempts_.size() >= most_attempts_kept) attempts_.clear();
    Arrival arrival;
    arrival.request = XXH3_64bits(body.data(), body.size());
    arrival.attempt = ++attempts_[arrival.request];
    arrival.in_flight = counters_.in_flight.load() + 1;
    arrival.number = ++arrivals_;
    arrival.on_connection = on_connection;
    arrival.body = body;
    return arrival;
}

std::unique_ptr<Exchange> Service::accept(const ChatCall& call, const HttpRequest& request, const Arrival& arrival, std::unique_ptr<Ticket> ticket) {
    ChatReply reply;
    reply.wire = wire_.get();
    reply.script = responder_.answer(call);
    const std::int64_t prompt = call.prompt_tokens();
    stop_at_budget(reply.script, wire_->budget(call).value_or(identity_.context - prompt));
    for (const auto& behavior : behaviors_) behavior->edit(arrival, reply.script);
    reply.tokens = {prompt, call.choices * reply.script.reasoning.tokens(), call.choices * reply.script.content.tokens()};
    reply.head = {wire_->reply_id(arrival.request, ++replies_), unix_seconds(), settings_.model};
    reply.sends_usage = wire_->sends_usage(call);
    if (request.minor == 0) reply.sending.framing = Framing::close;
    for (const auto& behavior : behaviors_) behavior->send(arrival, reply.sending);
    reply.keep_alive = request.keep_alive && (reply.sending.framing != Framing::close || !call.stream);
    reply.arrived = Clock::now();

    if (call.choices > 1) reply.deliveries.push_back(interleaved_choices(call.choices, false));
    std::chrono::duration<double, std::nano> wait = reply.script.first_token / settings_.speed;
    for (const auto& behavior : behaviors_) {
        wait += behavior->delay(arrival);
        if (auto delivery = behavior->delivery(arrival)) reply.deliveries.push_back(std::move(delivery));
    }
    reply.first_due = reply.arrived + std::chrono::duration_cast<Clock::duration>(wait);
    reply.token_ns = 1e9 / (reply.script.tokens_per_second * settings_.speed);
    if (reply.sending.full_speed_up_to) reply.crowd = &crowd_;
    reply.ticket = std::move(ticket);
    return call.stream ? stream_reply(std::move(reply)) : whole_reply(std::move(reply));
}

}  // namespace assay::simulated
