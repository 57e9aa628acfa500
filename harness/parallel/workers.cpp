#include "harness/parallel/workers.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#if defined(__SANITIZE_THREAD__)
#define ASSAY_WORKERS_ON_JTHREAD 1
#else
#define ASSAY_WORKERS_ON_JTHREAD 0
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#endif

namespace assay::parallel {
namespace {

void spread(unsigned count, const std::function<void(unsigned)>& work) {
#if ASSAY_WORKERS_ON_JTHREAD
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
#else
    // More threads than processors are allowed where they were asked for: readers wait for disks.
    const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, count);
    oneapi::tbb::task_arena arena(static_cast<int>(count));
    arena.execute([&] {
        oneapi::tbb::task_group group;
        for (unsigned i = 0; i < count; ++i) group.run([&work, i] { work(i); });
        group.wait();
    });
#endif
}

}  // namespace

unsigned available_threads() noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
    return std::max(1U, std::thread::hardware_concurrency());
}

void run_workers(unsigned count, const std::function<void(unsigned)>& work) {
    if (count <= 1) {
        if (count == 1) work(0);
        return;
    }
    std::vector<std::exception_ptr> errors(count);
    spread(count, [&](unsigned worker) {
        try {
            work(worker);
        } catch (...) {
            errors[worker] = std::current_exception();
        }
    });
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace assay::parallel
