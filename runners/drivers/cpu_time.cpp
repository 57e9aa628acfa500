#include "runners/drivers/cpu_time.hpp"

#include <ctime>

namespace assay::runners {
namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double process_cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace assay::runners
