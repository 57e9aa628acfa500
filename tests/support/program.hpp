// Runs the built program, as a user would, and gives what it printed and how it ended.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::support {

struct Run {
    std::string out;     // standard output
    std::string err;     // standard error
    int exit_code = -1;  // 128 + the signal's number where one ended it
};

// Environment of the program: these variables are set (or, where the value is empty, removed) on top of the test's own.
using Environment = std::vector<std::pair<std::string, std::string>>;

// `args` without the program's name. Standard input is `input`, then its end; neither output is a terminal.
// Throws std::runtime_error where the program cannot be started.
[[nodiscard]] Run run(const std::vector<std::string>& args, const std::string& input = "",
                      const Environment& environment = {});
// Another program, by its path.
[[nodiscard]] Run run_program(const std::string& program, const std::vector<std::string>& args,
                              const std::string& input = "", const Environment& environment = {});

}  // namespace assay::support
