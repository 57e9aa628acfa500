// A cast that is killed, stopped or short of disk, and started again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>

#include <chrono>
#include <functional>
#include <thread>

#include "tests/support/running_program.hpp"
#include "tests/support/stop_process.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/cast/casting.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::TemporaryFolder;
using testing::HasSubstr;

constexpr std::size_t zeros = 64U << 10;

// Six shards of three weights, 1.3 MB each, and of zeros behind them.
CheckpointFiles six_shards() {
    CheckpointFiles files;
    for (unsigned shard = 1; shard <= 6; ++shard) {
        auto& tensors = files.shards["model-0000" + std::to_string(shard) + "-of-000006.safetensors"];
        for (const unsigned w : {1U, 2U, 3U}) {
            const std::string name = "model.layers." + std::to_string(shard) + ".mlp.experts.0.w" + std::to_string(w);
            const auto weight = support::random_weight(name, 1, 512, 1536, shard * 3 + w);
            for (auto& tensor : store(weight, mxfp4)) tensors.push_back(std::move(tensor));
        }
        tensors.push_back(support::bytes_tensor("model.zeros." + std::to_string(shard), support::Dtype::U8, {zeros},
                                                std::vector<std::uint8_t>(zeros)));
    }
    files.others["config.json"] = "{\"model_type\": \"six\"}";
    return files;
}

std::string shard_of_six(unsigned number) { return "model-0000" + std::to_string(number) + "-of-000006.safetensors"; }

// The file with a hole for its last tensor, which is all zeros.
void make_sparse(const std::string& path) {
    const auto bytes = fs::file_size(path);
    fs::resize_file(path, bytes - zeros);
    fs::resize_file(path, bytes);
}

bool wait_until(const std::function<bool()>& there) {
    for (int i = 0; i < 20'000; ++i) {
        if (there()) return true;
        std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    return false;
}

TEST(Cast, KilledAnywhereGoesOnAndComesOutTheSame) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_EQ(cast(source.path(), folder.path("whole"), {"--verify"}).exit_code, 0);
    const std::string out = folder.path("out");
    unsigned kills = 0;
    for (unsigned shard = 1; shard <= 6; ++shard) {
        support::RunningProgram program({"cast", source.path(), out, "--verify"}, folder.path("log"));
        // Some are killed inside a shard, some between the shard and its record, some behind it.
        const std::string place = shard % 3 == 0   ? "/." + shard_of_six(shard) + ".partial"
                                  : shard % 3 == 1 ? "/" + shard_of_six(shard)
                                                   : "/.assay-cast/" + shard_of_six(shard) + ".json";
        ASSERT_TRUE(wait_until([&] { return fs::exists(out + place) || !program.running(); }));
        if (!program.running()) break;
        program.signal(SIGKILL);
        program.wait();
        ++kills;
    }
    EXPECT_GE(kills, 1U);
    if (!fs::exists(out + "/assay-cast.json")) {
        const auto last = cast(source.path(), out, {"--verify"});
        EXPECT_EQ(last.exit_code, 0) << last.err;
        EXPECT_THAT(last.out, HasSubstr("blocks bit-exact  442,368 / 442,368 (100.0000 %)"));
    }
    auto one = files_in(folder.path("whole"));
    auto other = files_in(out);
    one.erase("assay-cast.json");
    other.erase("assay-cast.json");
    EXPECT_EQ(one.size(), other.size());
    for (const auto& [name, bytes] : one) EXPECT_TRUE(other[name] == bytes) << name;
}

// A cast that was stopped behind its second shard; begun anew where it ended before the signal came.
void stop_behind_second(const CheckpointFolder& source, const TemporaryFolder& folder) {
    const std::string plan = folder.path("out/.assay-cast/plan.json");
    for (int start = 0; start < 50 && !fs::exists(plan); ++start) {
        fs::remove_all(folder.path("out"));
        support::RunningProgram program({"cast", source.path(), folder.path("out")}, folder.path("log"));
        ASSERT_TRUE(wait_until(
            [&] { return fs::exists(folder.path("out/.assay-cast/" + shard_of_six(2) + ".json")) || !program.running(); }));
        program.signal(SIGKILL);
        program.wait();
    }
    ASSERT_TRUE(fs::exists(plan)) << "it always finished before it was stopped";
    // Where it had got further, that is taken back.
    fs::remove(folder.path("out/assay-cast.json"));
    for (unsigned shard = 3; shard <= 6; ++shard) {
        fs::remove(folder.path("out/" + shard_of_six(shard)));
        fs::remove(folder.path("out/.assay-cast/" + shard_of_six(shard) + ".json"));
    }
}

