#include "harness/http/transport.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <unordered_map>
#include <utility>

#include "harness/error.hpp"
#include "harness/http/flight.hpp"
#include "harness/http/proxy.hpp"
#include "harness/http/resolver.hpp"
#include "harness/http/shard.hpp"
#include "harness/http/url.hpp"

namespace assay::http {
namespace {

using loop::Clock;

constexpr std::int64_t most_connecting = 256;
constexpr auto lookup_age = std::chrono::seconds(60);

void start_libcurl() {
    static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK) throw Error(fmt::format("libcurl could not be started: {}", curl_easy_strerror(code)));
}

Url checked_url(const std::string& text) {
    auto url = parse_url(text);
    if (!url) throw Error(fmt::format("expected an http or https URL, found \"{}\"; check --base-url", text));
    return *std::move(url);
}

void check(const TransportOptions& options) {
    for (const std::string& header : options.headers) {
        if (header.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
            throw Error(fmt::format("the header \"{}\" holds a line break or NUL; check --header and the key",
                                    header.substr(0, header.find(':'))));
        }
    }
    if (!options.ca_file.empty() && ::access(options.ca_file.c_str(), R_OK) != 0) {
        throw Error(fmt::format("the certificate file {} cannot be read; check --cacert", options.ca_file));
    }
}

std::vector<std::string> request_headers(const std::vector<std::string>& own) {
    // "Expect:" with no value takes the header out: a server that ignores it costs a second a request.
    std::vector<std::string> headers{"Content-Type: application/json", "Accept: text/event-stream, application/json", "Expect:"};
    headers.insert(headers.end(), own.begin(), own.end());
    return headers;
}

}  // namespace

struct Transport::Parts final : FlightWatcher {
    Parts(loop::EventLoop& on, const std::string& url_text, TransportOptions options);

    void connected() override { --connecting; }
    void deadline_came_closer(Flight& flight) override { arm(flight); }

    void enqueue(Id id);
    void start_waiting();
    void look_up_where_stale();
    void looked_up();
    void launch(Flight& flight);
    void arm(Flight& flight);
    void timer_fired(Id id);
    void ended(CURL* easy, CURLcode code);
    void finish(Flight& flight, End end, Limit limit, int code);
    Shard& roomy_shard();

    loop::EventLoop& loop;
    Url url;
    FlightSettings settings;
    std::string shown_proxy;
    std::unique_ptr<Resolver> resolver;  // null where there is nothing to look up
    std::optional<Clock::time_point> looked_up_at;
    std::vector<std::unique_ptr<Shard>> shards;
    std::unordered_map<Id, std::unique_ptr<Flight>> flights;
    std::deque<Id> queue;  // started, not yet handed to libcurl
    Id next_id = 1;
    std::int64_t connecting = 0;
    loop::TimerId turn = 0;
};

Transport::Parts::Parts(loop::EventLoop& on, const std::string& url_text, TransportOptions options)
    : loop(on), url(checked_url(url_text)) {
    start_libcurl();
    check(options);
    settings.headers = make_list(request_headers(options.headers));
    settings.no_headers = make_list({"Expect:"});
    settings.proxy = proxy_for(url, options.proxy, [](const char* name) -> const char* { return std::getenv(name); });
    settings.options = std::move(options);
    shown_proxy = proxy_shown(settings.proxy);
    const bool known = is_address_literal(url.host) || url.host == "localhost";
    if (!known && settings.proxy.empty()) resolver = std::make_unique<Resolver>(loop, url.host);
}

Transport::Transport(loop::EventLoop& loop, const std::string& url, TransportOptions options)
    : parts_(std::make_unique<Parts>(loop, url, std::move(options))) {}

Transport::~Transport() {
    parts_->loop.cancel(parts_->turn);
    for (auto& [id, flight] : parts_->flights) {
        parts_->loop.cancel(flight->timer);
        if (flight->shard != nullptr) flight->shard->remove(flight->easy.get());
    }
}

Transport::Id Transport::start(Transfer transfer, std::unique_ptr<Receiver> receiver) {
    const Id id = parts_->next_id++;
    auto flight = std::make_unique<Flight>(id, std::move(transfer), std::move(receiver), *parts_);
    parts_->arm(*flight);
    parts_->flights.emplace(id, std::move(flight));
    parts_->enqueue(id);
    return id;
}

std::int64_t Transport::in_flight() const noexcept {
    return static_cast<std::int64_t>(parts_->flights.size());
}

std::int64_t Transport::waiting() const noexcept {
    return static_cast<std::int64_t>(parts_->queue.size());
}

