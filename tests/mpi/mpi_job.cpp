#include "tests/mpi/mpi_job.hpp"

#include <filesystem>
#include <regex>

#include "harness/files/read_file.hpp"

namespace assay::support {

std::vector<std::string> mpirun_args(int ranks, const std::vector<std::string>& args) {
    std::vector<std::string> all{"--oversubscribe", "--bind-to", "none", "-n", std::to_string(ranks), ASSAY_MPI_PROGRAM};
    all.insert(all.end(), args.begin(), args.end());
    return all;
}

Environment mpi_environment() {
    return {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}, {"ASAN_OPTIONS", "detect_leaks=0"}};
}

Run run_ranks(int ranks, const std::vector<std::string>& args) {
    return run_program(MPIRUN, mpirun_args(ranks, args), "", mpi_environment());
}

std::map<std::string, std::string> files_below(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        std::string bytes = files::read_file(entry.path().string());
        if (entry.path().filename() == "assay-cast.json")
            bytes = std::regex_replace(bytes, std::regex("(\"(?:modified|status_changed)_ns\": ?)[0-9]+"), "$010");
        files[std::filesystem::relative(entry.path(), folder).string()] = std::move(bytes);
    }
    return files;
}

}  // namespace assay::support
