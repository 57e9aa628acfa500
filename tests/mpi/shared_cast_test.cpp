// assay-mpi cast: many ranks leave what one process leaves, and a rank that dies costs its shard in hand alone.
#include <gmock/gmock.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <set>

#include "harness/ranks/claims.hpp"
#include "tests/mpi/kill_rank.hpp"
#include "tests/mpi/mpi_job.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFolder;
using support::Dialect;
using support::TemporaryFolder;
using testing::HasSubstr;

// A model of `shards` shards, an expert in each, of `rows` rows.
support::CheckpointFiles in_shards(unsigned shards, std::uint64_t rows) {
    support::SmallModel model = support::kimi_k3_like(1);
    model.weights.clear();
    for (unsigned expert = 0; expert < shards; ++expert) {
        const std::string prefix = "language_model.model.layers.1.block_sparse_moe.experts." + std::to_string(expert);
        int number = 0;
        for (const char* name : {".w1", ".w2", ".w3"}) {
            // Unequal shards, so that the order by size is not the order by name.
            support::Weight weight = support::random_weight(prefix + name, 1, rows + 8 * (expert % 3), 64, expert * 3 + number);
            weight.shares_with = number == 1 ? -1 : static_cast<int>(expert);
            weight.shard = "model-" + std::to_string(10001 + expert) + "-of-" + std::to_string(10000 + shards) + ".safetensors";
            model.weights.push_back(std::move(weight));
            ++number;
        }
    }
    return store(model, Dialect::compressed_tensors_mxfp4);
}

std::map<std::string, fs::file_time_type> written_when(const std::string& target) {
    std::map<std::string, fs::file_time_type> times;
    for (const auto& entry : fs::directory_iterator(target)) {
        if (entry.path().extension() == ".safetensors") times[entry.path().filename()] = entry.last_write_time();
    }
    return times;
}

// Shards of which a record is kept.
std::set<std::string> recorded(const std::string& target) {
    std::set<std::string> shards;
    std::error_code not_yet;
    for (const auto& entry : fs::directory_iterator(target + "/.assay-cast", not_yet)) {
        const std::string name = entry.path().filename();
        if (name.starts_with("model-") && name.ends_with(".safetensors.json")) shards.insert(name.substr(0, name.size() - 5));
    }
    return shards;
}

std::set<std::string> claimed_without_record(const std::string& target) {
    std::set<std::string> shards;
    if (!fs::exists(target + "/.assay-cast/claims")) return shards;
    for (const ranks::Claim& claim : ranks::Claims(target + "/.assay-cast/claims", "").all()) {
        if (!fs::exists(target + "/.assay-cast/" + claim.part + ".json")) shards.insert(claim.part);
    }
    return shards;
}

TEST(SharedCast, OfAnyNumberOfRanksLeavesWhatOneProcessLeaves) {
    const CheckpointFolder source(in_shards(9, 16));
    const TemporaryFolder folder;
    const auto alone = support::run({"cast", source.path(), folder.path("alone"), "--verify", "--digests"});
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    const auto expected = support::files_below(folder.path("alone"));
    for (const int ranks : {1, 2, 4}) {
        const std::string target = folder.path("ranks" + std::to_string(ranks));
        const auto shared = support::run_ranks(ranks, {"cast", source.path(), target, "--verify", "--digests"});
        EXPECT_EQ(shared.exit_code, 0) << shared.err;
        EXPECT_EQ(support::files_below(target), expected) << ranks << " ranks";
        EXPECT_THAT(shared.out, HasSubstr("blocks bit-exact"));
    }
}

// A cast that was killed once it had finished a shard and before it had finished all; gives the names of those finished.
std::set<std::string> killed_cast(const std::string& source, const std::string& target, const std::string& output) {
    for (int attempt = 0; attempt < 20; ++attempt) {  // the last shard may be faster than the signal
        fs::remove_all(target);
        support::RunningProgram program({"cast", source, target, "--threads", "1"}, output);
        EXPECT_TRUE(support::eventually([&] { return !recorded(target).empty() || !program.running(); }));
        program.signal(SIGKILL);
        if (program.wait() == 128 + SIGKILL) return recorded(target);
    }
    return {};
}

