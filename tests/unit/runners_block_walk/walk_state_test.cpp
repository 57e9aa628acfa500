// A walk that is gone on with, from every place where the process before may have ended.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <sstream>

#include "harness/error.hpp"
#include "runners/drivers/block_walk.hpp"
#include "runners/drivers/differences_file.hpp"
#include "tests/support/checkpoints/small_model.hpp"

namespace assay::runners {
namespace {

using bit_exact::PairAudit;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

struct Outcome {
    PairAudit audit;
    rules::ScalarFacts facts;
    std::uint64_t bytes = 0;         // read by this process
    std::string differences;         // what the file holds in the end
};

class WalkStateTest : public testing::Test {
protected:
    WalkStateTest() : source(store(support::kimi_k3_like(2), Dialect::compressed_tensors_mxfp4)), target(broken()) {}

    // Every class of outcome: exact, different, scales off, bytes of a tensor, something unreadable.
    static CheckpointFiles broken() {
        const auto model = support::kimi_k3_like(2);
        CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
        for (std::size_t i = 0; i < 40; ++i) files.tensor(model.weights[1].name + ".weight").bytes[16 * i] ^= 1;
        files.tensor(model.weights[3].name + ".weight_scale_2").bytes[2] ^= 0x80;
        files.tensor(model.weights[4].name + ".weight_scale").bytes[9] = 0x7f;
        files.tensor("language_model.model.norm.weight").bytes[3] ^= 1;
        return files;
    }

    Outcome walk(bool keep, Cancel* cancel = nullptr, std::size_t show = 5) {
        const checkpoints::Opened a = checkpoints::open_and_recognise(source.path());
        const checkpoints::Opened b = checkpoints::open_and_recognise(target.path());
        Outcome outcome;
        WalkProgress progress;
        DifferencesFile file(folder.path(keep ? "differences" : "undisturbed"));
        WalkOptions options;
        options.most_differences = show;
        options.target_facts = &outcome.facts;
        options.progress = &progress;
        options.cancel = cancel;
        // With one thread the units behind the first difference are certainly unread when it is seen.
        options.threads = cancel == nullptr ? 2 : 1;
        options.on_difference = [&](const bit_exact::LocatedDifference& one) {
            file.add(one.weight + " " + std::to_string(one.block.row) + " " + std::to_string(one.block.block) + "\n");
            if (cancel != nullptr) cancel->raise();
        };
        options.state.keep_differences = [&](std::uint64_t bytes) { file.keep(bytes); };
        options.state.differences_bytes = [&] { return file.flushed(); };
        if (keep) options.state.path = folder.path("state");
        options.state.differences = "differences";
        outcome.audit = walk_blocks(a, b, checkpoints::pair_up(a, b), options);
        outcome.bytes = progress.bytes_done - progress.bytes_before;
        file.finish();
        outcome.differences = folder.read(keep ? "differences" : "undisturbed");
        return outcome;
    }

    static void expect_same(const Outcome& found, const Outcome& wanted) {
        EXPECT_EQ(found.differences, wanted.differences);
        EXPECT_EQ(found.audit.blocks.exact, wanted.audit.blocks.exact);
        EXPECT_EQ(found.audit.blocks.differences, wanted.audit.blocks.differences);
        EXPECT_EQ(found.audit.blocks.errors, wanted.audit.blocks.errors);
        EXPECT_EQ(found.audit.blocks.max_abs_err, wanted.audit.blocks.max_abs_err);
        EXPECT_EQ(found.audit.blocks.served_bf16, wanted.audit.blocks.served_bf16);
        EXPECT_EQ(found.audit.weights_exact, wanted.audit.weights_exact);
        EXPECT_EQ(found.audit.tensors_identical, wanted.audit.tensors_identical);
        EXPECT_EQ(found.audit.tensor_differences.size(), wanted.audit.tensor_differences.size());
        EXPECT_EQ(found.audit.source_fingerprint, wanted.audit.source_fingerprint);
        EXPECT_EQ(found.audit.target_fingerprint, wanted.audit.target_fingerprint);
        ASSERT_EQ(found.audit.differences.size(), wanted.audit.differences.size());
        for (std::size_t i = 0; i < wanted.audit.differences.size(); ++i) {
            EXPECT_EQ(found.audit.differences[i].weight, wanted.audit.differences[i].weight);
            EXPECT_EQ(found.audit.differences[i].block.row, wanted.audit.differences[i].block.row);
            EXPECT_EQ(found.audit.differences[i].block.kind, wanted.audit.differences[i].block.kind);
        }
        EXPECT_EQ(found.facts.global, wanted.facts.global);
        ASSERT_EQ(found.facts.surveys.size(), wanted.facts.surveys.size());
        for (std::size_t i = 0; i < wanted.facts.surveys.size(); ++i) {
            EXPECT_EQ(found.facts.surveys[i].whole, wanted.facts.surveys[i].whole);
            EXPECT_EQ(found.facts.surveys[i].counts, wanted.facts.surveys[i].counts);
        }
    }