// The last shard is written, and much of it is still to be compared.
TEST(Cast, InterruptedWhileItsLastShardIsVerifiedIsNotFinishedWithout) {
    CheckpointFiles files = store(support::gpt_oss_like(), support::Dialect::gpt_oss);
    constexpr std::size_t much = std::size_t{128} << 20;
    files.shards.begin()->second.push_back(
        support::bytes_tensor("zeros", support::Dtype::U8, {much}, std::vector<std::uint8_t>(much)));
    const CheckpointFolder source(files);
    const TemporaryFolder folder;
    const std::string out = folder.path("out");
    int code = 0;
    for (int start = 0; start < 50 && code != 130; ++start) {
        fs::remove_all(out);
        support::RunningProgram program({"cast", source.path(), out, "--verify"}, folder.path("log"));
        ASSERT_TRUE(wait_until(
            [&] { return fs::exists(out + "/.assay-cast/model.safetensors.json") || !program.running(); }));
        program.signal(SIGINT);
        code = program.wait();
    }
    EXPECT_EQ(code, 130);
    EXPECT_FALSE(fs::exists(out + "/assay-cast.json"));
    const auto run = cast(source.path(), out, {"--verify"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("1 shard of an earlier start kept"));
    EXPECT_THAT(run.out, HasSubstr("blocks bit-exact  448 / 448"));
}

TEST(Cast, NoticesASourceThatChangedInBetween) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_NO_FATAL_FAILURE(stop_behind_second(source, folder));
    EXPECT_THAT(cast(source.path(), folder.path("out"), {"--scale-sharing", "tensor"}).err,
                HasSubstr("was begun otherwise: --scale-sharing was pair and is tensor"));
    source.write(shard_of_six(1), source.read(shard_of_six(1)));
    const auto run = cast(source.path(), folder.path("out"));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(shard_of_six(1) + " of the source was written to since"));
}

// Puts other bytes into a file and gives it back its size and the time it was written to, as a copy of another version may have.
void replace_unseen(const std::string& path) {
    const auto time = fs::last_write_time(path);
    std::string bytes = text_of(path);
    bytes[bytes.size() - 7] = static_cast<char>(bytes[bytes.size() - 7] ^ 4);
    std::ofstream(path, std::ios::binary) << bytes;
    fs::last_write_time(path, time);
}

TEST(Cast, NoticesASourceThatWasReplacedByAFileOfItsSizeAndTime) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_NO_FATAL_FAILURE(stop_behind_second(source, folder));
    replace_unseen(source.path(shard_of_six(2)));
    const auto run = cast(source.path(), folder.path("out"));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(shard_of_six(2) + " of the source was written to since"));
}

TEST(Cast, KeepsWhatItMadeOfASourceWhoseRightsAloneHaveChanged) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_NO_FATAL_FAILURE(stop_behind_second(source, folder));
    for (unsigned shard = 1; shard <= 2; ++shard) fs::permissions(source.path(shard_of_six(shard)), fs::perms::owner_read);
    const auto run = cast(source.path(), folder.path("out"), {"--verify"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("2 shards of an earlier start kept"));
}

TEST(Cast, ChecksAFinishedShardAndWritesItAnewWhereItWasChanged) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    ASSERT_NO_FATAL_FAILURE(stop_behind_second(source, folder));
    const std::string touched = folder.path("out/" + shard_of_six(1));
    replace_unseen(folder.path("out/" + shard_of_six(2)));
    fs::last_write_time(touched, fs::last_write_time(touched) + std::chrono::seconds(5));
    const auto run = cast(source.path(), folder.path("out"), {"--verify"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("1 shard of an earlier start kept"));
    EXPECT_EQ(support::run({"audit", folder.path("out"), "--source", source.path(), "--strict-bytes"}).exit_code, 0);
}

