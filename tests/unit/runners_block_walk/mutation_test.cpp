// A good pair, damaged one bit at a time: the audit finds every flip and says where.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "harness/error.hpp"
#include "runners/drivers/block_walk.hpp"
#include "runners/drivers/walk_scalars.hpp"
#include "scorers/rules/pair_findings.hpp"
#include "tests/support/checkpoints/json_key.hpp"
#include "tests/support/checkpoints/small_model.hpp"

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

// Two weights, of which the first has blocks of zeros of either sign, and a plain tensor.
support::SmallModel small_pair(bool banks, std::uint64_t rows, std::uint64_t columns) {
    support::SmallModel model;
    for (const unsigned seed : {1U, 2U}) {
        support::Weight weight = support::random_weight(seed == 1 ? "l.w1" : "l.w2", banks ? 2 : 1, rows, columns, seed);
        weight.shard = "model.safetensors";
        for (std::size_t i = 0; seed == 1 && i < weight.nibbles.size() * 3 / 8; ++i) weight.nibbles[i] = i % 5 == 0 ? 8 : 0;
        model.weights.push_back(std::move(weight));
    }
    auto& plain = model.plain.shards["model.safetensors"];
    plain.push_back(support::counted_tensor("norm", support::Dtype::BF16, {4}, 3));
    plain.push_back(support::counted_tensor("lm_head.weight", support::Dtype::BF16, {2, 2}, 9));
    return model;
}

