#include "harness/files/bus_guard.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

namespace assay::files {
namespace {

struct Slot {
    std::atomic<bool> taken{false};
    std::atomic<std::uintptr_t> begin{0};  // 0 while not watched
    std::atomic<std::uintptr_t> end{0};
    std::atomic<std::uintptr_t> fault{0};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

// A signal handler has no other way to its data.
std::array<Slot, 1024> slots;
std::uintptr_t page_size = 4096;
struct sigaction before;

// Only what is safe in a signal handler: lock-free atomics, mmap, sigaction.
void on_bus_error(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (Slot& slot : slots) {
        const std::uintptr_t begin = slot.begin.load(std::memory_order_acquire);
        const std::uintptr_t end = slot.end.load(std::memory_order_relaxed);
        if (begin == 0 || address < begin || address >= end) continue;
        const std::uintptr_t page = address / page_size * page_size;
        std::uintptr_t none = 0;
        slot.fault.compare_exchange_strong(none, page);
        void* const put = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        if (put != MAP_FAILED) return;
    }
    if ((before.sa_flags & SA_SIGINFO) != 0) {
        before.sa_sigaction(signal, info, context);
    } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        ::sigaction(SIGBUS, &before, nullptr);  // the access is made again, and ends the process as ever
    } else {
        before.sa_handler(signal);
    }
}

void install() {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &before);
}

}  // namespace

std::optional<std::size_t> watch_for_bus_errors(std::uintptr_t begin, std::uintptr_t end) {
    static std::once_flag installed;
    std::call_once(installed, install);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        Slot& slot = slots[i];
        if (slot.taken.load(std::memory_order_relaxed) || slot.taken.exchange(true, std::memory_order_acquire))
            continue;
        slot.fault.store(0, std::memory_order_relaxed);
        slot.end.store(end, std::memory_order_relaxed);
        slot.begin.store(begin, std::memory_order_release);
        return i;
    }
    return std::nullopt;
}

void unwatch(std::size_t slot) noexcept {
    slots[slot].begin.store(0, std::memory_order_relaxed);
    slots[slot].taken.store(false, std::memory_order_release);
}

std::uintptr_t bus_fault(std::size_t slot) noexcept { return slots[slot].fault.load(std::memory_order_relaxed); }

}  // namespace assay::files
