// ScriptedServer: a TCP server on loopback that answers each connection with the bytes it was told, in the pieces
// and at the pace it was told, and then closes, resets or holds the connection. It knows no HTTP but the length of a request.
//
// Threads: one accepts, one more serves each connection; members may be called from the test's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/loop/file_descriptor.hpp"

namespace assay::tests {

enum class Close : unsigned char { fin, rst, hold };  // hold: until the server is destroyed or the client goes

struct Piece {
    std::string bytes;
    std::chrono::milliseconds before{0};  // the pause before it
};

struct Script {
    std::vector<Piece> pieces;
    Close close = Close::fin;
    bool read_request = true;  // false: answers or closes without having read a byte
    bool again = false;        // reads another request on the same connection afterwards (with Close::fin at the end)
};

class ScriptedServer {
public:
    // `script` is called with the number of the connection (from 0) and the request as received.
    using Chooser = std::function<Script(int connection, const std::string& request)>;

    explicit ScriptedServer(Chooser script);
    explicit ScriptedServer(Script always);
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    [[nodiscard]] int port() const noexcept { return port_; }
    [[nodiscard]] std::string base_url() const;  // http://127.0.0.1:PORT/v1
    [[nodiscard]] std::vector<std::string> requests() const;
    [[nodiscard]] int connections() const noexcept { return connections_; }
    [[nodiscard]] int most_at_once() const noexcept { return most_at_once_; }

private:
    void accept_all();
    void serve(loop::FileDescriptor connection, int number);
    void play(int fd, const Script& script);
    [[nodiscard]] std::string read_request(int fd) const;
    void pause(std::chrono::milliseconds length) const;

    Chooser script_;
    int port_ = 0;  // before the listener, which fills it in
    loop::FileDescriptor listener_;
    std::atomic<bool> stopping_{false};
    std::atomic<int> connections_{0};
    std::atomic<int> open_{0};
    std::atomic<int> most_at_once_{0};
    mutable std::mutex mutex_;  // guards requests_ and serving_
    std::vector<std::string> requests_;
    std::vector<std::thread> serving_;
    std::thread accepting_;
};

// A listener of loopback whose queue is full, so that a further handshake does not end.
class FullListener {
public:
    FullListener();
    [[nodiscard]] std::string base_url() const;

private:
    int port_ = 0;
    loop::FileDescriptor listener_;
    std::vector<loop::FileDescriptor> knocking_;
};

// A port of loopback on which nobody listens.
[[nodiscard]] int unused_port();

// "HTTP/1.1 200 OK" with the given header lines (no line ends) and the blank line.
[[nodiscard]] std::string response_head(const std::string& status_line, const std::vector<std::string>& headers);

// One chunk of Transfer-Encoding: chunked.
[[nodiscard]] std::string chunk(const std::string& bytes);

}  // namespace assay::tests