// What a start without --verify finished is kept by a later one that asks for it, and read again by its ranks.
TEST(SharedCast, ShardsThatAreKeptAreVerifiedByTheRanksThatTakeThem) {
    const CheckpointFolder source(in_shards(12, 24000));
    const TemporaryFolder folder;
    const auto alone = support::run({"cast", source.path(), folder.path("alone"), "--verify", "--digests"});
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    const auto expected = support::files_below(folder.path("alone"));
    for (const int ranks : {1, 2, 4}) {
        const std::string target = folder.path("ranks" + std::to_string(ranks));
        const std::set<std::string> kept = killed_cast(source.path(), target, folder.path("output"));
        ASSERT_FALSE(kept.empty());
        const auto before = written_when(target);
        const auto shared = support::run_ranks(ranks, {"cast", source.path(), target, "--verify", "--digests"});
        EXPECT_EQ(shared.exit_code, 0) << shared.err;
        EXPECT_TRUE(support::files_below(target) == expected) << ranks << " ranks: " << shared.out;
        for (const std::string& shard : kept) EXPECT_EQ(written_when(target).at(shard), before.at(shard)) << shard << " was written anew";
    }
}

TEST(SharedCast, AFlagThatIsWrongIsSaidOnceAndEndsWithTwo) {
    const TemporaryFolder folder;
    const auto run = support::run_ranks(3, {"cast", folder.path("no-such"), folder.path("out")});
    EXPECT_EQ(run.exit_code, 2);
    std::size_t said = 0;
    for (std::size_t at = run.err.find("assay-mpi: "); at != std::string::npos; at = run.err.find("assay-mpi: ", at + 1)) ++said;
    EXPECT_EQ(said, 1U) << run.err;
}

// As an MPI does that the launcher was not built for: every process believes that it is alone.
TEST(SharedCast, OfARankThatMpiShowsNoOtherIsRefused) {
    const CheckpointFolder source(in_shards(2, 16));
    const TemporaryFolder folder;
    auto environment = support::mpi_environment();
    environment.insert(environment.end(), {{"OMPI_COMM_WORLD_SIZE", ""}, {"PMI_SIZE", "2"}, {"PMI_RANK", "1"}});
    const auto run = support::run_program(ASSAY_MPI_PROGRAM, {"cast", source.path(), folder.path("out")}, "", environment);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("this is task 2 of 2 that mpirun started, but MPI shows it no other, so that each would write "));
    EXPECT_FALSE(fs::exists(folder.path("out")));
}

TEST(SharedCast, ByTheProgramOfOneProcessIsRefused) {
    const CheckpointFolder source(in_shards(2, 16));
    const TemporaryFolder folder;
    const auto run = support::run_program(MPIRUN, {"--oversubscribe", "--bind-to", "none", "-n", "2", ASSAY_PROGRAM, "cast", source.path(), folder.path("out")},
                                          "", support::mpi_environment());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("of 2 that mpirun started, and each would write "));
    EXPECT_FALSE(fs::exists(folder.path("out")));
}

TEST(SharedCast, NamesWhatADeadRankHadInHandAndKeepsTheRest) {
    const CheckpointFolder source(in_shards(12, 24000));
    const TemporaryFolder folder;
    const auto alone = support::run({"cast", source.path(), folder.path("alone"), "--verify"});
    ASSERT_EQ(alone.exit_code, 0) << alone.err;

    const std::string target = folder.path("out");
    for (const auto& [name, value] : support::mpi_environment()) ::setenv(name.c_str(), value.c_str(), 1);
    support::RunningProgram job(MPIRUN, support::mpirun_args(2, {"cast", source.path(), target, "--verify", "--threads", "1"}),
                                folder.path("output"));
    ASSERT_TRUE(support::kill_rank_at_work(job, 1, target + "/.assay-cast/claims", [&](const std::string& shard) {
        return fs::exists(target + "/.assay-cast/" + shard + ".json");
    })) << "the job ended before its second rank could be killed";
    EXPECT_NE(job.wait(), 0);

    const std::set<std::string> lost = claimed_without_record(target);
    EXPECT_FALSE(lost.empty());
    const auto again = support::run_ranks(2, {"cast", source.path(), target, "--verify"});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    for (const std::string& shard : lost) EXPECT_THAT(again.out, HasSubstr(shard));
    EXPECT_THAT(again.out, HasSubstr("begun anew"));
    EXPECT_EQ(support::files_below(target), support::files_below(folder.path("alone")));
}

}  // namespace
}  // namespace assay
