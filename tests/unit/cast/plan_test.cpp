// What a cast of the published Kimi-K3 comes to, from its geometry alone.
#include "datasets/cast/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/checkpoints/kimi_k3_geometry.hpp"

namespace assay::cast {
namespace {

using namespace checkpoints;

// A shard of each kind, and how many of the kind there are: the dense layer, layers with linear and with latent attention,
// embeddings, projector, vision tower.
struct Kind {
    unsigned shard = 0;
    std::uint64_t count = 0;
};
constexpr std::array<Kind, 6> kinds{{{1, 1}, {2, 68}, {4, 24}, {94, 1}, {95, 1}, {96, 1}}};

Opened published() {
    Opened opened;
    for (std::uint32_t shard = 0; shard < kinds.size(); ++shard) {
        opened.checkpoint.shards.emplace_back();
        opened.checkpoint.shards.back().file = support::kimi_k3_shard_name(kinds[shard].shard);
        std::uint64_t at = 0;
        for (const support::StoredTensor& stored : support::kimi_k3_shard(kinds[shard].shard)) {
            Tensor tensor{stored.name, stored.dtype, stored.shape, shard, at, 0};
            at += support::bytes_needed(stored);
            tensor.end = at;
            opened.checkpoint.tensors.push_back(std::move(tensor));
        }
    }
    std::sort(opened.checkpoint.tensors.begin(), opened.checkpoint.tensors.end(),
              [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
    opened.recognition = recognise(opened.checkpoint.tensors);
    return opened;
}

CastTotals whole(const CastPlan& plan) {
    CastTotals totals;
    for (std::uint32_t i = 0; i < kinds.size(); ++i) {
        const ShardPlan shard = plan.shard(i);
        totals.tensors += kinds[i].count * shard.tensors.size();
        totals.total_size += kinds[i].count * (shard.bytes - shard.header.size());
    }
    return totals;
}

TEST(CastPlan, OfThePublishedKimiK3HasTheCountsOfItsTarget) {
    const Opened source = published();
    CastOptions options;
    const CastTotals weights = whole(CastPlan(source, options));
    EXPECT_EQ(weights.tensors, 744'516U);
    EXPECT_EQ(weights.total_size, 1'645'946'964'992U);
    options.input_scales = true;
    const CastPlan plan(source, options);
    const CastTotals both = whole(plan);
    EXPECT_EQ(both.tensors, 991'812U);
    EXPECT_EQ(both.total_size - weights.total_size, 989'184U);
    EXPECT_EQ(plan.groups(), 2U * 2 * 896);  // w1 with w3, and w2, of two layers
    options.sharing = Sharing::bank;
    EXPECT_EQ(CastPlan(source, options).groups(), 2U * 2);
    options.sharing = Sharing::tensor;
    EXPECT_EQ(CastPlan(source, options).groups(), 3U * 2 * 896);
}

TEST(SharingKey, KeepsTogetherWhatServersFuse) {
    const std::string base = "model.layers.3.mlp.experts.17.";
    EXPECT_EQ(sharing_key(base + "w1", Sharing::pair), sharing_key(base + "w3", Sharing::pair));
    EXPECT_NE(sharing_key(base + "w1", Sharing::pair), sharing_key(base + "w2", Sharing::pair));
    EXPECT_NE(sharing_key(base + "w1", Sharing::tensor), sharing_key(base + "w3", Sharing::tensor));
    EXPECT_EQ(sharing_key(base + "w3", Sharing::bank), sharing_key("model.layers.3.mlp.experts.5.w1", Sharing::bank));
    EXPECT_NE(sharing_key(base + "w3", Sharing::bank), sharing_key("model.layers.4.mlp.experts.5.w1", Sharing::bank));
    EXPECT_NE(sharing_key(base + "w2", Sharing::bank), sharing_key(base + "w1", Sharing::bank));
}

}  // namespace
}  // namespace assay::cast
