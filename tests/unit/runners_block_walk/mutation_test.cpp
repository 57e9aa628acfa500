// A good pair, scales and elements damaged one bit at a time: the audit finds every flip and says where.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <set>

#include "runners/drivers/block_walk.hpp"
#include "tests/unit/runners_block_walk/small_pair.hpp"

namespace assay::runners {
namespace {

using bit_exact::BlockDifference;
using bit_exact::Difference;
using bit_exact::LocatedDifference;
using bit_exact::PairAudit;
using checkpoints::Opened;
using checkpoints::Tensor;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

// A checkpoint that was opened once, and whose bytes can be changed between two walks.
class Damageable {
public:
    explicit Damageable(const CheckpointFiles& files)
        : folder_(files), opened(checkpoints::open_and_recognise(folder_.path())) {
        for (const checkpoints::Shard& shard : opened.checkpoint.shards)
            files_.push_back(::open(folder_.path(shard.file).c_str(), O_RDWR | O_CLOEXEC));
    }
    ~Damageable() {
        for (const int file : files_) ::close(file);
    }
    Damageable(const Damageable&) = delete;
    Damageable& operator=(const Damageable&) = delete;

    void flip(const std::string& tensor, std::uint64_t byte, unsigned bit) const {
        const Tensor& place = *opened.checkpoint.find(tensor);
        const auto at = static_cast<off_t>(place.begin + byte);
        unsigned char value = 0;
        ASSERT_EQ(::pread(files_[place.shard], &value, 1, at), 1);
        value = static_cast<unsigned char>(value ^ 1U << bit);
        ASSERT_EQ(::pwrite(files_[place.shard], &value, 1, at), 1);
    }

private:
    CheckpointFolder folder_;
    std::vector<int> files_;

public:
    Opened opened;
};

struct Dialects {
    Dialect source;
    Dialect target;
    bool banks;
    const char* payload;  // suffixes of the target
    const char* scale;
    const char* global;
    std::uint64_t block = 32;  // columns of a block, as the source has them
};

const std::vector<Dialects>& dialects() {
    using enum Dialect;
    static const std::vector<Dialects> all{
        {compressed_tensors_mxfp4, modelopt_nvfp4, false, ".weight", ".weight_scale", ".weight_scale_2"},
        {compressed_tensors_mxfp4, compressed_tensors_nvfp4, false, ".weight_packed", ".weight_scale",
         ".weight_global_scale"},
        {gpt_oss, modelopt_nvfp4, true, "", "_weight_scale", "_weight_scale_2"},
        {deepseek_v4, compressed_tensors_mxfp4, false, ".weight_packed", ".weight_scale", nullptr},
        {modelopt_nvfp4, compressed_tensors_nvfp4, false, ".weight_packed", ".weight_scale", ".weight_global_scale", 16}};
    return all;
}

// All differences of a walk, in their order.
PairAudit walk(const Opened& source, const Opened& target, std::vector<LocatedDifference>* all = nullptr) {
    WalkOptions options;
    options.most_differences = 1000;
    if (all != nullptr) options.on_difference = [all](const LocatedDifference& one) { all->push_back(one); };
    return walk_blocks(source, target, checkpoints::pair_up(source, target), options);
}

bool is_zero_block(const support::Weight& weight, std::uint64_t first, std::uint64_t width) {
    return std::all_of(weight.nibbles.begin() + static_cast<std::ptrdiff_t>(first),
                       weight.nibbles.begin() + static_cast<std::ptrdiff_t>(first + width),
                       [](std::uint8_t nibble) { return (nibble & 7U) == 0; });
}

TEST(Mutation, EveryBitOfEveryBlockScaleIsFoundAndLocated) {
    for (const Dialects& pair : dialects()) {
        const auto model = small_pair(pair.banks, 4, 64);
        const Damageable source(store(model, pair.source));
        Damageable target(store(model, pair.target));
        const std::uint64_t width = pair.global == nullptr ? 32 : 16;
        int value_equal = 0;
        for (const support::Weight& weight : model.weights) {
            const std::string scale = weight.name + pair.scale;
            for (std::uint64_t byte = 0; byte < weight.nibbles.size() / width; ++byte) {
                for (unsigned bit = 0; bit < 8; ++bit) {
                    target.flip(scale, byte, bit);
                    const PairAudit audit = walk(source.opened, target.opened);
                    target.flip(scale, byte, bit);
                    ASSERT_EQ(audit.differences.size(), 1U) << scale << ' ' << byte << ' ' << bit;
                    const LocatedDifference& found = audit.differences[0];
                    EXPECT_EQ(found.weight, weight.name);
                    EXPECT_EQ(found.block.row * weight.columns / pair.block + found.block.block, byte * width / pair.block);
                    // Zeros are zeros under any scale that is a number.
                    const bool zeros = is_zero_block(weight, byte * width, width);
                    const bool undefined = found.block.kind == Difference::undefined;
                    EXPECT_EQ(audit.blocks.exact, audit.blocks.blocks - (zeros && !undefined ? 0 : 1));
                    EXPECT_EQ(found.block.kind == Difference::zero_scale, zeros && !undefined);
                    value_equal += zeros && !undefined ? 1 : 0;
                }
            }
        }
        EXPECT_GT(value_equal, 0);
        EXPECT_TRUE(walk(source.opened, target.opened).differences.empty());
    }
}

TEST(Mutation, EveryBitOfEveryGlobalScaleIsFoundInAllBlocksOfItsWeight) {
    for (const Dialects& pair : dialects()) {
        if (pair.global == nullptr) continue;
        const auto model = small_pair(pair.banks, 4, 64);
        const Damageable source(store(model, pair.source));
        Damageable target(store(model, pair.target));
        for (const support::Weight& weight : model.weights) {
            for (unsigned bit = 0; bit < 32; ++bit) {
                target.flip(weight.name + pair.global, bit / 8, bit % 8);
                const PairAudit audit = walk(source.opened, target.opened);
                target.flip(weight.name + pair.global, bit / 8, bit % 8);
                EXPECT_EQ(audit.differences.size(), weight.nibbles.size() / pair.block) << bit;
                EXPECT_EQ(audit.weights_exact, 1U) << bit;
                for (const LocatedDifference& one : audit.differences) ASSERT_EQ(one.weight, weight.name);
            }
        }
    }
}

struct Flip {
    std::string weight;
    std::uint64_t row = 0;
    std::uint64_t block = 0;
    unsigned element = 0;
    bool value_equal = false;
    auto operator<=>(const Flip&) const = default;
};

// Flips one bit in each of `count` blocks, and expects exactly these to be found. The number of value-equal ones.
std::uint64_t flip_and_find(const support::SmallModel& model, const Dialects& pair, const Opened& source, Damageable& target,
                            std::size_t count, std::mt19937& random) {
    std::set<std::pair<std::string, std::uint64_t>> hit;
    std::vector<std::pair<std::string, std::pair<std::uint64_t, unsigned>>> done;
    std::vector<Flip> expected;
    while (hit.size() < count) {
        const support::Weight& weight = model.weights[random() % 2];
        const std::uint64_t byte = random() % (weight.nibbles.size() / 2);
        const unsigned bit = random() % 8;
        if (!hit.insert({weight.name, 2 * byte / pair.block}).second) continue;
        target.flip(weight.name + pair.payload, byte, bit);
        done.push_back({weight.name + pair.payload, {byte, bit}});
        const std::uint64_t element = 2 * byte + bit / 4;
        const bool sign_of_zero = (weight.nibbles[element] & 7U) == 0 && bit % 4 == 3;
        expected.push_back({weight.name, element / weight.columns, element % weight.columns / pair.block,
                            static_cast<unsigned>(element % pair.block), sign_of_zero});
    }
    std::vector<LocatedDifference> all;
    const PairAudit audit = walk(source, target.opened, &all);
    std::vector<Flip> found;
    for (const LocatedDifference& one : all)
        found.push_back({one.weight, one.block.row, one.block.block, one.block.element,
                         one.block.kind == Difference::negative_zero});
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found.size(), expected.size());
    EXPECT_TRUE(found == expected);
    EXPECT_EQ(audit.blocks.payload_equal, audit.blocks.blocks - count);
    for (const auto& [tensor, place] : done) target.flip(tensor, place.first, place.second);
    return static_cast<std::uint64_t>(
        std::count_if(expected.begin(), expected.end(), [](const Flip& one) { return one.value_equal; }));
}

TEST(Mutation, AHundredThousandBitsOfPackedWeightsAreFoundAndLocated) {
    constexpr std::size_t in_round = 500;
    constexpr std::size_t rounds = 50;
    std::mt19937 random(20261130);
    std::uint64_t flips = 0;
    std::uint64_t value_equal = 0;
    for (const Dialects& pair : dialects()) {
        const auto model = small_pair(pair.banks, pair.banks ? 16 : 32, 512);
        const Damageable source(store(model, pair.source));
        Damageable target(store(model, pair.target));
        for (std::size_t round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
            value_equal += flip_and_find(model, pair, source.opened, target, in_round, random);
            flips += in_round;
        }
        // Alone among good blocks, too.
        for (int i = 0; i < 100; ++i) flip_and_find(model, pair, source.opened, target, 1, random);
    }
    EXPECT_EQ(flips, 125'000U);
    EXPECT_GT(value_equal, 1000U);
}

TEST(Mutation, EveryBitOfAPlainTensorIsFound) {
    const auto model = small_pair(false, 4, 64);
    const Damageable source(store(model, Dialect::compressed_tensors_mxfp4));
    Damageable target(store(model, Dialect::modelopt_nvfp4));
    for (unsigned bit = 0; bit < 64; ++bit) {
        target.flip("norm", bit / 8, bit % 8);
        const PairAudit audit = walk(source.opened, target.opened);
        target.flip("norm", bit / 8, bit % 8);
        ASSERT_EQ(audit.tensor_differences.size(), 1U);
        EXPECT_EQ(audit.tensor_differences[0].tensor, "norm");
        EXPECT_EQ(audit.tensor_differences[0].first_byte, bit / 8);
    }
}

}  // namespace
}  // namespace assay::runners
