// The command line: which command was asked for, with its flags filled in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runners/commands/command.hpp"

namespace assay::runners {

// Parses the arguments into one of `commands` and runs it; --help and --version are answered on stdout.
// Returns the exit code. Throws assay::Error for a flag, a value or a config key that cannot be used.
// `program` is its name in what is printed.
int run_command_line(int argc, const char* const* argv, std::vector<std::unique_ptr<Command>> commands,
                     const std::string& program = "assay");

}  // namespace assay::runners
