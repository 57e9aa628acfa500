#include "runners/drivers/walk_monitor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "reports/terminal/numbers.hpp"

namespace assay::runners {
namespace {

using Clock = std::chrono::steady_clock;

std::string line_of(const WalkProgress& progress, double seconds) {
    const auto done = static_cast<double>(progress.bytes_done.load());
    const auto total = static_cast<double>(progress.bytes_total.load());
    const double read = done - static_cast<double>(progress.bytes_before.load());
    const double rate = seconds > 0 ? read / seconds : 0;
    const std::string left = rate > 0 ? reports::duration((total - done) / rate) : "?";
    return fmt::format("{} % of {:.1f} GB, {:.2f} GB/s, {} left", reports::percent(total > 0 ? done / total : 0, 1),
                       total / 1e9, rate / 1e9, left);
}

}  // namespace

WalkMonitor::WalkMonitor(const WalkProgress& progress, Cancel& cancel, bool quiet)
    : progress_(progress),
      cancel_(cancel),
      quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) == 1),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

WalkMonitor::~WalkMonitor() {
    thread_.request_stop();
    signals_.wake();
    thread_.join();
    if (terminal_ && !quiet_) std::fputs("\r\033[K", stderr);
}

void WalkMonitor::watch(const std::stop_token& stop) {
    const auto start = Clock::now();
    const auto every = terminal_ ? std::chrono::seconds(1) : std::chrono::seconds(30);
    auto next = start + every;
    while (!stop.stop_requested()) {
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(Clock::duration(0), next - Clock::now()));
        if (signals_.wait_for(quiet_ ? std::chrono::hours(1) : wait)) cancel_.raise();
        const auto now = Clock::now();
        if (quiet_ || now < next) continue;
        next = now + every;
        const std::string line = line_of(progress_, std::chrono::duration<double>(now - start).count());
        if (terminal_) {
            std::fputs(("\r\033[K" + line).c_str(), stderr);
        } else {
            std::fputs((line + "\n").c_str(), stderr);
        }
        std::fflush(stderr);
    }
}

}  // namespace assay::runners
