#include "harness/loop/signals.hpp"

#include <pthread.h>

namespace assay::loop {

BlockedSignals::BlockedSignals() {
    sigemptyset(&watched_);
    sigaddset(&watched_, SIGINT);
    sigaddset(&watched_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &watched_, &before_);
    std::signal(SIGPIPE, SIG_IGN);
}

BlockedSignals::~BlockedSignals() {
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> BlockedSignals::wait_for(std::chrono::milliseconds limit) {
    timespec wait{};
    wait.tv_sec = static_cast<time_t>(limit.count() / 1000);
    wait.tv_nsec = static_cast<long>(limit.count() % 1000) * 1'000'000L;
    const int got = sigtimedwait(&watched_, nullptr, &wait);
    if (got > 0) return got;
    return std::nullopt;
}

}  // namespace assay::loop
