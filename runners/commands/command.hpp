// Command: one of assay's commands. A command is a recipe of a page: load, drive, judge, report.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/ranks/ranks.hpp"
#include "runners/flags.hpp"

namespace assay::runners {

// Exit codes of every command.
enum ExitCode : int {
    exit_clean = 0,        // done, and the answer is yes
    exit_no = 1,           // done, and the answer is no: a value differs, a gate failed, --fail-under missed
    exit_could_not = 2,    // could not run: flags, input, endpoint, runs that cannot be compared
    exit_undecided = 3,    // attempts left unscored, gate inconclusive
    exit_interrupted = 130,  // stopped by a signal; what is on disk is whole
};

class Command {
public:
    virtual ~Command() = default;
    [[nodiscard]] virtual std::string name() const = 0;     // "score"
    [[nodiscard]] virtual std::string summary() const = 0;  // one line, for the list of commands
    [[nodiscard]] virtual std::string example() const = 0;  // shown at the end of --help
    virtual void declare(Flags& flags) = 0;
    // Returns an ExitCode. Throws assay::Error for what ends the run with exit_could_not.
    virtual int run() = 0;
};

// One function a command, defined in its own file: std::unique_ptr<Command> score_command();
// The list is in commands.cpp.
[[nodiscard]] std::vector<std::unique_ptr<Command>> all_commands();
// Those whose work many processes can share: what assay-mpi offers.
[[nodiscard]] std::vector<std::unique_ptr<Command>> shared_commands(const std::shared_ptr<ranks::Ranks>& ranks);

}  // namespace assay::runners
