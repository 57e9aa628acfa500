#include "harness/ranks/mpi_ranks.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <signal.h>

#include <chrono>
#include <thread>

namespace assay::ranks {
namespace {

// MPI's own waits spin; hours of waiting for the last rank should leave the cores to those who share the node.
void wait_quietly(MPI_Request& request) {
    int done = 0;
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

class MpiRanks final : public Ranks {
public:
    MpiRanks(int& argc, char**& argv) {
        // MPI's own threads inherit the mask of the one that starts it. Left open in them, a signal that the program waits for
        // would go to them and end the process.
        sigset_t stops;
        sigset_t before;
        sigemptyset(&stops);
        sigaddset(&stops, SIGINT);
        sigaddset(&stops, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &stops, &before);
        int provided = MPI_THREAD_SINGLE;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
    }
    ~MpiRanks() override { MPI_Finalize(); }
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return size_; }

    void wait_for_all() override {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        wait_quietly(request);
    }

    bool any(bool mine) override {
        const int said = mine ? 1 : 0;
        int result = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Iallreduce(&said, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
        wait_quietly(request);
        return result != 0;
    }

    void end_job(int exit_code) override {
        if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, exit_code);
    }

private:
    int rank_ = 0;
    int size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> mpi_ranks(int& argc, char**& argv) { return std::make_unique<MpiRanks>(argc, argv); }

}  // namespace assay::ranks
