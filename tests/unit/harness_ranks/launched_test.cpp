#include "harness/ranks/launched.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>

namespace assay::ranks {
namespace {

class LaunchedAmong : public testing::Test {
protected:
    // Whatever started the tests themselves says nothing here.
    void SetUp() override {
        for (const char* name : {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}) {
            const char* const value = ::getenv(name);
            before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
            ::unsetenv(name);
        }
    }
    void TearDown() override {
        for (const auto& [name, value] : before_) value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }

private:
    std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(LaunchedAmong, SaysNothingOfAProcessThatWasStartedAlone) {
    EXPECT_FALSE(launched_among());
    ::setenv("SLURM_NTASKS", "4", 1);  // a batch script's
    EXPECT_FALSE(launched_among());
    ::unsetenv("SLURM_NTASKS");
    ::setenv("SLURM_STEP_NUM_TASKS", "1", 1);
    EXPECT_FALSE(launched_among());
    for (const char* damaged : {"", "four", "4x", "-4", "99999999999999"}) {
        ::setenv("SLURM_STEP_NUM_TASKS", damaged, 1);
        EXPECT_FALSE(launched_among()) << damaged;
    }
}

TEST_F(LaunchedAmong, NamesWhoStartedHowMany) {
    ::setenv("SLURM_STEP_NUM_TASKS", "8", 1);
    ::setenv("SLURM_PROCID", "3", 1);
    const auto slurm = launched_among();
    ASSERT_TRUE(slurm);
    EXPECT_EQ(slurm->by, "srun");
    EXPECT_EQ(slurm->variable, "SLURM_STEP_NUM_TASKS");
    EXPECT_EQ(slurm->number, 3);
    EXPECT_EQ(slurm->count, 8);

    // mpirun reaches other nodes through a step of its own, with a task a node.
    ::setenv("OMPI_COMM_WORLD_SIZE", "16", 1);
    ::setenv("OMPI_COMM_WORLD_RANK", "15", 1);
    EXPECT_EQ(launched_among()->by, "mpirun");
    EXPECT_EQ(launched_among()->number, 15);
    ::setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    EXPECT_FALSE(launched_among());
}

}  // namespace
}  // namespace assay::ranks
