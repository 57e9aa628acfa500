// The program started as one of several that know nothing of each other, as `srun -n 4 assay cast ..` does.
#include <gmock/gmock.h>

#include "tests/support/temporary_folder.hpp"
#include "tests/unit/cast/casting.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFolder;
using support::TemporaryFolder;
using testing::HasSubstr;

const support::Environment third_of_four{{"OMPI_COMM_WORLD_SIZE", ""}, {"PMI_SIZE", ""}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}};

TEST(OneTask, OfSeveralThatWouldWriteOneFolderIsRefusedBeforeItIsTouched) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    for (const bool reverse : {false, true}) {
        const auto run = support::run({"cast", source.path(), out, reverse ? "--reverse" : "--verify"}, "", third_of_four);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_EQ(run.err, "assay: this is task 3 of 4 that srun started, and each would write " + out + ": start " +
                               (reverse ? "" : "assay-mpi cast in its place, whose ranks share the work, or ") +
                               "one task; where each has a destination of its own, unset SLURM_STEP_NUM_TASKS\n");
        EXPECT_FALSE(fs::exists(out));
    }
    EXPECT_EQ(support::run({"cast", source.path(), out, "--dry-run"}, "", third_of_four).exit_code, 0);
}

TEST(OneTask, OfSeveralAuditsAsLongAsItWritesNothing) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    EXPECT_EQ(support::run({"audit", source.path(), "--source", source.path()}, "", third_of_four).exit_code, 0);
    for (const char* flag : {"--resume", "--differences"}) {
        const auto run = support::run({"audit", source.path(), "--source", source.path(), flag, folder.path("file")}, "", third_of_four);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr("task 3 of 4 that srun started, and each would write " + folder.path("file") + ": start assay-mpi audit"));
        EXPECT_FALSE(fs::exists(folder.path("file")));
    }
}

}  // namespace
}  // namespace assay
