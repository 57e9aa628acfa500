// Cancel: a flag that one thread raises and others look at, to wind a long job down cleanly.
//
// Threads: every member may be called from any thread and from a signal handler.
#pragma once

#include <atomic>

namespace assay {

class Cancel {
public:
    void raise() noexcept { raised_.store(true, std::memory_order_relaxed); }
    [[nodiscard]] bool raised() const noexcept { return raised_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> raised_{false};
    static_assert(std::atomic<bool>::is_always_lock_free);
};

}  // namespace assay
