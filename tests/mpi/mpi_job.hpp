// A job of assay-mpi, as mpirun starts it: more ranks than cores, on this machine.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace assay::support {

// The arguments of mpirun for assay-mpi with `args` on `ranks` ranks.
[[nodiscard]] std::vector<std::string> mpirun_args(int ranks, const std::vector<std::string>& args);
// What MPI asks for to run as root, and in a build with the address sanitizer, of which MPI's own leaks are no concern.
[[nodiscard]] Environment mpi_environment();

[[nodiscard]] Run run_ranks(int ranks, const std::vector<std::string>& args);

// Every file below `folder`: relative path -> bytes; times of change in assay-cast.json are made 0, since they are the only
// thing there that two casts of one source may differ in.
[[nodiscard]] std::map<std::string, std::string> files_below(const std::string& folder);

}  // namespace assay::support
