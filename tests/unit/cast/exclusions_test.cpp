#include "datasets/cast/exclusions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::cast {
namespace {

using testing::ElementsAre;

TEST(Exclusions, CoverTheShortestPartThatNoQuantizedWeightShares) {
    const auto made = exclusions({"model.layers.1.mlp.experts.0.w1", "model.layers.2.mlp.experts.7.w2"},
                                 {"model.layers.0.self_attn.q_proj", "model.layers.3.self_attn.o_proj", "lm_head",
                                  "model.layers.1.mlp.gate"});
    EXPECT_THAT(made.globs, ElementsAre("lm_head*", "model.layers.*.mlp.gate*", "model.layers.*.self_attn*"));
    EXPECT_THAT(made.regexes, ElementsAre("re:.*lm_head.*", "re:.*model\\.layers\\.\\d+\\.mlp\\.gate.*",
                                          "re:.*model\\.layers\\.\\d+\\.self_attn.*"));
}

TEST(Exclusions, KeepTheNumberOfALayerWhereServersRenameTheExpertsOfOthers) {
    const auto made = exclusions({"layers.1.block_sparse_moe.experts.0.w1"},
                                 {"layers.0.mlp.gate_proj", "layers.0.mlp.up_proj", "layers.1.block_sparse_moe.gate"});
    EXPECT_THAT(made.globs, ElementsAre("layers.*.block_sparse_moe.gate*", "layers.0.mlp*"));
    EXPECT_THAT(made.regexes,
                ElementsAre("re:.*layers\\.0\\.mlp.*", "re:.*layers\\.\\d+\\.block_sparse_moe\\.gate.*"));
}

TEST(Exclusions, NameAWeightInFullWhereOtherLayersHaveItQuantized) {
    const auto made = exclusions({"model.layers.1.mlp.up_proj"}, {"model.layers.0.mlp.up_proj"});
    EXPECT_THAT(made.globs, ElementsAre("*model.layers.0.mlp.up_proj"));
    EXPECT_THAT(made.regexes, ElementsAre("re:model\\.layers\\.0\\.mlp\\.up_proj$"));
}

TEST(Exclusions, DoNotCoverAQuantizedNameThatBeginsAlike) {
    const auto made = exclusions({"layers.0.mlp.gate_up"}, {"layers.0.mlp.gate"});
    EXPECT_THAT(made.globs, ElementsAre("*layers.0.mlp.gate"));
    EXPECT_THAT(made.regexes, ElementsAre("re:layers\\.0\\.mlp\\.gate$"));
}

}  // namespace
}  // namespace assay::cast
