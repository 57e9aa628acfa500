// assay-mpi audit: many ranks say what one process says, byte for byte, and go on from where a dead one left off.
#include <gmock/gmock.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>

#include "harness/files/read_file.hpp"
#include "tests/mpi/kill_rank.hpp"
#include "tests/mpi/mpi_job.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFolder;
using support::Dialect;
using support::TemporaryFolder;
using testing::HasSubstr;

// A pair of nine shards with differences of many kinds, one of them past what a report shows.
class SharedAudit : public testing::Test {
protected:
    static support::SmallModel model(std::uint64_t rows) {
        support::SmallModel model = support::kimi_k3_like(1);
        model.weights.clear();
        const std::string prefix = "language_model.model.layers.1.block_sparse_moe.experts.";
        for (unsigned i = 0; i < 9; ++i) {
            support::Weight weight = support::random_weight(prefix + std::to_string(i) + ".w2", 1, rows + 16 * (i % 3), 64, i);
            weight.shard = "model-" + std::to_string(10001 + i) + "-of-10009.safetensors";
            model.weights.push_back(std::move(weight));
        }
        return model;
    }

    static support::CheckpointFiles broken(const support::SmallModel& model) {
        support::CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
        for (const std::size_t weight : {1U, 4U, 8U}) {
            for (std::size_t i = 0; i < 15; ++i) files.tensor(model.weights[weight].name + ".weight").bytes[16 * i] ^= 1;
        }
        files.tensor(model.weights[3].name + ".weight_scale_2").bytes[2] ^= 0x80;
        files.tensor(model.weights[6].name + ".weight_scale").bytes[9] = 0x7f;
        files.tensor("language_model.model.norm.weight").bytes[3] ^= 1;
        return files;
    }

    TemporaryFolder folder;
};

TEST_F(SharedAudit, OfAnyNumberOfRanksSaysWhatOneProcessSays) {
    const CheckpointFolder source(store(model(32), Dialect::compressed_tensors_mxfp4));
    const CheckpointFolder target(broken(model(32)));
    // The last shard ends early: unreadable for whoever comes to it.
    const std::string last = target.path("model-10009-of-10009.safetensors");
    fs::resize_file(last, fs::file_size(last) - 1);
    const std::string differences = folder.path("differences");
    const std::vector<std::string> args{"audit",  target.path(), "--source", source.path(), "--differences",
                                        differences, "--format",    "json",     "--threads",   "1"};
    const auto alone = support::run(args);
    EXPECT_EQ(alone.exit_code, 1) << alone.err;
    const std::string expected = files::read_file(differences);
    EXPECT_FALSE(expected.empty());
    for (const int ranks : {1, 2, 4}) {
        fs::remove(differences);
        auto shared_args = args;
        shared_args.insert(shared_args.end(), {"--resume", folder.path("job" + std::to_string(ranks))});
        const auto shared = support::run_ranks(ranks, shared_args);
        EXPECT_EQ(shared.exit_code, 1) << shared.err;
        EXPECT_EQ(shared.out, alone.out) << ranks << " ranks";
        EXPECT_EQ(files::read_file(differences), expected) << ranks << " ranks";
    }
}

TEST_F(SharedAudit, OfACheckpointAloneForItsFingerprintIsThatOfOneProcess) {
    const CheckpointFolder target(store(model(32), Dialect::modelopt_nvfp4));
    const auto alone = support::run({"audit", target.path(), "--fingerprint"});
    EXPECT_THAT(alone.out, HasSubstr("\nfingerprint "));
    const auto shared = support::run_ranks(2, {"audit", target.path(), "--fingerprint", "--resume", folder.path("job")});
    EXPECT_EQ(shared.exit_code, alone.exit_code) << shared.err;
    EXPECT_EQ(shared.out, alone.out);
}

TEST_F(SharedAudit, RefusesByNameWhatRanksCannotShare) {
    const CheckpointFolder target(store(model(32), Dialect::modelopt_nvfp4));
    const auto expect = [&](std::vector<std::string> more, const char* words) {
        std::vector<std::string> args{"audit", target.path()};
        args.insert(args.end(), more.begin(), more.end());
        const auto run = support::run_ranks(2, args);
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr(words));
    };
    expect({}, "a checkpoint alone is audited by one process");
    expect({"--source", target.path()}, "expected --resume FOLDER");
    expect({"--source", target.path(), "--resume", folder.path("job"), "--reconstruct-source-digests"}, "by one process");
}

TEST_F(SharedAudit, OfACheckpointThatHasChangedSinceIsRefusedByName) {
    const CheckpointFolder source(store(model(32), Dialect::compressed_tensors_mxfp4));
    const CheckpointFolder target(store(model(32), Dialect::modelopt_nvfp4));
    const std::vector<std::string> args{"audit", target.path(), "--source", source.path(), "--resume", folder.path("job")};
    EXPECT_EQ(support::run_ranks(2, args).exit_code, 0);
    fs::last_write_time(target.path("model-10003-of-10009.safetensors"), fs::file_time_type::clock::now() + std::chrono::hours(1));
    const auto again = support::run_ranks(2, args);
    EXPECT_EQ(again.exit_code, 2);
    EXPECT_THAT(again.err, HasSubstr("model-10003-of-10009.safetensors\" of the target has changed"));
}

TEST_F(SharedAudit, NamesWhatADeadRankHadInHandAndEndsAsIfItHadLived) {
    std::uint64_t rows = 4000;
    for (const auto& [name, value] : support::mpi_environment()) ::setenv(name.c_str(), value.c_str(), 1);
    for (int attempt = 0;; ++attempt, rows *= 2) {
        ASSERT_LT(attempt, 6) << "every job ended before its second rank could be killed";
        const CheckpointFolder source(store(model(rows), Dialect::compressed_tensors_mxfp4));
        const CheckpointFolder target(broken(model(rows)));
        const std::string differences = folder.path("differences");
        const std::vector<std::string> args{"audit", target.path(), "--source", source.path(), "--differences", differences,
                                            "--threads", "1"};
        const auto alone = support::run(args);
        const std::string expected = files::read_file(differences);
        const std::string job_folder = folder.path("job" + std::to_string(attempt));
        auto shared_args = args;
        shared_args.insert(shared_args.end(), {"--resume", job_folder});
        support::RunningProgram job(MPIRUN, support::mpirun_args(2, shared_args), folder.path("output"));
        const bool killed = support::kill_rank_at_work(job, 1, job_folder + "/claims", [&](const std::string& part) {
            return fs::exists(job_folder + "/" + part + ".jsonl");
        });
        const int code = job.wait();
        if (!killed) continue;
        EXPECT_NE(code, 0);
        const auto again = support::run_ranks(2, shared_args);
        EXPECT_EQ(again.exit_code, alone.exit_code) << again.err;
        EXPECT_THAT(again.err, HasSubstr("had in hand"));
        EXPECT_THAT(again.err, HasSubstr("rank 1 of 2"));
        EXPECT_EQ(again.out, alone.out);
        EXPECT_EQ(files::read_file(differences), expected);
        return;
    }
}

}  // namespace
}  // namespace assay
