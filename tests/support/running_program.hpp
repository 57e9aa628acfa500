// The built program, started and left running: to be killed, interrupted, or waited for.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace assay::support {

class RunningProgram {
public:
    // Both outputs go to the file `output`, in the order written. Standard input is empty.
    RunningProgram(const std::vector<std::string>& args, const std::string& output);
    // Another program, by its path.
    RunningProgram(const std::string& program, const std::vector<std::string>& args, const std::string& output);
    ~RunningProgram();  // kills it where it still runs
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    void signal(int number) const;
    [[nodiscard]] pid_t process() const noexcept { return child_; }
    [[nodiscard]] bool running();
    // How often it holds the file open.
    [[nodiscard]] int times_open(const std::string& path) const;
    // Its exit code; 128 + the signal's number where one ended it.
    int wait();

private:
    pid_t child_ = -1;
    int exit_code_ = -1;
    bool ended_ = false;
};

}  // namespace assay::support
