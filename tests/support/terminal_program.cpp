#include "tests/support/terminal_program.hpp"

#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

namespace assay::support {

bool terminals_there() {
    int terminal = -1;
    int program = -1;
    if (::openpty(&terminal, &program, nullptr, nullptr, nullptr) != 0) return false;
    ::close(terminal);
    ::close(program);
    return true;
}

Run run_in_terminal(int columns, const std::vector<std::string>& args) {
    std::vector<std::string> words{ASSAY_PROGRAM};
    words.insert(words.end(), args.begin(), args.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    winsize size{};
    size.ws_row = 24;
    size.ws_col = static_cast<unsigned short>(columns);
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child < 0) throw std::runtime_error("cannot open a terminal");
    if (child == 0) {
        ::setenv("TERM", "xterm", 1);
        ::unsetenv("NO_COLOR");
        ::execv(argv.front(), argv.data());
        ::_exit(127);
    }
    Run run;
    std::array<char, 4096> block;
    for (;;) {  // a terminal whose last program has ended gives EIO
        const ssize_t got = ::read(terminal, block.data(), block.size());
        if (got <= 0) break;
        for (const char one : std::string_view(block.data(), static_cast<std::size_t>(got))) {
            if (one != '\r') run.out += one;
        }
    }
    ::close(terminal);
    int status = 0;
    ::waitpid(child, &status, 0);
    run.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return run;
}

}  // namespace assay::support
