#include "harness/loop/signals.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <system_error>

namespace assay::loop {

BlockedSignals::BlockedSignals() {
    sigemptyset(&watched_);
    sigaddset(&watched_, SIGINT);
    sigaddset(&watched_, SIGTERM);
    arrived_ = FileDescriptor(::signalfd(-1, &watched_, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!arrived_.open()) throw std::system_error(errno, std::generic_category(), "signalfd");
    woken_ = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!woken_.open()) throw std::system_error(errno, std::generic_category(), "eventfd");
    pthread_sigmask(SIG_BLOCK, &watched_, &before_);
    std::signal(SIGPIPE, SIG_IGN);
}

BlockedSignals::~BlockedSignals() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> BlockedSignals::wait_for(std::chrono::milliseconds limit) {
    std::array<pollfd, 2> looked_at{{{arrived_.get(), POLLIN, 0}, {woken_.get(), POLLIN, 0}}};
    const auto longest = std::min(limit, std::chrono::milliseconds(INT_MAX));
    if (::poll(looked_at.data(), looked_at.size(), static_cast<int>(longest.count())) <= 0) return std::nullopt;
    signalfd_siginfo signal{};
    if (::read(arrived_.get(), &signal, sizeof signal) == sizeof signal) return static_cast<int>(signal.ssi_signo);
    std::uint64_t times = 0;
    (void)!::read(woken_.get(), &times, sizeof times);
    return std::nullopt;
}

void BlockedSignals::wake() noexcept {
    const std::uint64_t once = 1;
    (void)!::write(woken_.get(), &once, sizeof once);  // it fails only where it is to be woken already
}

}  // namespace assay::loop
