#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/module.hpp"
#include "tests/support/checkpoints/small_model.hpp"

namespace assay::checkpoints {
namespace {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using testing::HasSubstr;

Recognition recognise_in(const CheckpointFiles& files) {
    const CheckpointFolder folder(files);
    return recognise(open_checkpoint(folder.path()).tensors);
}

struct Case {
    const char* name;
    support::SmallModel model;
    Dialect dialect;
    LayoutId layout;
};

std::vector<Case> cases() {
    return {{"kimi", support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4, LayoutId::compressed_tensors_mxfp4},
            {"kimi modelopt", support::kimi_k3_like(), Dialect::modelopt_nvfp4, LayoutId::modelopt_nvfp4},
            {"kimi compressed-tensors", support::kimi_k3_like(), Dialect::compressed_tensors_nvfp4,
             LayoutId::compressed_tensors_nvfp4},
            {"gpt-oss", support::gpt_oss_like(), Dialect::gpt_oss, LayoutId::gpt_oss},
            {"gpt-oss original", support::gpt_oss_like(true), Dialect::gpt_oss_original, LayoutId::gpt_oss_original},
            {"gpt-oss modelopt", support::gpt_oss_like(), Dialect::modelopt_nvfp4, LayoutId::modelopt_nvfp4_bank},
            {"deepseek", support::deepseek_v4_like(), Dialect::deepseek_v4, LayoutId::deepseek_v4}};
}

TEST(Recognise, EveryWeightOfEveryDialectBecomesOneModuleOfItsLayout) {
    for (const Case& one : cases()) {
        const Recognition found = recognise_in(store(one.model, one.dialect));
        EXPECT_TRUE(found.broken.empty()) << one.name;
        for (const support::Weight& weight : one.model.weights) {
            const auto module = std::find_if(found.modules.begin(), found.modules.end(),
                                             [&](const Module& m) { return m.name == weight.name; });
            ASSERT_NE(module, found.modules.end()) << one.name << " " << weight.name;
            EXPECT_EQ(module->layout, one.layout) << one.name;
            EXPECT_EQ(module->banks, weight.banks);
            EXPECT_EQ(module->rows, weight.rows);
            EXPECT_EQ(module->columns, weight.columns);
            EXPECT_EQ(module->global.has_value(), layout_of(one.layout).global_scale != GlobalScale::none);
        }
        const std::size_t fp8 = one.dialect == Dialect::deepseek_v4 ? 1 : 0;
        EXPECT_EQ(found.modules.size(), one.model.weights.size() + fp8) << one.name;
    }
}

TEST(Recognise, PlainTensorsStayPlain) {
    const Recognition found = recognise_in(store(support::kimi_k3_like(), Dialect::modelopt_nvfp4));
    EXPECT_EQ(found.plain.size(), 9U);
}

TEST(Recognise, NvidiasMixedFormHasFp8BlocksBesideNvfp4) {
    CheckpointFiles files = store(support::kimi_k3_like(), Dialect::modelopt_nvfp4);
    auto& shard = files.shards.begin()->second;
    shard.push_back(support::counted_tensor("m.self_attn.b_proj.weight", Dtype::F8_E4M3, {96, 300}));
    shard.push_back(support::counted_tensor("m.self_attn.b_proj.weight_scale", Dtype::F32, {1, 1, 3, 1}));
    const Recognition found = recognise_in(files);
    EXPECT_TRUE(found.broken.empty());
    const auto module = std::find_if(found.modules.begin(), found.modules.end(),
                                     [](const Module& m) { return m.layout == LayoutId::modelopt_fp8_block; });
    ASSERT_NE(module, found.modules.end());
    EXPECT_EQ(module->columns, 300U);
}

TEST(Recognise, Fp8WithOneScaleATensorStaysPlain) {
    CheckpointFiles files;
    files.shards["model.safetensors"] = {
        support::counted_tensor("q.weight", Dtype::F8_E4M3, {4, 8}), support::f32_tensor("q.weight_scale", {}, {0.5F}),
        support::f32_tensor("q.input_scale", {}, {1.0F}), support::counted_tensor("p.weight", Dtype::F8_E4M3, {4, 8}),
        support::counted_tensor("p.weight_scale", Dtype::F32, {4, 1})};
    const Recognition found = recognise_in(files);
    EXPECT_TRUE(found.modules.empty());
    EXPECT_TRUE(found.broken.empty());
    EXPECT_EQ(found.plain.size(), 5U);
}

TEST(Recognise, QuarkIsNamedAndDeclined) {
    CheckpointFiles files;
    files.shards["model.safetensors"] = {support::counted_tensor("q.weight", Dtype::U8, {4, 32}),
                                         support::counted_tensor("q.weight_scale", Dtype::U8, {4, 2})};
    const Recognition found = recognise_in(files);
    ASSERT_EQ(found.modules.size(), 1U);
    EXPECT_TRUE(layout_of(found.modules[0].layout).declined);
}

TEST(Recognise, AMissingPartIsNamed) {
    for (const char* part : {".weight", ".weight_scale", ".weight_scale_2"}) {
        CheckpointFiles files = store(support::kimi_k3_like(), Dialect::modelopt_nvfp4);
        const std::string name = "language_model.model.layers.1.block_sparse_moe.experts.0.w1";
        files.remove(name + part);
        const Recognition found = recognise_in(files);
        ASSERT_EQ(found.broken.size(), 1U) << part;
        EXPECT_EQ(found.broken[0].name, name);
        EXPECT_EQ(found.broken[0].layout, LayoutId::modelopt_nvfp4);
        ASSERT_EQ(found.broken[0].faults.size(), 1U);
        EXPECT_EQ(found.broken[0].faults[0].tensor, name + part);
        EXPECT_EQ(found.modules.size(), 8U);
    }
}

TEST(Recognise, AWrongDtypeIsNamed) {
    CheckpointFiles files = store(support::kimi_k3_like(), Dialect::compressed_tensors_nvfp4);
    const std::string name = "language_model.model.layers.1.block_sparse_moe.experts.2.w3";
    files.tensor(name + ".weight_global_scale") =
        support::counted_tensor(name + ".weight_global_scale", Dtype::BF16, {1});
    const Recognition found = recognise_in(files);
    ASSERT_EQ(found.broken.size(), 1U);
    EXPECT_THAT(found.broken[0].faults.at(0).message, HasSubstr("BF16"));
}

TEST(Recognise, AWrongShapeIsNamedWithTheOneThatFits) {
    CheckpointFiles files = store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4);
    const std::string name = "language_model.model.layers.1.block_sparse_moe.experts.2.w3";
    files.tensor(name + ".weight_scale") = support::counted_tensor(name + ".weight_scale", Dtype::U8, {48, 4});
    const Recognition found = recognise_in(files);
    ASSERT_EQ(found.broken.size(), 1U);
    EXPECT_EQ(found.broken[0].faults.at(0).kind, PartFaultKind::shape);
    EXPECT_THAT(found.broken[0].faults[0].message, HasSubstr("[48, 2]"));
}

}  // namespace
}  // namespace assay::checkpoints
