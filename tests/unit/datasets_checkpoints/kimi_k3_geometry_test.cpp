// The geometry that tests write against the files that were published.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <string>

#include "datasets/checkpoints/index.hpp"
#include "tests/support/checkpoints/kimi_k3_geometry.hpp"
#include "tests/support/checkpoints/published.hpp"

namespace assay::checkpoints {
namespace {

std::string unzipped(const std::string& path) {
    std::FILE* pipe = ::popen(("gzip -dc '" + path + "'").c_str(), "r");
    std::string text;
    char piece[65536];
    while (const std::size_t got = std::fread(piece, 1, sizeof piece, pipe)) text.append(piece, got);
    EXPECT_EQ(::pclose(pipe), 0);
    return text;
}

TEST(KimiK3Geometry, EveryShardHasThePublishedSizeToTheByte) {
    const std::string path = support::published_kimi_k3("shard_sizes.txt");
    if (path.empty()) GTEST_SKIP() << support::published_kimi_k3_missing;
    std::ifstream file(path);
    std::string name;
    std::uint64_t size = 0;
    for (unsigned shard = 1; shard <= support::kimi_k3_shards; ++shard) {
        ASSERT_TRUE(file >> name >> size);
        EXPECT_EQ(name, support::kimi_k3_shard_name(shard));
        std::vector<support::StoredTensor> tensors = support::kimi_k3_shard(shard);
        std::uint64_t bytes = 8 + support::header_json(tensors).size();
        for (const auto& tensor : tensors) bytes += support::bytes_needed(tensor);
        EXPECT_EQ(bytes, size) << name;
    }
}

TEST(KimiK3Geometry, EveryTensorStandsInThePublishedIndexAndInItsShard) {
    const std::string path = support::published_kimi_k3("model.safetensors.index.json.gz");
    if (path.empty()) GTEST_SKIP() << support::published_kimi_k3_missing;
    const Index index = parse_index(unzipped(path), "index");
    EXPECT_EQ(index.entries.size(), 497'220U);
    std::uint64_t total = 0;
    std::size_t tensors = 0;
    for (unsigned shard = 1; shard <= support::kimi_k3_shards; ++shard) {
        for (const support::StoredTensor& tensor : support::kimi_k3_shard(shard)) {
            total += support::bytes_needed(tensor);
            ++tensors;
            const IndexEntry* const entry = find_entry(index, tensor.name);
            ASSERT_NE(entry, nullptr) << tensor.name;
            EXPECT_EQ(index.files[entry->file], support::kimi_k3_shard_name(shard));
        }
    }
    EXPECT_EQ(tensors, index.entries.size());
    EXPECT_EQ(index.total_size, total);
    EXPECT_EQ(total, 1'560'860'324'864U);
}

}  // namespace
}  // namespace assay::checkpoints
