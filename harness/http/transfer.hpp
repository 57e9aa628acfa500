// Transfer: one HTTP request, and how it ended. Plain values; the transport carries them out.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::http {

enum class Method : unsigned char { get, post };  // post sends `body` as application/json

// Each limit that passes ends the transfer. There is none on the whole but where `overall` is set.
struct TimeLimits {
    std::chrono::milliseconds connect{30'000};
    std::chrono::milliseconds first_byte{1'800'000};  // from the request's sending to the first byte back
    std::chrono::milliseconds silence{1'800'000};     // between two bytes, whatever they are
    std::optional<std::chrono::milliseconds> overall;
};

struct Transfer {
    Method method = Method::get;
    std::string url;
    std::string body;
    bool with_headers = true;  // false: without the transport's own headers (no key leaves with it)
    TimeLimits limits;
};

// Which limit ended a transfer.
enum class Limit : unsigned char { none, connect, first_byte, silence, overall };

// Why a transfer ended.
enum class End : unsigned char {
    transport,  // by itself: curl_code says how, and 0 is no proof that the body is whole
    limit,      // one of TimeLimits
    receiver,   // the receiver asked for no more
};

// Instants in milliseconds after start() was called; absent where it never came to that.
struct TransferTimes {
    std::optional<double> sent_ms;       // handed to libcurl: what precedes it is the transport's own queue
    std::optional<double> connected_ms;  // connected (TLS included), about to send the request
    std::optional<double> first_byte_ms;
    std::optional<double> last_byte_ms;
    std::optional<double> end_ms;
};

struct Result {
    End end = End::transport;
    Limit limit = Limit::none;
    int curl_code = 0;            // CURLcode; 0 where a limit or the receiver ended it
    std::string error;            // libcurl's words, empty where it had none
    long http_status = 0;         // of the last status line; 0: none came
    bool new_connection = true;   // false: sent on a reused one
    std::optional<double> retry_after_s;  // as asked for in the headers, not clamped; see retry_after.hpp
    std::string location;         // where a redirect pointed; it is never followed
    std::string content_type;
    std::int64_t body_bytes = 0;
    TransferTimes times;
};

// What a receiver wants after a piece of the body.
enum class Next : unsigned char {
    more,
    drain,  // the rest within TransportOptions::drain of the first such answer, then end
    stop,   // nothing more: end now
};

// Takes the response of one transfer. Every call comes on the loop's thread; on_end exactly once and last,
// unless the transport is destroyed first. What on_bytes throws ends the transfer and leaves EventLoop::run().
class Receiver {
public:
    virtual ~Receiver() = default;
    virtual void on_sent() {}  // connected, and the request goes out: once at most. Called from within libcurl: start nothing here
    virtual Next on_bytes(long http_status, std::string_view bytes) = 0;  // never empty, as they came
    virtual void on_end(Result result) = 0;
};

}  // namespace assay::http
