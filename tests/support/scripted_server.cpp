#include "tests/support/scripted_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

namespace assay::tests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

loop::FileDescriptor listen_on_loopback(int& port, int queue = 4096) {
    loop::FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener.get(), plain, length) != 0 || ::listen(listener.get(), queue) != 0 ||
        ::getsockname(listener.get(), plain, &length) != 0) {
        throw std::runtime_error("no listening socket on loopback");
    }
    port = ntohs(address.sin_port);
    return listener;
}

bool readable_within(int fd, int ms) {
    pollfd entry{fd, POLLIN, 0};
    return ::poll(&entry, 1, ms) > 0;
}

// The length of the request's body as its header says.
std::size_t body_length(const std::string& head) {
    std::string lower = head;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto at = lower.find("content-length:");
    return at == std::string::npos ? 0 : std::strtoul(lower.c_str() + at + 15, nullptr, 10);
}

}  // namespace

ScriptedServer::ScriptedServer(Chooser script) : script_(std::move(script)), listener_(listen_on_loopback(port_)) {
    accepting_ = std::thread([this] { accept_all(); });
}

ScriptedServer::ScriptedServer(Script always) : ScriptedServer([always](int, const std::string&) { return always; }) {}

ScriptedServer::~ScriptedServer() {
    stopping_ = true;
    accepting_.join();
    for (std::thread& thread : serving_) thread.join();
}

std::string ScriptedServer::base_url() const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/v1";
}

std::vector<std::string> ScriptedServer::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

void ScriptedServer::accept_all() {
    while (!stopping_) {
        if (!readable_within(listener_.get(), 10)) continue;
        loop::FileDescriptor connection(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!connection.open()) continue;
        const int number = connections_++;
        const std::lock_guard lock(mutex_);
        serving_.emplace_back([this, number, owned = std::move(connection)]() mutable { serve(std::move(owned), number); });
    }
}

std::string ScriptedServer::read_request(int fd) const {
    std::string request;
    std::array<char, 16384> buffer{};
    while (!stopping_) {
        const auto head_end = request.find("\r\n\r\n");
        if (head_end != std::string::npos && request.size() >= head_end + 4 + body_length(request.substr(0, head_end))) break;
        if (!readable_within(fd, 10)) continue;
        const auto got = ::recv(fd, buffer.data(), buffer.size(), 0);
        if (got <= 0) return {};
        request.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return request;
}

void ScriptedServer::serve(loop::FileDescriptor connection, int number) {
    const int at_once = ++open_;
    for (int seen = most_at_once_; seen < at_once && !most_at_once_.compare_exchange_weak(seen, at_once);) {
    }
    const int on = 1;
    ::setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // Whether to read is asked of a script chosen without a request, so that a server that never reads is possible.
    for (Script script = script_(number, {}); !stopping_;) {
        if (script.read_request) {
            const std::string request = read_request(connection.get());
            if (request.empty()) break;
            script = script_(number, request);
            const std::lock_guard lock(mutex_);
            requests_.push_back(request);
        }
        play(connection.get(), script);
        if (script.again) continue;
        break;
    }
    --open_;
}

void ScriptedServer::play(int fd, const Script& script) {
    for (const Piece& piece : script.pieces) {
        pause(piece.before);
        for (std::size_t sent = 0; sent < piece.bytes.size();) {
            const auto count = ::send(fd, piece.bytes.data() + sent, piece.bytes.size() - sent, MSG_NOSIGNAL);
            if (count <= 0) return;
            sent += static_cast<std::size_t>(count);
        }
    }
    if (script.close == Close::rst) {
        const linger at_once{1, 0};
        ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    while (script.close == Close::hold && !stopping_) {
        std::array<char, 256> buffer{};
        if (readable_within(fd, 10) && ::recv(fd, buffer.data(), buffer.size(), 0) <= 0) return;
    }
}

void ScriptedServer::pause(milliseconds length) const {
    const auto until = steady_clock::now() + length;
    while (!stopping_ && steady_clock::now() < until) {
        std::this_thread::sleep_for(std::min<steady_clock::duration>(until - steady_clock::now(), milliseconds(10)));
    }
}

FullListener::FullListener() : listener_(listen_on_loopback(port_, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    for (int i = 0; i < 4; ++i) {
        knocking_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        ::connect(knocking_.back().get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
}

std::string FullListener::base_url() const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/v1";
}

int unused_port() {
    int port = 0;
    static_cast<void>(listen_on_loopback(port));
    return port;
}

std::string response_head(const std::string& status_line, const std::vector<std::string>& headers) {
    std::string head = "HTTP/1.1 " + status_line + "\r\n";
    for (const std::string& header : headers) head += header + "\r\n";
    return head + "\r\n";
}

std::string chunk(const std::string& bytes) {
    std::array<char, 20> size{};
    const int length = std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
    return std::string(size.data(), static_cast<std::size_t>(length)) + bytes + "\r\n";
}

}  // namespace assay::tests
