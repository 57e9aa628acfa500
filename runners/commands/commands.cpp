#include "harness/ranks/ranks.hpp"
#include "runners/commands/command.hpp"

namespace assay::runners {

// Ranks: those of assay-mpi; none: of assay, one process.
std::unique_ptr<Command> audit_command(std::shared_ptr<ranks::Ranks> ranks);
std::unique_ptr<Command> cast_command(std::shared_ptr<ranks::Ranks> ranks);
std::unique_ptr<Command> compare_command();
std::unique_ptr<Command> inspect_command();
std::unique_ptr<Command> preflight_command();
std::unique_ptr<Command> questions_command();
std::unique_ptr<Command> report_command();
std::unique_ptr<Command> rescore_command();
std::unique_ptr<Command> score_command();
std::unique_ptr<Command> simulate_command();

std::vector<std::unique_ptr<Command>> all_commands() {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(score_command());
    commands.push_back(rescore_command());
    commands.push_back(report_command());
    commands.push_back(compare_command());
    commands.push_back(questions_command());
    commands.push_back(preflight_command());
    commands.push_back(simulate_command());
    commands.push_back(audit_command(nullptr));
    commands.push_back(cast_command(nullptr));
    commands.push_back(inspect_command());
    return commands;
}

std::vector<std::unique_ptr<Command>> shared_commands(const std::shared_ptr<ranks::Ranks>& ranks) {
    std::vector<std::unique_ptr<Command>> commands;
    commands.push_back(audit_command(ranks));
    commands.push_back(cast_command(ranks));
    return commands;
}

}  // namespace assay::runners
