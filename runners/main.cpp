#include <cstdio>
#include <exception>
#include <filesystem>

#include "harness/error.hpp"
#include "harness/files/path_trouble.hpp"
#include "runners/command_line.hpp"
#include "runners/commands/command.hpp"
#include "runners/terminal.hpp"

int main(int argc, char** argv) {
    using namespace assay;
    try {
        const int code = runners::run_command_line(argc, argv, runners::all_commands());
        runners::finish_output();  // what was printed and lost must not end as success
        return code;
    } catch (const Error& error) {
        std::fprintf(stderr, "assay: %s\n", error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        std::fprintf(stderr, "assay: cannot reach '%s': %s\n", error.path1().c_str(),
                     files::path_trouble(error.code().value()).c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "assay: internal error: %s\n", error.what());
    }
    return runners::exit_could_not;
}