TEST(CastReverse, KilledAnywhereGoesOnAndRestoresTheSource) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    const std::string made = folder.path("cast");
    const std::string out = folder.path("back");
    ASSERT_EQ(cast(source.path(), made).exit_code, 0);
    unsigned kills = 0;
    for (int start = 0; start < 50 && kills < 4; ++start) {
        fs::remove_all(kills == 0 ? out : "");
        const unsigned shard = kills + 1;
        const std::string place = shard % 3 == 0   ? "/." + shard_of_six(shard) + ".partial"
                                  : shard % 3 == 1 ? "/" + shard_of_six(shard)
                                                   : "/.assay-cast/" + shard_of_six(shard) + ".json";
        support::RunningProgram program({"cast", made, out, "--reverse"}, folder.path("log"));
        ASSERT_TRUE(wait_until([&] { return fs::exists(out + place) || !program.running(); }));
        program.signal(SIGKILL);
        program.wait();
        if (fs::exists(out + "/.assay-cast/plan.json")) {
            ++kills;
        } else {
            kills = 0;  // it had finished first: begun anew
        }
    }
    ASSERT_EQ(kills, 4U);
    const auto last = cast(made, out, {"--reverse"});
    EXPECT_EQ(last.exit_code, 0) << last.err;
    const auto back = files_in(out);
    const auto whole = files_in(source.path());
    EXPECT_EQ(back.size(), whole.size());
    for (const auto& [name, bytes] : whole) EXPECT_TRUE(back.contains(name) && back.at(name) == bytes) << name;
}

// A file system of that size in memory, for one test.
class SmallDisk {
public:
    SmallDisk(const std::string& folder, const char* size) : folder_(folder) {
        fs::create_directories(folder);
        there_ = ::mount("none", folder.c_str(), "tmpfs", 0, size) == 0;
    }
    ~SmallDisk() {
        if (there_) ::umount(folder_.c_str());
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    [[nodiscard]] bool there() const { return there_; }

private:
    std::string folder_;
    bool there_ = false;
};

// Space for a shard and a half more is left when the second is being begun. With holes nothing is reserved, and the disk
// is full in mid-shard.
TEST(Cast, ThatFillsTheDiskEndsCleanlyAndGoesOnWhenThereIsRoom) {
    for (const bool holes : {false, true}) {
        const CheckpointFolder source(six_shards());
        const TemporaryFolder folder;
        const SmallDisk disk(folder.path("disk"), "size=32m");
        if (!disk.there()) GTEST_SKIP() << "mounting a file system of its own is not permitted here";
        if (holes) {
            for (unsigned shard = 1; shard <= 6; ++shard) make_sparse(source.path(shard_of_six(shard)));
        }
        const std::string out = folder.path("disk/out");
        const std::string full = folder.path("disk/full");
        support::Run run;
        for (int start = 0; start < 50 && !fs::exists(full); ++start) {
            fs::remove_all(out);
            support::RunningProgram program({"cast", source.path(), out}, folder.path("log"));
            ASSERT_TRUE(wait_until(
                [&] { return fs::exists(out + "/.assay-cast/" + shard_of_six(1) + ".json") || !program.running(); }));
            if (!support::stop_process(program.process())) continue;  // it had ended
            if (fs::exists(out + "/" + shard_of_six(3)) || !fs::exists(out + "/.assay-cast/plan.json")) {
                program.signal(SIGKILL);  // too far already
                program.wait();
                continue;
            }
            std::string filler(static_cast<std::size_t>(fs::space(out).available) - 3'000'000, 'x');
            std::ofstream(full, std::ios::binary) << filler;
            program.signal(SIGCONT);
            run.exit_code = program.wait();
            run.err = text_of(folder.path("log"));
        }
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_THAT(run.err, HasSubstr("No space left on device"));
        for (const auto& [name, bytes] : files_in(out)) EXPECT_EQ(name.find(".partial"), std::string::npos) << name;
        EXPECT_THAT(cast(source.path(), out).err, HasSubstr(" GB left: make room"));
        fs::remove(full);
        const auto again = cast(source.path(), out, {"--verify"});
        EXPECT_EQ(again.exit_code, 0) << again.err;
        EXPECT_THAT(again.out, HasSubstr("of an earlier start kept"));
    }
}

TEST(Cast, SaysAtOnceThatTheDiskIsTooSmall) {
    const CheckpointFolder source(six_shards());
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path("small"), "size=1m");
    if (!disk.there()) GTEST_SKIP() << "mounting a file system of its own is not permitted here";
    const auto run = cast(source.path(), folder.path("small/out"));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("and its file system has 0.001 GB left"));
}

}  // namespace
}  // namespace assay
