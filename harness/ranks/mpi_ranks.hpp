// The ranks of an MPI job. Linked only into programs that are started by mpirun or srun.
#pragma once

#include <memory>

#include "harness/ranks/ranks.hpp"

namespace assay::ranks {

// Starts MPI, whose own arguments are taken out of argc and argv; the object's end finalises it. Once a process.
// Where MPI cannot start it prints its own words and ends the process, as MPI does by default.
// A program started without mpirun is a job of one rank.
[[nodiscard]] std::unique_ptr<Ranks> mpi_ranks(int& argc, char**& argv);

}  // namespace assay::ranks
