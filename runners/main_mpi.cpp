// assay-mpi: the commands whose work many processes share, started by mpirun or srun.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>

#include "harness/error.hpp"
#include "harness/files/path_trouble.hpp"
#include "harness/ranks/mpi_ranks.hpp"
#include "runners/command_line.hpp"
#include "runners/commands/command.hpp"
#include "runners/terminal.hpp"

namespace {

using namespace assay;

// What stops one rank stops the job: the others would wait for it. What stops all of them, such as a flag that is wrong,
// is best said once, so the first rank speaks and ends the others before they do.
int fail(ranks::Ranks& ranks, const std::string& message) {
    if (ranks.rank() != 0) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (ranks.rank() == 0) {
        std::fprintf(stderr, "assay-mpi: %s\n", message.c_str());
    } else {
        std::fprintf(stderr, "assay-mpi: %s (%s)\n", message.c_str(), ranks.name().c_str());
    }
    std::fflush(stderr);
    ranks.end_job(runners::exit_could_not);
    return runners::exit_could_not;
}

}  // namespace

int main(int argc, char** argv) {
    const std::shared_ptr<ranks::Ranks> ranks = ranks::mpi_ranks(argc, argv);
    // mpirun puts a terminal of its own before each rank, whatever its output goes to: colours would end up in files.
    ::setenv("NO_COLOR", "1", 1);
    // Results are the first rank's to print.
    if (ranks->rank() != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return fail(*ranks, "cannot open /dev/null");
    try {
        const int code = runners::run_command_line(argc, argv, runners::shared_commands(ranks), "assay-mpi");
        runners::finish_output();
        return code;
    } catch (const Error& error) {
        return fail(*ranks, error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(*ranks, "cannot reach '" + error.path1().string() + "': " + files::path_trouble(error.code().value()));
    } catch (const std::exception& error) {
        return fail(*ranks, std::string("internal error: ") + error.what());
    }
}
