// A good pair, header, index and configuration damaged one bit at a time: every flip is found, at its file or key. What no
// reference determines is exempt, by key.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/error.hpp"
#include "runners/drivers/block_walk.hpp"
#include "runners/drivers/walk_scalars.hpp"
#include "scorers/rules/pair_findings.hpp"
#include "scorers/rules/rule.hpp"
#include "tests/support/checkpoints/json_key.hpp"
#include "tests/unit/runners_block_walk/small_pair.hpp"

namespace assay::runners {
namespace {

using bit_exact::PairAudit;
using checkpoints::Opened;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

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
                         EXPECT_TRUE(any_mentions(said, {index_name, "model.safetensors", "norm", "lm_head", "l.w1", "l.w2",
                                                         "total_size"}))
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
