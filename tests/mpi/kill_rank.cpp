#include "tests/mpi/kill_rank.hpp"

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "harness/ranks/claims.hpp"
#include "tests/support/stop_process.hpp"

namespace assay::support {
namespace {

// The process of the rank that begins its claims with `name`; none where it holds no part that is not finished.
pid_t at_work(const std::string& name, const std::string& claims, const std::function<bool(const std::string&)>& finished) {
    if (!std::filesystem::exists(claims)) return -1;
    for (const ranks::Claim& claim : ranks::Claims(claims, "").all()) {
        const auto at = claim.owner.find("process ");
        if (claim.owner.starts_with(name) && at != std::string::npos && !finished(claim.part))
            return std::stoi(claim.owner.substr(at + 8));
    }
    return -1;
}

}  // namespace

bool kill_rank_at_work(RunningProgram& job, int rank, const std::string& claims,
                       const std::function<bool(const std::string& part)>& finished) {
    const std::string name = "rank " + std::to_string(rank) + " ";
    while (job.running()) {
        const pid_t victim = at_work(name, claims, finished);
        if (victim > 0 && stop_process(victim)) {
            // Standing still: what it holds now, it holds when it dies.
            if (at_work(name, claims, finished) == victim) {
                ::kill(victim, SIGKILL);
                return true;
            }
            ::kill(victim, SIGCONT);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return false;
}

}  // namespace assay::support
