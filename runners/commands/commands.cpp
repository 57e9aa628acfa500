#include "runners/commands/command.hpp"

namespace assay::runners {

std::vector<std::unique_ptr<Command>> all_commands() {
    std::vector<std::unique_ptr<Command>> commands;
    return commands;
}

}  // namespace assay::runners
