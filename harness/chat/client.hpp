// Client: sends chat completions to one endpoint and hands each back as a Reply.
//
// Threads: everything here belongs to the loop's thread. `done` is called on it, exactly once for every
// send(), never from inside send(); it may send again, but not destroy the client; what it throws leaves
// EventLoop::run(). Nothing is retried here: one send() is one try on the wire.
// Errors: a try that fails is a Reply whose outcome says so; the constructor throws assay::Error for an
// endpoint that cannot be used (bad URL, unreadable CA file, a key with a newline).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/chat/reply.hpp"
#include "harness/chat/request.hpp"
#include "harness/loop/event_loop.hpp"

namespace assay::chat {

struct Endpoint {
    std::string base_url;  // up to and including /v1, no trailing slash needed
    std::string api_key;   // empty: no Authorization header. Never printed, never stored
    std::vector<std::string> headers;  // further headers, "Name: value"; their values are kept secret as the key is
    bool reuse_connections = false;    // a fresh connection a reply unless set
    bool http2 = false;                // HTTP/2 where the server offers it in TLS; connections are then shared
    std::string ca_file;               // PEM file of certificate authorities; empty: the system's
    bool insecure = false;             // TLS certificates are not checked
    std::string proxy = "env";         // "env", "none" or a URL; loopback and private hosts never through the environment's
};

// No overall limit exists: a reply may take hours as long as bytes come.
struct Limits {
    std::chrono::milliseconds connect{30'000};
    std::chrono::milliseconds first_byte{1'800'000};  // from the request's end to the first byte of the response
    std::chrono::milliseconds silence{1'800'000};     // between two bytes; comments count as life
    std::chrono::milliseconds drain{2'000};  // for what may follow a finish_reason or "[DONE]"
    std::int64_t event_bytes = 16LL << 20;
    std::int64_t response_bytes = 64LL << 20;
    bool accept_done_without_finish = false;  // see BodyLimits
};

// What the client did, for progress lines and for the proof that it kept the wire busy.
struct Traffic {
    std::int64_t in_flight = 0;     // requests handed to the transport and not yet done
    std::int64_t on_wire = 0;       // of these, those whose request has gone out on a connection
    std::int64_t text_events = 0;   // deltas with text, of all replies so far
    std::int64_t body_bytes = 0;
    std::int64_t text_bytes_held = 0;  // text of replies in flight
    std::int64_t begun = 0;            // replies whose first text has come, so far
    double first_text_wait_s = 0;      // from send() to it, summed over these
    std::optional<loop::Clock::time_point> newest_begun;  // when the latest of these was sent
};

class Client {
public:
    using Done = std::function<void(Reply)>;

    Client(loop::EventLoop& loop, Endpoint endpoint, Limits limits);
    ~Client();  // closes what is in flight; its `done` is not called
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // POST <base_url>/chat/completions. `body` is request_body(...); `streamed` says whether it asked for a stream.
    void send(std::string body, bool streamed, Done done);

    // GET for discovery: of a path from the server's root ("/v1/models", "/health") or of a whole URL; the key and the
    // headers go along only where that is on the endpoint's own server. `limit` is on all of it; the body is cut at 1 MiB.
    struct Answer {
        long http_status = 0;  // 0: no response
        std::string body;
        std::string error;  // the transport's words, where it failed
        bool timed_out = false;  // `limit` passed
    };
    void get(const std::string& url, std::chrono::milliseconds limit, std::function<void(Answer)> done);

    [[nodiscard]] const Traffic& traffic() const noexcept;
    // Called whenever traffic().on_wire has changed, in the middle of things: it may look, and must not send.
    void on_wire_changed(std::function<void()> changed);
    [[nodiscard]] const std::string& proxy() const noexcept;  // in use, without user and password; empty: none

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// base_url with trailing slashes removed. Throws assay::Error, naming the flag, for a URL that is no http(s)
// URL, carries user:password@, a query or a fragment, or ends in /chat/completions or /v1/v1 (which would double them).
[[nodiscard]] std::string checked_base_url(const std::string& base_url);

// Throws assay::Error, naming the flag, for a header that is no "Name: value" or holds a line break or NUL. Shows no values.
void check_headers(const std::vector<std::string>& headers);

// True where a key, or a header whose name speaks of one, would travel in clear to a host that may be public: plain http,
// to a host that is neither private (http::is_private_host), nor a name without a dot, nor under .local or .internal.
[[nodiscard]] bool sends_key_in_clear(const Endpoint& endpoint);

// The proxy that requests to the endpoint go through, without user and password; empty: none.
[[nodiscard]] std::string proxy_of(const Endpoint& endpoint);

}  // namespace assay::chat
