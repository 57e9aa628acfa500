// Transport: HTTP/1.1 requests to one server, thousands at once, on an event loop.
//
// libcurl's multi interface driven by socket events, at most 1,000 transfers a multi handle (a new transfer
// scans the connections of its handle). A fresh connection a transfer unless `reuse` is set: libcurl repeats a
// request by itself when a reused connection turns out dead, and a generation outlives any handshake.
// Redirects are never followed, compression is never asked for, .netrc is not read, cookies are not kept.
// The host name is resolved once, off the loop, and again at most once a minute while transfers start.
// At most 256 transfers connect at the same time; the others wait, so that no listen queue overflows.
// Memory: about 16 KiB a plain transfer in flight, 76 KiB with TLS, besides what the receiver keeps.
//
// Threads: everything belongs to the loop's thread. Not copied, not moved.
// Errors: the constructor throws assay::Error for options that cannot work; a transfer's failure is its Result.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/http/transfer.hpp"
#include "harness/loop/event_loop.hpp"

namespace assay::http {

struct TransportOptions {
    std::vector<std::string> headers;  // "Name: value", sent with each request; no CR, LF or NUL in them
    bool reuse = false;                // keep connections for later transfers, none that was idle for 3 s
    bool http2 = false;                // ask for HTTP/2 in TLS; many transfers then share a connection, as with `reuse`
    std::string ca_file;               // PEM; empty: the system's
    bool insecure = false;             // TLS certificates are not checked
    std::string proxy = "env";         // "env" (http_proxy, https_proxy, all_proxy, no_proxy), "none", or a URL
    std::chrono::milliseconds drain{2'000};
};

class Transport {
public:
    using Id = std::uint64_t;

    // `url` is any URL on the server: it says which host to resolve and whether a proxy is to be used.
    Transport(loop::EventLoop& loop, const std::string& url, TransportOptions options);
    ~Transport();  // closes what is in flight; its on_end is not called
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    // Starts a transfer now or when its turn to connect comes. Calls nothing of the receiver before it returns.
    Id start(Transfer transfer, std::unique_ptr<Receiver> receiver);

    [[nodiscard]] std::int64_t in_flight() const noexcept;  // started and not ended, waiting ones included
    [[nodiscard]] std::int64_t waiting() const noexcept;    // of these, not yet handed to libcurl
    [[nodiscard]] const std::string& proxy() const noexcept;  // the proxy in use, without user and password; empty: none

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::http
