#include "tests/support/raw_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace assay::support {
namespace {

int connect_to(std::uint16_t port, int receive_buffer) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (receive_buffer > 0) ::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) throw std::runtime_error("cannot connect");
    return fd;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

std::string header(const std::string& head, const std::string& name) {
    const std::string lines = lower(head);
    const std::size_t at = lines.find("\r\n" + name + ":");
    if (at == std::string::npos) return {};
    const std::size_t from = lines.find_first_not_of(' ', at + name.size() + 3);
    return lines.substr(from, lines.find("\r\n", from) - from);
}

// Takes the body off `bytes`; false where it is not whole yet.
bool take_chunked(const std::string& bytes, std::size_t& at, std::string& body) {
    for (;;) {
        const std::size_t line = bytes.find("\r\n", at);
        if (line == std::string::npos) return false;
        std::size_t size = 0;
        std::from_chars(bytes.data() + at, bytes.data() + line, size, 16);
        if (bytes.size() < line + 2 + size + 2) return false;
        body.append(bytes, line + 2, size);
        at = line + 2 + size + 2;
        if (size == 0) return true;
    }
}

// Takes one response off the front of `bytes`; false where more bytes are needed.
bool take(std::string& bytes, RawResponse& response, bool head_only) {
    const std::size_t blank = bytes.find("\r\n\r\n");
    if (blank == std::string::npos) return false;
    response = {};
    response.head = bytes.substr(0, blank);
    std::from_chars(bytes.data() + 9, bytes.data() + 12, response.status);
    std::size_t at = blank + 4;
    const bool bodiless = head_only || response.status / 100 == 1;
    if (!bodiless && header(response.head, "transfer-encoding") == "chunked") {
        if (!take_chunked(bytes, at, response.body)) return false;
    } else if (!bodiless) {
        const std::string length = header(response.head, "content-length");
        if (length.empty()) {
            response.body = bytes.substr(at);
            return false;
        }
        const std::size_t size = std::stoul(length);
        response.body = bytes.substr(at, size);
        if (response.body.size() < size) return false;
        at += size;
    }
    response.whole = true;
    bytes.erase(0, at);
    return true;
}

}  // namespace

RawClient::RawClient(std::uint16_t port, int receive_buffer) : fd_(connect_to(port, receive_buffer)) {}

RawClient::~RawClient() {
    if (fd_ >= 0) ::close(fd_);
}

void RawClient::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (put < 0) throw std::runtime_error("send failed");
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
}

void RawClient::send_end() {
    ::shutdown(fd_, SHUT_WR);
}

void RawClient::reset() {
    const linger hard{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    ::close(fd_);
    fd_ = -1;
}

bool RawClient::receive(std::chrono::milliseconds limit) {
    pollfd ready{fd_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(limit.count())) <= 0) {
        end_ = StreamEnd::silent;
        return false;
    }
    std::array<char, 16384> bytes;
    const ssize_t got = ::recv(fd_, bytes.data(), bytes.size(), 0);
    if (got <= 0) {
        end_ = got == 0 ? StreamEnd::closed : StreamEnd::reset;
        return false;
    }
    buffer_.append(bytes.data(), static_cast<std::size_t>(got));
    return true;
}

RawResponse RawClient::response(std::chrono::milliseconds limit, bool head_only) {
    RawResponse response;
    while (!take(buffer_, response, head_only))
        if (!receive(limit)) break;
    return response;
}

std::string RawClient::rest(StreamEnd& end, std::chrono::milliseconds limit) {
    while (receive(limit)) {}
    end = end_;
    return std::exchange(buffer_, {});
}

std::string post(std::string_view path, std::string_view body, std::string_view headers) {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n" + std::string(headers) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

std::string get(std::string_view path, std::string_view headers) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: test\r\n" + std::string(headers) + "\r\n";
}

std::vector<std::string> exchange_all(std::uint16_t port, const std::vector<std::string>& requests) {
    std::vector<int> sockets;
    std::vector<pollfd> waiting;
    for (std::size_t i = 0; i < requests.size(); ++i) sockets.push_back(connect_to(port, 0));
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (::send(sockets[i], requests[i].data(), requests[i].size(), MSG_NOSIGNAL) != static_cast<ssize_t>(requests[i].size()))
            throw std::runtime_error("a request was not sent whole");
        waiting.push_back({sockets[i], POLLIN, 0});
    }
    std::vector<std::string> received(requests.size());
    std::size_t open = requests.size();
    std::array<char, 16384> bytes;
    while (open > 0 && ::poll(waiting.data(), waiting.size(), 20'000) > 0) {
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].revents == 0) continue;
            const ssize_t got = ::recv(waiting[i].fd, bytes.data(), bytes.size(), 0);
            if (got > 0) {
                received[i].append(bytes.data(), static_cast<std::size_t>(got));
            } else {
                waiting[i].fd = -1;  // poll() skips it
                --open;
            }
        }
    }
    for (const int socket : sockets) ::close(socket);
    return received;
}

std::vector<std::string> event_payloads(std::string_view body) {
    std::vector<std::string> payloads;
    while (!body.empty()) {
        const std::size_t end = std::min(body.find('\n'), body.size());
        const std::string_view line = body.substr(0, end);
        if (line.starts_with("data: ")) payloads.emplace_back(line.substr(6));
        body.remove_prefix(std::min(end + 1, body.size()));
    }
    return payloads;
}

RawResponse parse_response(std::string_view bytes) {
    std::string text(bytes);
    RawResponse response;
    take(text, response, false);
    return response;
}

}  // namespace assay::support
