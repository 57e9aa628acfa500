// Waiting for something that another thread or process will bring about.
#pragma once

#include <chrono>
#include <thread>

namespace assay::support {

// Calls `condition` every 2 ms until it holds; false where it does not within two minutes (a hang, not slowness).
template <class Condition>
bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

}  // namespace assay::support