const std::string& Transport::proxy() const noexcept {
    return parts_->shown_proxy;
}

void Transport::Parts::enqueue(Id id) {
    queue.push_back(id);
    if (turn == 0) {
        turn = loop.at(Clock::now(), [this] {
            turn = 0;
            start_waiting();
        });
    }
}

void Transport::Parts::look_up_where_stale() {
    if (!resolver || resolver->running()) return;
    const bool fresh = looked_up_at && !resolver->addresses().empty() && Clock::now() - *looked_up_at < lookup_age;
    if (!fresh) resolver->look_up([this] { looked_up(); });
}

void Transport::Parts::looked_up() {
    looked_up_at = Clock::now();
    if (!resolver->addresses().empty()) {
        std::string line = fmt::format("{}:{}:", url.host, url.port);
        for (const std::string& address : resolver->addresses()) {
            if (line.back() != ':') line += ',';
            line += address.find(':') == std::string::npos ? address : "[" + address + "]";
        }
        settings.resolved = make_list({line});
        return start_waiting();
    }
    if (settings.resolved) return;
    for (const Id id : std::exchange(queue, {})) {
        const auto found = flights.find(id);
        if (found == flights.end()) continue;
        Flight& flight = *found->second;
        fmt::format_to_n(flight.words.data(), flight.words.size() - 1, "could not resolve host: {}", url.host);
        finish(flight, End::transport, Limit::none, CURLE_COULDNT_RESOLVE_HOST);
    }
}

void Transport::Parts::start_waiting() {
    if (queue.empty()) return;
    look_up_where_stale();
    if (resolver && !settings.resolved) return;  // looked_up() goes on from here
    while (!queue.empty() && connecting < most_connecting) {
        const auto found = flights.find(queue.front());
        queue.pop_front();
        if (found != flights.end()) launch(*found->second);
    }
}

Shard& Transport::Parts::roomy_shard() {
    for (const auto& shard : shards) {
        if (shard->size() < Shard::most) return *shard;
    }
    shards.push_back(std::make_unique<Shard>(
        loop, [this](CURL* easy, CURLcode code) { ended(easy, code); }, [this] { start_waiting(); }));
    return *shards.back();
}

void Transport::Parts::launch(Flight& flight) {
    if (!flight.prepare(settings)) return finish(flight, End::transport, Limit::none, CURLE_FAILED_INIT);
    Shard& shard = roomy_shard();
    flight.sent = Clock::now();
    if (shard.add(flight.easy.get()) != CURLM_OK) return finish(flight, End::transport, Limit::none, CURLE_FAILED_INIT);
    flight.shard = &shard;
    ++connecting;
    arm(flight);
}

// One timer a flight, which looks again when it fires: bytes only move a time stamp.
void Transport::Parts::arm(Flight& flight) {
    const auto deadline = flight.deadline();
    if (!deadline) return;
    if (flight.timer != 0 && flight.timer_due <= deadline->when) return;
    loop.cancel(flight.timer);
    flight.timer_due = deadline->when;
    flight.timer = loop.at(deadline->when, [this, id = flight.id] { timer_fired(id); });
}

void Transport::Parts::timer_fired(Id id) {
    const auto found = flights.find(id);
    if (found == flights.end()) return;
    Flight& flight = *found->second;
    flight.timer = 0;
    const auto deadline = flight.deadline();
    if (!deadline || deadline->when > Clock::now()) return arm(flight);
    finish(flight, deadline->end, deadline->limit, 0);
    start_waiting();
}

void Transport::Parts::ended(CURL* easy, CURLcode code) {
    void* pointer = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &pointer);
    auto& flight = *static_cast<Flight*>(pointer);
    if (flight.stopped) return finish(flight, End::receiver, Limit::none, 0);
    if (code == CURLE_OPERATION_TIMEDOUT && !flight.connected) return finish(flight, End::limit, Limit::connect, 0);
    finish(flight, End::transport, Limit::none, code);
}

void Transport::Parts::finish(Flight& flight, End end, Limit limit, int code) {
    const auto node = flights.extract(flight.id);
    loop.cancel(flight.timer);
    Result result = flight.result(end, limit, code);
    if (flight.shard != nullptr) {
        flight.shard->remove(flight.easy.get());
        if (!flight.connected) --connecting;
    }
    flight.easy.reset();
    if (flight.thrown) std::rethrow_exception(flight.thrown);
    flight.receiver->on_end(std::move(result));
}

}  // namespace assay::http
