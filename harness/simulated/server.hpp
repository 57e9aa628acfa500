// Server: an OpenAI-compatible HTTP/1.1 server on an event loop, for as many slow streams as descriptors allow.
//
// Threads: construct and destroy it on the loop's thread, or while the loop does not run. counters() from any.
// Errors: assay::Error where it cannot listen, naming host and port.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "harness/loop/event_loop.hpp"
#include "harness/simulated/service.hpp"

namespace assay::simulated {

struct ListenAddress {
    std::string host = "127.0.0.1";  // a name or a literal address; loopback unless told otherwise
    std::uint16_t port = 0;          // 0: any that is free
};

class Server {
public:
    // The responder must outlive the server.
    Server(loop::EventLoop& loop, const ListenAddress& address, ServiceSettings settings, const Responder& responder);
    ~Server();  // closes every connection
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept;
    [[nodiscard]] std::string base_url() const;  // "http://127.0.0.1:40001/v1"
    [[nodiscard]] const Counters& counters() const noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::simulated
