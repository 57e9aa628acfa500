// Counters: what a simulated server has done so far. Written by its thread, read from any.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay::simulated {

struct Counters {
    using Count = std::atomic<std::int64_t>;
    Count connections{0};    // accepted so far
    Count requests{0};       // requests of any kind that were read whole
    Count in_flight{0};      // chat completions being answered now
    Count max_in_flight{0};  // the most at one time
    Count completed{0};      // chat completions whose last byte was handed to the kernel
    Count dropped{0};        // chat completions whose client went away first
    Count cut{0};            // chat completions that the server itself broke off
    Count refused{0};        // chat completions answered with an error status
    Count tokens{0};         // sent so far
};

}  // namespace assay::simulated