// A checkpoint that was opened once, and whose bytes can be changed between two walks.
class Damageable {
public:
    explicit Damageable(const CheckpointFiles& files) : folder_(files), opened(checkpoints::open_and_recognise(folder_.path())) {
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
};

const std::vector<Dialects>& dialects() {
    using enum Dialect;
    static const std::vector<Dialects> all{
        {compressed_tensors_mxfp4, modelopt_nvfp4, false, ".weight", ".weight_scale", ".weight_scale_2"},
        {compressed_tensors_mxfp4, compressed_tensors_nvfp4, false, ".weight_packed", ".weight_scale",
         ".weight_global_scale"},
        {gpt_oss, modelopt_nvfp4, true, "", "_weight_scale", "_weight_scale_2"},
        {deepseek_v4, compressed_tensors_mxfp4, false, ".weight_packed", ".weight_scale", nullptr}};
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
                    EXPECT_EQ(found.block.row * weight.columns / 32 + found.block.block, byte * width / 32);
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
                EXPECT_EQ(audit.differences.size(), weight.nibbles.size() / 32) << bit;
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
        if (!hit.insert({weight.name, byte / 16}).second) continue;
        target.flip(weight.name + pair.payload, byte, bit);
        done.push_back({weight.name + pair.payload, {byte, bit}});
        const std::uint64_t element = 2 * byte + bit / 4;
        const bool sign_of_zero = (weight.nibbles[element] & 7U) == 0 && bit % 4 == 3;
        expected.push_back({weight.name, element / weight.columns, element % weight.columns / 32,
                            static_cast<unsigned>(element % 32), sign_of_zero});
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
    EXPECT_EQ(flips, 100'000U);
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

// What an audit says of a target, as the command puts it together. Walks only where nothing was found before.
std::vector<std::string> said_of(const Opened& source, const std::string& path) {
    std::vector<std::string> said;
    try {
        const Opened target = checkpoints::open_and_recognise(path);
        rules::ScalarFacts scalars = read_scalars(target);
        survey_scales(target, 1, nullptr, scalars);
        std::vector<rules::Finding> findings;
        rules::ask(rules::all_rules(), target, scalars, findings);
        const checkpoints::Pairing pairing = checkpoints::pair_up(source, target);
        const auto judge = [&](const PairAudit& audit) {
            for (rules::Finding& one : rules::pair_findings(source, target, pairing, audit)) findings.push_back(one);
            for (const rules::Finding& one : findings) {
                if (one.severity != rules::Severity::note)
                    said.push_back(one.rule + ' ' + one.shard + ' ' + one.tensor + ": " + one.message);
            }
            if (audit.blocks.exact != audit.blocks.blocks) said.push_back("blocks differ");
        };
        for (const std::string& fault : scalars.unreadable) said.push_back("unreadable " + fault);
        judge({});
        if (said.empty()) judge(walk_blocks(source, target, pairing, {}));
    } catch (const Error& error) {
        said.push_back(std::string("error ") + error.what());
    }
    return said;
}

// Flips every bit of [begin, end) of a file in turn, and gives the bytes of which some flip was not found, with how
// many. `located` is asked for every flip that was.
template <class Located>
std::map<std::size_t, int> missed_flips(const Opened& source, const CheckpointFolder& target, const std::string& file,
                                        std::size_t begin, std::size_t end, const Located& located) {
    const std::string text = target.read(file);
    const int fd = ::open(target.path(file).c_str(), O_WRONLY | O_CLOEXEC);
    std::map<std::size_t, int> missed;
    for (std::size_t byte = begin; byte < end; ++byte) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            const char flipped = static_cast<char>(text[byte] ^ (1 << bit));
            EXPECT_EQ(::pwrite(fd, &flipped, 1, static_cast<off_t>(byte)), 1);
            const std::vector<std::string> said = said_of(source, target.path());
            if (said.empty()) ++missed[byte];
            if (!said.empty()) located(byte, said);
        }
        EXPECT_EQ(::pwrite(fd, &text[byte], 1, static_cast<off_t>(byte)), 1);
    }
    ::close(fd);
    return missed;
}

// Bytes that are missed by the key they stand under.
std::set<std::string> keys_of(const std::map<std::size_t, int>& missed, const std::string& json, std::size_t begin) {
    const std::vector<std::string> keys = support::keys_of_bytes(json);
    std::set<std::string> found;
    for (const auto& [byte, flips] : missed) found.insert(keys.at(byte - begin));
    return found;
}

// For a message: each missed byte with its character.
std::string shown(const std::map<std::size_t, int>& missed, const std::string& text, std::size_t begin) {
    std::string out;
    for (const auto& [byte, flips] : missed)
        out += std::to_string(byte) + " '" + text.substr(byte - begin, 1) + "' x" + std::to_string(flips) + ", ";
    return out;
}

struct OnDisk {
    support::SmallModel model = small_pair(false, 2, 32);
    CheckpointFolder source{store(model, Dialect::compressed_tensors_mxfp4)};
    CheckpointFiles files = store(model, Dialect::modelopt_nvfp4);
    CheckpointFolder target{files};
    Opened opened_source = checkpoints::open_and_recognise(source.path());
};

const std::string index_name = "model.safetensors.index.json";

bool any_mentions(const std::vector<std::string>& said, const std::vector<std::string>& words) {
    return std::any_of(said.begin(), said.end(), [&](const std::string& one) {
        return std::any_of(words.begin(), words.end(),
                           [&](const std::string& word) { return one.find(word) != std::string::npos; });
    });
}

TEST(Mutation, EveryBitOfAHeaderIsFoundInItsFile) {
    OnDisk pair;
    const std::string shard = "model.safetensors";
    pair.target.write(shard, safetensors_file(pair.files.shards[shard], {{"format", "pt"}}));
    ASSERT_EQ(said_of(pair.opened_source, pair.target.path()), std::vector<std::string>{});
    const std::string header = pair.target.read(shard);
    const std::size_t length = static_cast<unsigned char>(header[0]) + 256U * static_cast<unsigned char>(header[1]);
    const auto missed = missed_flips(pair.opened_source, pair.target, shard, 0, 8 + length,
                                     [&](std::size_t byte, const std::vector<std::string>& said) {
                                         // The file, or a tensor that it has or should have.
                                         EXPECT_TRUE(any_mentions(said, {shard, "norm", "lm_head", "l.w1", "l.w2"})) << byte;
                                     });
    // Exempt: what a writer says of itself. Readers ask no more of it than to be text.
    EXPECT_EQ(keys_of(missed, header.substr(8, length), 8), (std::set<std::string>{"__metadata__.format"}))
        << header.substr(8) << shown(missed, header, 0);
}

TEST(Mutation, EveryBitOfTheIndexIsFoundInItOrAtItsTensor) {
    OnDisk pair;
    const std::string index = pair.target.read(index_name);
    const auto missed =
        missed_flips(pair.opened_source, pair.target, index_name, 0, index.size(),
                     [&](std::size_t byte, const std::vector<std::string>& said) {
                         EXPECT_TRUE(any_mentions(said, {index_name, "model.safetensors", "norm", "lm_head", "l.w1", "l.w2", "total_size"}))
                             << byte << ' ' << said[0];
                     });
    EXPECT_EQ(keys_of(missed, index, 0), std::set<std::string>{});
}

TEST(Mutation, EveryBitOfTheConfigurationThatAReaderLooksAtIsFound) {
    OnDisk pair;
    const std::string model =
        R"("architectures": ["KimiK3ForConditionalGeneration"], "model_type": "kimi_k3", "tie_word_embeddings": false)";
    pair.source.write("config.json", "{" + model + "}");
    pair.opened_source = checkpoints::open_and_recognise(pair.source.path());
    const std::string config =
        "{" + model +
        R"(, "quantization_config": {"quant_method": "modelopt", "quant_algo": "W4A16_NVFP4", "group_size": 16, )"
        R"("config_groups": {"g": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float"}}}, )"
        R"("producer": {"name": "modelopt", "version": "0.40"}, "ignore": ["lm_head"]}})";
    pair.target.write("config.json", config);
    ASSERT_EQ(said_of(pair.opened_source, pair.target.path()), std::vector<std::string>{});
    const auto missed = missed_flips(pair.opened_source, pair.target, "config.json", 0, config.size(),
                                     [](std::size_t, const std::vector<std::string>&) {});
    // Exempt: who wrote it, and groups, which the readers of this dialect leave alone: they go by quant_algo, group_size
    // and ignore.
    for (const std::string& key : keys_of(missed, config, 0)) {
        EXPECT_TRUE(key.starts_with("quantization_config.producer") || key.starts_with("quantization_config.config_groups"))
            << key << ' ' << shown(missed, config, 0);
    }
}

}  // namespace
}  // namespace assay::runners
