#include "runners/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/error.hpp"

namespace assay::runners {

bool is_terminal(std::FILE* stream) noexcept {
    return ::isatty(::fileno(stream)) == 1;
}

reports::Look look_of(std::FILE* stream) noexcept {
    reports::Look look;
    if (!is_terminal(stream)) return look;
    winsize size{};
    if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) look.width = size.ws_col;
    look.colour = reports::colour_allowed(true, std::getenv("NO_COLOR"), std::getenv("TERM"));
    return look;
}

void print(std::FILE* stream, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stream);
}

// A write that failed while the program ran leaves the flag alone, and nothing for the flush to fail on.
void finish_output() {
    const bool flushed = std::fflush(stdout) == 0;
    if (!flushed || std::ferror(stdout) != 0) throw Error("standard output could not be written in full");
}

}  // namespace assay::runners
