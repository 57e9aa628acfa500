#include "tests/support/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <stdexcept>

#include "harness/loop/file_descriptor.hpp"

namespace assay::support {
namespace {

using loop::FileDescriptor;

struct Pipe {
    FileDescriptor read_end;
    FileDescriptor write_end;
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
        read_end = FileDescriptor(ends[0]);
        write_end = FileDescriptor(ends[1]);
    }
};

std::vector<std::string> merged(const Environment& changes) {
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const auto equals = text.find('=');
        if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : changes) {
        if (value.empty()) variables.erase(name);
        else variables[name] = value;
    }
    std::vector<std::string> entries;
    for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
    return entries;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (std::string& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

pid_t start(std::vector<std::string> argv, std::vector<std::string> environment, int in, int out, int err) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    pid_t child = -1;
    const int error = ::posix_spawn(&child, argv[0].c_str(), &actions, nullptr, pointers(argv).data(), pointers(environment).data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("cannot start " + argv[0]);
    return child;
}

void read_some(FileDescriptor& from, std::string& into) {
    std::array<char, 65536> block;
    const ssize_t got = ::read(from.get(), block.data(), block.size());
    if (got > 0) into.append(block.data(), static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR) from.reset();
}

// Keeps all three streams moving at once, so that a full pipe on one side never stops the other.
void exchange(FileDescriptor& in, const std::string& input, FileDescriptor& out, FileDescriptor& err, Run& run) {
    std::size_t sent = 0;
    ::fcntl(in.get(), F_SETFL, O_NONBLOCK);
    if (input.empty()) in.reset();
    while (out.open() || err.open()) {
        std::array<pollfd, 3> waits{{{in.get(), POLLOUT, 0}, {out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}}};
        if (::poll(waits.data(), waits.size(), -1) < 0) continue;
        if (waits[0].revents != 0) {
            const ssize_t put = ::write(in.get(), input.data() + sent, input.size() - sent);
            if (put > 0) sent += static_cast<std::size_t>(put);
            if ((put < 0 && errno != EAGAIN && errno != EINTR) || sent == input.size()) in.reset();
        }
        if (waits[1].revents != 0) read_some(out, run.out);
        if (waits[2].revents != 0) read_some(err, run.err);
    }
}

}  // namespace

Run run(const std::vector<std::string>& args, const std::string& input, const Environment& environment) {
    return run_program(ASSAY_PROGRAM, args, input, environment);
}

Run run_program(const std::string& program, const std::vector<std::string>& args, const std::string& input,
                const Environment& environment) {
    // A program that ends before it has read its input must not end the test.
    static const auto ignored = ::signal(SIGPIPE, SIG_IGN);
    (void)ignored;
    std::vector<std::string> argv{program};
    argv.insert(argv.end(), args.begin(), args.end());
    Pipe in;
    Pipe out;
    Pipe err;
    const pid_t child = start(argv, merged(environment), in.read_end.get(), out.write_end.get(), err.write_end.get());
    in.read_end.reset();
    out.write_end.reset();
    err.write_end.reset();
    Run result;
    exchange(in.write_end, input, out.read_end, err.read_end, result);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace assay::support
