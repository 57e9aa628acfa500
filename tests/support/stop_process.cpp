#include "tests/support/stop_process.hpp"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/eventually.hpp"

namespace assay::support {
namespace {

namespace fs = std::filesystem;

// The letter after the name in brackets, of proc_pid_stat(5); nothing where the thread is gone.
char state_of(const fs::path& thread) {
    std::string stat;
    std::getline(std::ifstream(thread / "stat"), stat);
    const auto bracket = stat.rfind(')');
    return bracket == std::string::npos || bracket + 2 >= stat.size() ? '\0' : stat[bracket + 2];
}

enum class Standing { moves, still, gone };

Standing standing_of(pid_t process) {
    Standing standing = Standing::gone;
    std::error_code gone;
    const fs::path threads = "/proc/" + std::to_string(process) + "/task";
    for (fs::directory_iterator thread(threads, gone), end; !gone && thread != end; thread.increment(gone)) {
        const char state = state_of(thread->path());
        if (state == '\0' || state == 'Z' || state == 'X') continue;
        if (state != 'T' && state != 't') return Standing::moves;
        standing = Standing::still;
    }
    return standing;
}

}  // namespace

bool stop_process(pid_t process) {
    if (::kill(process, SIGSTOP) != 0) return false;
    Standing standing = Standing::moves;
    return eventually([&] { return (standing = standing_of(process)) != Standing::moves; }) && standing == Standing::still;
}

}  // namespace assay::support
