// Workers: the seam through which work is spread over threads.
//
// Stands on oneTBB, or on std::jthread under ThreadSanitizer, which cannot see into TBB's scheduler.
#pragma once

#include <functional>

namespace assay::parallel {

// How many threads the machine offers this process, at least 1.
[[nodiscard]] unsigned available_threads() noexcept;

// Calls work(0), .., work(count - 1), each on a thread of its own choosing, and returns when all have returned. With a
// count of 1 it runs on the caller's thread. The first exception (by worker number) is thrown again here after all ended.
void run_workers(unsigned count, const std::function<void(unsigned worker)>& work);

}  // namespace assay::parallel
