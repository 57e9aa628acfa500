// TlsServer: an HTTPS server on loopback with a certificate that it signed itself, for one name or address. Answers every
// request with the same bytes and closes.
//
// Threads: one serves, a connection at a time; members may be called from the test's thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "harness/loop/file_descriptor.hpp"

namespace assay::tests {

class TlsServer {
public:
    // `subject` as OpenSSL writes an alternative name: "IP:127.0.0.1", "DNS:example.org". `response` is sent as it is.
    TlsServer(const std::string& subject, std::string response);
    ~TlsServer();
    TlsServer(const TlsServer&) = delete;
    TlsServer& operator=(const TlsServer&) = delete;

    [[nodiscard]] std::string base_url() const;  // https://127.0.0.1:PORT/v1
    [[nodiscard]] const std::string& certificate() const noexcept { return certificate_; }  // PEM
    [[nodiscard]] int requests() const noexcept { return requests_; }  // that were read, which takes a handshake

private:
    struct Context;
    void serve();

    std::unique_ptr<Context> context_;
    std::string response_;
    std::string certificate_;
    int port_ = 0;
    loop::FileDescriptor listener_;
    std::atomic<bool> stopping_{false};
    std::atomic<int> requests_{0};
    std::thread serving_;
};

}  // namespace assay::tests
