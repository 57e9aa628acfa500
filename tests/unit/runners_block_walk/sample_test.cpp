// Which part a sample draws, and a walk of it.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/error.hpp"
#include "tests/unit/runners_block_walk/walked.hpp"

namespace assay::runners {
namespace {

using bit_exact::PairAudit;
using support::CheckpointFolder;
using support::Dialect;

TEST(Sample, RunsAreInsideApartAndOfTheShareAskedFor) {
    for (const std::uint64_t length : {1UL, 2UL, 63UL, 64UL, 1000UL, 3072UL, 1'000'003UL}) {
        for (const double fraction : {0.0001, 0.01, 0.3, 0.99, 1.0}) {
            std::uint64_t end = 0;
            std::uint64_t rows = 0;
            for (const RowRun& run : runs_of(length, Sample{fraction, 7}, "a")) {
                EXPECT_GE(run.first, end);
                EXPECT_GT(run.count, 0U);
                EXPECT_LE(run.count, fraction == 1.0 ? length : longest_run);
                end = run.first + run.count;
                rows += run.count;
            }
            EXPECT_LE(end, length);
            EXPECT_EQ(rows, std::max(1.0, std::round(static_cast<double>(length) * fraction)));
        }
    }
    EXPECT_TRUE(runs_of(0, Sample{0.5, 1}, "a").empty());
}

TEST(Sample, OtherSeedsAndNamesDrawOtherRowsAndTheSameOnesTheSame) {
    const auto first = [](std::uint64_t seed, const char* name) {
        return runs_of(1'000'000, Sample{0.0001, seed}, name).at(0).first;
    };
    EXPECT_EQ(first(1, "a"), first(1, "a"));
    EXPECT_NE(first(1, "a"), first(2, "a"));
    EXPECT_NE(first(1, "a"), first(1, "b"));
}

TEST(Sample, SharesAreReadAndOthersRefused) {
    EXPECT_EQ(share_from("1%"), 0.01);
    EXPECT_EQ(share_from("0.5 %"), 0.005);
    EXPECT_EQ(share_from("1"), 1.0);
    for (const char* bad : {"", "0", "-1%", "101%", "1.5", "x", "1%%", "nan", "1 percent"})
        EXPECT_THROW((void)share_from(bad), Error) << bad;
}

TEST(BlockWalk, ASampleVisitsEveryWeightWhateverTheThreads) {
    auto model = support::kimi_k3_like(4);
    for (support::Weight& weight : model.weights)
        weight = support::random_weight(weight.name, 1, 400, 64, static_cast<unsigned>(weight.name.size()));
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    for (support::Weight& weight : model.weights) {
        for (std::size_t i = 0; i < weight.nibbles.size(); i += 64) weight.nibbles[i] ^= 3;
    }
    const CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));
    std::vector<PairAudit> audits;
    for (const unsigned threads : {1U, 3U}) {
        WalkOptions options;
        options.threads = threads;
        options.sample = Sample{0.05, 11};
        audits.push_back(walk(source, target, options));
    }
    for (const PairAudit& audit : audits) {
        ASSERT_TRUE(audit.sample);
        EXPECT_EQ(audit.weights, model.weights.size());
        EXPECT_EQ(audit.weights_exact, 0U);
        EXPECT_EQ(audit.blocks.blocks, model.weights.size() * 20 * 2);
        EXPECT_EQ(audit.blocks.exact, model.weights.size() * 20);
        EXPECT_LT(audit.sample->bytes, audit.sample->bytes_all / 8);
        ASSERT_EQ(audit.differences.size(), audits[0].differences.size());
        for (std::size_t i = 0; i < audit.differences.size(); ++i)
            EXPECT_EQ(audit.differences[i].block.row, audits[0].differences[i].block.row);
    }
}

}  // namespace
}  // namespace assay::runners
