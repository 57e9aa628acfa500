#include "harness/simulated/server.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "harness/error.hpp"
#include "harness/loop/file_descriptor.hpp"
#include "harness/simulated/connection.hpp"

namespace assay::simulated {
namespace {

constexpr int listen_backlog = 4096;
constexpr int accepted_a_round = 256;
constexpr auto out_of_descriptors_pause = std::chrono::milliseconds(50);
constexpr auto port_taken_pause = std::chrono::milliseconds(100);

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

Addresses resolve(const ListenAddress& address) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int error = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
    if (error != 0) throw Error(fmt::format("cannot listen on '{}': {}; give --host an address of this machine", address.host, ::gai_strerror(error)));
    return {found, &::freeaddrinfo};
}

loop::FileDescriptor listen_on(const ListenAddress& address, int backlog = listen_backlog) {
    const Addresses addresses = resolve(address);
    loop::FileDescriptor socket(::socket(addresses->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1;
    if (socket.open()) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!socket.open() || ::bind(socket.get(), addresses->ai_addr, addresses->ai_addrlen) != 0 || ::listen(socket.get(), backlog) != 0)
        throw Error(fmt::format("cannot listen on {} port {}: {}; choose another with --port, or 0 for any", address.host, address.port, std::strerror(errno)));
    return socket;
}

// Occupies the one place of a queue of length 0 (Linux keeps one more than was asked for).
loop::FileDescriptor connected_to(int listener) {
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&bound), &size);
    loop::FileDescriptor socket(::socket(bound.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.open() || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&bound), size) != 0)
        throw Error(fmt::format("the listen queue could not be filled: {}", std::strerror(errno)));
    return socket;
}

std::uint16_t port_of(int socket) {
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    ::getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &size);
    return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6*>(&bound)->sin6_port : reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

}  // namespace

struct Server::Parts {
    Parts(loop::EventLoop& event_loop, const ListenAddress& address, ServiceSettings settings, const Responder& responder)
        : loop(event_loop), host(address.host), service(std::move(settings), responder), listener(listen_on(address, service.listening().full ? 0 : listen_backlog)), port(port_of(listener.get())) {}

    void begin();
    void empty_backlog();
    void listen();
    void accept_some();
    void forget(int id);
    void go_down(const Outage& outage);
    void come_back(const std::string& model);

    loop::EventLoop& loop;
    std::string host;
    Service service;
    loop::FileDescriptor listener;
    std::uint16_t port;
    std::unordered_map<int, std::unique_ptr<Connection>> connections;
    int next_id = 0;
    std::vector<std::unique_ptr<Connection>> closed;  // until their last callback has returned
    loop::TimerId sweep = 0;
    loop::TimerId pause = 0;
    loop::FileDescriptor occupier;  // open: the listen queue is full, and nobody accepts
    loop::TimerId relief = 0;
    loop::TimerId outage = 0;
};

Server::Server(loop::EventLoop& loop, const ListenAddress& address, ServiceSettings settings, const Responder& responder)
    : parts_(std::make_unique<Parts>(loop, address, std::move(settings), responder)) {
    parts_->service.on_outage([this](const Outage& outage) {
        // From within a connection's callback: let that return before the connection is closed.
        if (parts_->outage == 0) parts_->outage = parts_->loop.at(loop::Clock::now(), [this, outage] { parts_->go_down(outage); });
    });
    parts_->begin();
}

Server::~Server() {
    if (parts_->relief != 0) parts_->loop.cancel(parts_->relief);
    if (parts_->outage != 0) parts_->loop.cancel(parts_->outage);
    if (parts_->sweep != 0) parts_->loop.cancel(parts_->sweep);
    if (parts_->pause != 0) parts_->loop.cancel(parts_->pause);
    if (parts_->listener.open()) parts_->loop.unwatch(parts_->listener.get());
}

void Server::Parts::go_down(const Outage& gone) {
    if (pause != 0) loop.cancel(std::exchange(pause, 0));
    else loop.unwatch(listener.get());
    listener.reset();
    std::vector<Connection*> open;
    for (const auto& [id, connection] : connections) open.push_back(connection.get());
    for (Connection* connection : open) connection->reset();
    outage = loop.after(gone.down, [this, model = gone.model] { come_back(model); });
}

void Server::Parts::come_back(const std::string& model) {
    try {
        listener = listen_on({host, port});
    } catch (const Error&) {  // somebody took the port meanwhile
        outage = loop.after(port_taken_pause, [this, model] { come_back(model); });
        return;
    }
    outage = 0;
    if (!model.empty()) service.become(model);
    listen();
}

void Server::Parts::begin() {
    const Listening listening = service.listening();
    if (!listening.full) return listen();
    occupier = connected_to(listener.get());
    if (listening.full_for) relief = loop.after(*listening.full_for, [this] { empty_backlog(); });
}

void Server::Parts::empty_backlog() {
    relief = 0;
    occupier.reset();
    const loop::FileDescriptor first_in_line(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    ::listen(listener.get(), listen_backlog);
    listen();
}

void Server::Parts::listen() {
    loop.watch(listener.get(), EPOLLIN, [this](std::uint32_t) { accept_some(); });
}

void Server::Parts::accept_some() {
    for (int i = 0; i < accepted_a_round; ++i) {
        loop::FileDescriptor socket(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!socket.open()) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
                // Clients wait in the backlog; asking again at once would only spin.
                loop.unwatch(listener.get());
                pause = loop.after(out_of_descriptors_pause, [this] {
                    pause = 0;
                    listen();
                });
            }
            return;
        }
        const int on = 1;
        ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        service.counters().connections.fetch_add(1);
        const int id = next_id++;
        connections.emplace(id, std::make_unique<Connection>(loop, service, std::move(socket), [this, id] { forget(id); }));
    }
}

void Server::Parts::forget(int id) {
    const auto found = connections.find(id);
    closed.push_back(std::move(found->second));
    connections.erase(found);
    if (sweep == 0) sweep = loop.at(loop::Clock::now(), [this] {
        sweep = 0;
        closed.clear();
    });
}

std::uint16_t Server::port() const noexcept {
    return parts_->port;
}

std::string Server::base_url() const {
    const bool v6 = parts_->host.find(':') != std::string::npos;
    return fmt::format("http://{}{}{}:{}/v1", v6 ? "[" : "", parts_->host, v6 ? "]" : "", parts_->port);
}

const Counters& Server::counters() const noexcept {
    return parts_->service.counters();
}

}  // namespace assay::simulated
