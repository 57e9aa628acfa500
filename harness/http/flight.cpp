#include "harness/http/flight.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "harness/http/retry_after.hpp"

namespace assay::http {
namespace {

using loop::Clock;

double ms_between(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
}

long as_long(std::chrono::milliseconds limit) {
    return static_cast<long>(std::clamp<std::int64_t>(limit.count(), 1, 86'400'000));
}

}  // namespace

List make_list(const std::vector<std::string>& lines) {
    curl_slist* list = nullptr;
    for (const std::string& line : lines) {
        curl_slist* longer = curl_slist_append(list, line.c_str());
        if (longer == nullptr) {
            curl_slist_free_all(list);
            throw std::bad_alloc();
        }
        list = longer;
    }
    return {list, ListDeleter{}};
}

Flight::Flight(Transport::Id number, Transfer what, std::unique_ptr<Receiver> to, FlightWatcher& who)
    : id(number), transfer(std::move(what)), receiver(std::move(to)), watcher(who) {}

bool Flight::prepare(const FlightSettings& settings) {
    easy.reset(curl_easy_init());
    if (!easy) return false;
    headers = transfer.with_headers ? settings.headers : settings.no_headers;
    resolved = settings.resolved;
    drain = settings.options.drain;
    CURLcode worst = CURLE_OK;
    const auto set = [this, &worst](CURLoption option, auto value) {
        const CURLcode code = curl_easy_setopt(easy.get(), option, value);
        if (worst == CURLE_OK) worst = code;
    };
    set(CURLOPT_URL, transfer.url.c_str());
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_ERRORBUFFER, words.data());
    set(CURLOPT_HTTPHEADER, headers.get());
    if (transfer.method == Method::post) {
        set(CURLOPT_POST, 1L);
        set(CURLOPT_POSTFIELDS, transfer.body.c_str());  // not copied: the body lives as long as the handle
        set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer.body.size()));
    }
    set(CURLOPT_HTTP_VERSION, static_cast<long>(settings.options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
    if (settings.options.http2) set(CURLOPT_PIPEWAIT, 1L);  // a stream of the connection that is being made, not one more
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, as_long(transfer.limits.connect));
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_TCP_KEEPIDLE, 30L);
    set(CURLOPT_TCP_KEEPINTVL, 15L);
    if (!settings.options.reuse && !settings.options.http2) {
        set(CURLOPT_FRESH_CONNECT, 1L);
        set(CURLOPT_FORBID_REUSE, 1L);
    } else {
        set(CURLOPT_MAXAGE_CONN, 3L);  // servers close idle connections after 5 s (uvicorn) and more
    }
    // Both set, so that libcurl does not read the environment by rules of its own.
    set(CURLOPT_PROXY, settings.proxy.c_str());
    set(CURLOPT_NOPROXY, "");
    if (resolved) set(CURLOPT_RESOLVE, resolved.get());
    if (!settings.options.ca_file.empty()) set(CURLOPT_CAINFO, settings.options.ca_file.c_str());
    if (settings.options.insecure) {
        set(CURLOPT_SSL_VERIFYPEER, 0L);
        set(CURLOPT_SSL_VERIFYHOST, 0L);
    }
    set(CURLOPT_PREREQFUNCTION, &Flight::on_connected);
    set(CURLOPT_PREREQDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Flight::on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Flight::on_body);
    set(CURLOPT_WRITEDATA, this);
    return worst == CURLE_OK;
}

int Flight::on_connected(void* self, char*, char*, int, int) noexcept {
    auto& flight = *static_cast<Flight*>(self);
    const bool first = !flight.connected;
    flight.connected = Clock::now();
    try {
        if (first) {
            flight.watcher.connected();
            flight.receiver->on_sent();
        }
        flight.watcher.deadline_came_closer(flight);
        return CURL_PREREQFUNC_OK;
    } catch (...) {
        flight.thrown = std::current_exception();
        return CURL_PREREQFUNC_ABORT;
    }
}

void Flight::came_alive() {
    last_byte = Clock::now();
    if (first_byte) return;
    first_byte = last_byte;
    watcher.deadline_came_closer(*this);
}

std::size_t Flight::on_header(char* bytes, std::size_t size, std::size_t count, void* self) noexcept {
    auto& flight = *static_cast<Flight*>(self);
    try {
        flight.came_alive();
        if (flight.seen.add({bytes, size * count})) return size * count;
        flight.headers_too_long = true;
    } catch (...) {
        flight.thrown = std::current_exception();
    }
    return CURL_WRITEFUNC_ERROR;
}

std::size_t Flight::on_body(char* bytes, std::size_t size, std::size_t count, void* self) noexcept {
    auto& flight = *static_cast<Flight*>(self);
    const std::size_t length = size * count;
    if (length == 0) return 0;
    return flight.deliver({bytes, length}) ? length : CURL_WRITEFUNC_ERROR;
}

bool Flight::deliver(std::string_view bytes) noexcept {
    try {
        came_alive();
        if (http_status == 0) curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &http_status);
        body_bytes += static_cast<std::int64_t>(bytes.size());
        const Next next = receiver->on_bytes(http_status, bytes);
        stopped = next == Next::stop;
        if (next == Next::drain && !drain_until) {
            drain_until = Clock::now() + drain;
            watcher.deadline_came_closer(*this);
        }
    } catch (...) {
        thrown = std::current_exception();
    }
    return !stopped && !thrown;
}

std::optional<Flight::Deadline> Flight::deadline() const {
    std::optional<Deadline> nearest;
    const auto offer = [&nearest](Clock::time_point when, End end, Limit limit) {
        if (!nearest || when < nearest->when) nearest = Deadline{when, end, limit};
    };
    if (transfer.limits.overall) offer(started + *transfer.limits.overall, End::limit, Limit::overall);
    if (drain_until) offer(*drain_until, End::receiver, Limit::none);
    if (first_byte) {
        offer(last_byte + transfer.limits.silence, End::limit, Limit::silence);
    } else if (connected) {
        offer(*connected + transfer.limits.first_byte, End::limit, Limit::first_byte);
    } else if (sent) {
        offer(*sent + transfer.limits.connect, End::limit, Limit::connect);
    }
    return nearest;
}

Result Flight::result(End end, Limit limit, int curl_code) {
    Result result;
    result.end = end;
    result.limit = limit;
    result.curl_code = end == End::limit ? static_cast<int>(CURLE_OPERATION_TIMEDOUT) : end == End::receiver ? 0 : curl_code;
    if (end == End::transport && curl_code != 0) {
        result.error = words[0] != '\0' ? words.data() : curl_easy_strerror(static_cast<CURLcode>(curl_code));
    }
    if (headers_too_long) result.error = "the response headers exceed 256 KiB";
    if (easy) {
        curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &result.http_status);
        long connects = 1;
        curl_easy_getinfo(easy.get(), CURLINFO_NUM_CONNECTS, &connects);
        result.new_connection = connects > 0 || !connected;
    }
    result.retry_after_s = retry_after_s(seen, static_cast<std::int64_t>(std::time(nullptr)));
    result.location = seen.get("location");
    result.content_type = seen.get("content-type");
    result.body_bytes = body_bytes;
    if (sent) result.times.sent_ms = ms_between(started, *sent);
    if (connected) result.times.connected_ms = ms_between(started, *connected);
    if (first_byte) result.times.first_byte_ms = ms_between(started, *first_byte);
    if (first_byte) result.times.last_byte_ms = ms_between(started, last_byte);
    result.times.end_ms = ms_between(started, Clock::now());
    return result;
}

}  // namespace assay::http