    CheckpointFolder source;
    CheckpointFolder target;
    CheckpointFolder folder;
};

TEST_F(WalkStateTest, FromEveryPlaceTheResultIsThatOfAnUndisturbedWalk) {
    const Outcome wanted = walk(false);
    const Outcome first = walk(true);
    expect_same(first, wanted);
    EXPECT_FALSE(wanted.differences.empty());
    std::vector<std::string> lines;
    std::istringstream state(folder.read("state"));
    for (std::string line; std::getline(state, line);) lines.push_back(line + "\n");
    ASSERT_GT(lines.size(), 10U);
    std::uint64_t before = first.bytes + 1;
    for (std::size_t kept = 1; kept <= lines.size(); ++kept) {
        std::string text;
        for (std::size_t i = 0; i < kept; ++i) text += lines[i];
        folder.write("state", text);
        // A killed process may have written more than its state knows of.
        folder.write("differences", wanted.differences + "half a li");
        const Outcome found = walk(true);
        expect_same(found, wanted);
        EXPECT_LE(found.bytes, before);
        before = found.bytes;
        if (testing::Test::HasFailure()) FAIL() << "with " << kept << " lines of " << lines.size();
    }
    EXPECT_EQ(before, 0U);
}

TEST_F(WalkStateTest, AnInterruptedWalkIsGoneOnWith) {
    const Outcome wanted = walk(false);
    Cancel cancel;
    const Outcome interrupted = walk(true, &cancel);
    EXPECT_TRUE(interrupted.audit.cancelled);
    const Outcome found = walk(true);
    expect_same(found, wanted);
    EXPECT_LT(found.bytes, wanted.bytes);
}

void expect_refused(const std::function<void()>& walk, const std::string& words) {
    try {
        walk();
        FAIL() << "not refused";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
}

TEST_F(WalkStateTest, AnotherCheckpointOptionOrADamagedFileIsRefusedByName) {
    (void)walk(true);
    const std::string state = folder.read("state");
    expect_refused([&] { (void)walk(true, nullptr, 6); }, "show was 5 and is 6");
    const std::string shard = target.path("model-00002-of-000002.safetensors");
    const auto time = std::filesystem::last_write_time(shard);
    std::filesystem::last_write_time(shard, time + std::chrono::seconds(1));
    expect_refused([&] { (void)walk(true); }, "\"model-00002-of-000002.safetensors\" of the target has changed: its time");
    std::filesystem::last_write_time(shard, time);
    folder.write("state", state.substr(0, state.size() - 20));
    expect_refused([&] { (void)walk(true); }, "is damaged in line");
    std::string newer = state;
    newer.replace(newer.find("audit-state/1"), 13, "audit-state/2");
    folder.write("state", newer);
    expect_refused([&] { (void)walk(true); }, "its format is assay.audit-state/2");
    folder.write("state", state);
    folder.write("differences", "");
    expect_refused([&] { (void)walk(true); }, "does not hold the");
}

}  // namespace
}  // namespace assay::runners
