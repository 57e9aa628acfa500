#include "tests/support/running_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

namespace assay::support {

RunningProgram::RunningProgram(const std::vector<std::string>& args, const std::string& output)
    : RunningProgram(ASSAY_PROGRAM, args, output) {}

RunningProgram::RunningProgram(const std::string& program, const std::vector<std::string>& args,
                               const std::string& output) {
    std::vector<std::string> words{program};
    words.insert(words.end(), args.begin(), args.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    const int error = ::posix_spawn(&child_, program.c_str(), &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("cannot start the program");
}

RunningProgram::~RunningProgram() {
    if (ended_) return;
    signal(SIGKILL);
    wait();
}

void RunningProgram::signal(int number) const {
    if (!ended_) ::kill(child_, number);
}

bool RunningProgram::running() {
    if (ended_) return false;
    int status = 0;
    if (::waitpid(child_, &status, WNOHANG) != child_) return true;
    ended_ = true;
    exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return false;
}

int RunningProgram::times_open(const std::string& path) const {
    std::error_code gone;
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(child_) + "/fd", gone)) {
        count += std::filesystem::read_symlink(entry.path(), gone) == path ? 1 : 0;
    }
    return count;
}

int RunningProgram::wait() {
    if (ended_) return exit_code_;
    int status = 0;
    ::waitpid(child_, &status, 0);
    ended_ = true;
    exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return exit_code_;
}

}  // namespace assay::support
