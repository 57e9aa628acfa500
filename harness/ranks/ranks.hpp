// Ranks: the processes of one job that share a file system, each with a number of its own.
//
// What travels between ranks is only "I am here" and one yes or no; results travel as files, so that a job cut
// short keeps them. `one_rank` is the twin for a process by itself; `mpi_ranks.hpp` has the one for many.
// Threads: the one that made it. Collective members must be called by every rank, in the same order.
#pragma once

#include <memory>
#include <string>

namespace assay::ranks {

class Ranks {
public:
    virtual ~Ranks() = default;
    [[nodiscard]] virtual int rank() const noexcept = 0;  // 0 .. size() - 1
    [[nodiscard]] virtual int size() const noexcept = 0;  // at least 1

    // Collective. Returns once every rank has called it; waits without keeping a core busy.
    virtual void wait_for_all() = 0;
    // Collective. Whether any rank said true.
    [[nodiscard]] virtual bool any(bool mine) = 0;
    // Ends every rank of the job at once with this exit code, for an error that the others would wait on.
    // Returns only for a process by itself, whose own error path goes on.
    virtual void end_job(int exit_code) = 0;

    // "rank 3 of 8, process 4711 on node17": who holds a part, for people.
    [[nodiscard]] std::string name() const;
};

[[nodiscard]] std::unique_ptr<Ranks> one_rank();

}  // namespace assay::ranks
