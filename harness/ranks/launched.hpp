// Launched: what mpirun or srun says in the environment of the processes it starts: that this one is one of several.
//
// Variables, in the order in which they are asked (the first that is there counts, since mpirun may itself be a task of srun's):
//   OMPI_COMM_WORLD_SIZE, OMPI_COMM_WORLD_RANK   Open MPI's mpirun          PMI_SIZE, PMI_RANK   MPICH's and Intel's
//   SLURM_STEP_NUM_TASKS, SLURM_PROCID           srun; not in a batch script, which runs once whatever SLURM_NTASKS says
// Threads: any, while none changes the environment.
#pragma once

#include <optional>
#include <string>

namespace assay::ranks {

struct Launched {
    std::string by;        // "mpirun" or "srun"
    std::string variable;  // that says how many
    int number = 0;        // 0 .. count - 1
    int count = 0;         // at least 2
};

// Nothing where this process was started alone, or by what says nothing.
[[nodiscard]] std::optional<Launched> launched_among();

}  // namespace assay::ranks
