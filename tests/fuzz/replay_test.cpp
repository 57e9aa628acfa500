// The kept corpora, and damaged copies of them, through every target: with any compiler, in every build.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/targets.hpp"

namespace assay::fuzz {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> corpus_of(const Target& target) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(fs::path(ASSAY_FUZZ_CORPUS) / target.name)) paths.push_back(entry);
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> corpus;
    for (const fs::path& path : paths) {
        std::ifstream file(path, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return corpus;
}

class Replay : public testing::TestWithParam<Target> {};

TEST_P(Replay, KeepsItsPromisesOnEveryFileOfTheCorpus) {
    const std::vector<Bytes> corpus = corpus_of(GetParam());
    EXPECT_GE(corpus.size(), 10U);
    for (const Bytes& bytes : corpus) GetParam().run(bytes);
    GetParam().run({});
}

TEST_P(Replay, KeepsItsPromisesOnDamagedCopies) {
    const std::vector<Bytes> corpus = corpus_of(GetParam());
    ASSERT_FALSE(corpus.empty());
    std::mt19937 random(20261130);  // the same damage every time
    const auto below = [&](std::size_t bound) { return random() % bound; };
    for (int round = 0; round < 1000; ++round) {
        Bytes bytes = corpus[below(corpus.size())];
        for (std::size_t damage = 1 + below(3); damage > 0 && !bytes.empty(); --damage) {
            const std::size_t at = below(bytes.size());
            const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
            switch (below(4)) {
                case 0: bytes[at] ^= static_cast<std::uint8_t>(1U << below(8)); break;
                case 1: bytes[at] = static_cast<std::uint8_t>(random()); break;
                case 2:
                    bytes.erase(here, here + static_cast<std::ptrdiff_t>(1 + below(std::min<std::size_t>(16, bytes.size() - at))));
                    break;
                default: {
                    const Bytes piece(here, here + static_cast<std::ptrdiff_t>(1 + below(std::min<std::size_t>(64, bytes.size() - at))));
                    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size())), piece.begin(), piece.end());
                }
            }
        }
        GetParam().run(bytes);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryTarget, Replay, testing::ValuesIn(targets),
                         [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace assay::fuzz
