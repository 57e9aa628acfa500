// What is written by one process must not be begun by several that know nothing of each other.
#pragma once

#include <string>

namespace assay::runners {

// Throws assay::Error where mpirun or srun started this process as one of several, each of which would write `destination`.
// `shared_by`: the command whose ranks share the work, as in "assay-mpi cast"; empty where one process has to do it.
// `knows_ranks`: this is that command, and MPI has shown it no other rank.
void require_one_task(const std::string& destination, const std::string& shared_by, bool knows_ranks);

}  // namespace assay::runners
