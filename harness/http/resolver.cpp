#include "harness/http/resolver.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>
#include <utility>

namespace assay::http {
namespace {

std::vector<std::string> look_up_now(const std::string& host) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) return {};
    std::vector<std::string> addresses;
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (::getnameinfo(entry->ai_addr, entry->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) != 0) continue;
        std::string address = text.data();
        if (address.find('%') != std::string::npos) continue;  // a scope id, which libcurl's list cannot carry
        if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) addresses.push_back(std::move(address));
    }
    ::freeaddrinfo(found);
    return addresses;
}

}  // namespace

// What the lookup's thread shares with the resolver: the loop to report to, until the resolver is gone.
struct Resolver::Link {
    std::mutex mutex;
    loop::EventLoop* loop = nullptr;
};

Resolver::Resolver(loop::EventLoop& loop, std::string host) : loop_(loop), host_(std::move(host)), link_(std::make_shared<Link>()) {
    link_->loop = &loop_;
}

Resolver::~Resolver() {
    const std::lock_guard lock(link_->mutex);
    link_->loop = nullptr;
}

void Resolver::look_up(std::function<void()> done) {
    if (running_) return;
    running_ = true;
    std::thread([link = link_, host = host_, this, done = std::move(done)]() mutable {
        std::vector<std::string> found = look_up_now(host);
        const std::lock_guard lock(link->mutex);
        if (link->loop == nullptr) return;
        // The task may outlive the resolver in the loop's queue: it asks the link before it touches anything.
        link->loop->post([link, this, found = std::move(found), done = std::move(done)]() mutable {
            if (link->loop == nullptr) return;
            running_ = false;
            if (!found.empty()) addresses_ = std::move(found);
            done();
        });
    }).detach();
}

}  // namespace assay::http
