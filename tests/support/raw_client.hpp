// RawClient: a blocking HTTP client on a bare socket, for tests of servers; shares nothing with the project's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::support {

struct RawResponse {
    int status = 0;
    std::string head;   // status line and headers, without the blank line
    std::string body;   // chunks joined
    bool whole = false; // ended as its framing says
};

// How a socket's stream of bytes ended.
enum class StreamEnd { closed, reset, silent };

class RawClient {
public:
    // Connects to 127.0.0.1. receive_buffer: SO_RCVBUF in bytes, 0 for the system's.
    // Throws std::runtime_error where it cannot connect.
    explicit RawClient(std::uint16_t port, int receive_buffer = 0);
    ~RawClient();
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void send(std::string_view bytes);
    void send_end();  // shuts the sending side down
    void reset();     // closes with RST

    // The next response; what follows it stays for the next call. Gives up after `limit` without a byte.
    [[nodiscard]] RawResponse response(std::chrono::milliseconds limit = std::chrono::seconds(20), bool head_only = false);
    // Everything up to the end of the stream, `limit` without a byte being an end too.
    [[nodiscard]] std::string rest(StreamEnd& end, std::chrono::milliseconds limit = std::chrono::seconds(20));

    [[nodiscard]] int descriptor() const { return fd_; }

private:
    bool receive(std::chrono::milliseconds limit);

    int fd_ = -1;
    std::string buffer_;
    StreamEnd end_ = StreamEnd::silent;
};

// "POST <path>" with JSON headers and a Content-Length; `headers` are whole lines, each with its CRLF.
[[nodiscard]] std::string post(std::string_view path, std::string_view body, std::string_view headers = "");
[[nodiscard]] std::string get(std::string_view path, std::string_view headers = "");

// Sends each request on a connection of its own, all at once, and gives what came back on each until it was closed.
[[nodiscard]] std::vector<std::string> exchange_all(std::uint16_t port, const std::vector<std::string>& requests);

// The payloads of the "data: " lines of a stream's body, in order.
[[nodiscard]] std::vector<std::string> event_payloads(std::string_view body);

// The body of a whole response as exchange_all gives it; chunks joined.
[[nodiscard]] RawResponse parse_response(std::string_view bytes);

}  // namespace assay::support
