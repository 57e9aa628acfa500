#include "datasets/checkpoints/quantization_config.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"

namespace assay::checkpoints {
namespace {

QuantizationConfig only(const Configs& configs) {
    EXPECT_EQ(configs.quantization.size(), 1U);
    return configs.quantization.empty() ? QuantizationConfig{} : configs.quantization[0];
}

TEST(QuantizationConfig, CompressedTensorsMayBeNested) {
    const auto config = only(parse_configs(
        R"({"model_type":"kimi_k3","text_config":{"num_hidden_layers":93,"linear_attn_config":{"num_heads":96,"head_dim":128},"quantization_config":{"quant_method":"compressed-tensors","format":"mxfp4-pack-quantized","ignore":["re:.*self_attn.*"],"config_groups":{"group_0":{"targets":["Linear"],"input_activations":null,"weights":{"num_bits":4,"group_size":32,"type":"float","strategy":"group","scale_dtype":"torch.uint8"}}}}}})",
        ""));
    EXPECT_TRUE(config.nested);
    EXPECT_EQ(config.dialect, ConfigDialect::compressed_tensors);
    EXPECT_EQ(config.ignore.size(), 1U);
    ASSERT_EQ(config.groups.size(), 1U);
    EXPECT_EQ(config.groups[0].group_size, 32U);
    EXPECT_FALSE(config.groups[0].quantizes_activations);
}

TEST(QuantizationConfig, EachDialectIsTold) {
    const auto dialect = [](const std::string& inner) {
        return only(parse_configs(R"({"quantization_config":)" + inner + "}", "")).dialect;
    };
    EXPECT_EQ(dialect(R"({"quant_method":"modelopt","quant_algo":"NVFP4"})"), ConfigDialect::modelopt);
    EXPECT_EQ(dialect(R"({"quant_method":"modelopt_mixed","quant_algo":"MIXED_PRECISION"})"),
              ConfigDialect::modelopt_mixed);
    EXPECT_EQ(dialect(R"({"quant_method":"modelopt","format":"nvfp4-pack-quantized"})"), ConfigDialect::hybrid);
    EXPECT_EQ(dialect(R"({"quant_method":"mxfp4"})"), ConfigDialect::mxfp4);
    EXPECT_EQ(dialect(R"({"quant_method":"fp8","moe_quant_algo":"NVFP4"})"), ConfigDialect::fp8);
    EXPECT_EQ(dialect(R"({"quant_method":"quark"})"), ConfigDialect::quark);
    EXPECT_EQ(dialect(R"({})"), ConfigDialect::unknown);
}

TEST(QuantizationConfig, HfQuantConfigStandsBesideOrAlone) {
    const char* text =
        R"({"producer":{"name":"modelopt"},"quantization":{"quant_algo":"NVFP4","group_size":16,"exclude_modules":["lm_head","*self_attn*"]}})";
    const auto config = only(parse_configs("", text));
    EXPECT_EQ(config.dialect, ConfigDialect::modelopt);
    EXPECT_EQ(config.exclude_modules.size(), 2U);
    EXPECT_FALSE(config.has_ignore);
    EXPECT_EQ(parse_configs(R"({"quantization_config":{"quant_method":"modelopt"}})", text).quantization.size(), 2U);
}

TEST(QuantizationConfig, MixedListsItsLayers) {
    const auto config = only(parse_configs(
        "",
        R"({"quantization":{"quant_algo":"MIXED_PRECISION","quantized_layers":{"a.experts":{"quant_algo":"NVFP4","group_size":16},"a.o_proj":{"quant_algo":"FP8_PB_WO"}}}})"));
    EXPECT_EQ(config.dialect, ConfigDialect::modelopt_mixed);
    ASSERT_EQ(config.layers.size(), 2U);
    EXPECT_EQ(config.layers[1].quant_algo, "FP8_PB_WO");
}

TEST(QuantizationConfig, FieldsOfAWrongTypeAreSaidAndTheRestIsRead) {
    const auto config =
        only(parse_configs(R"({"quantization_config":{"quant_method":7,"ignore":"lm_head","format":"x"}})", ""));
    EXPECT_EQ(config.faults.size(), 2U);
    EXPECT_EQ(config.format, "x");
}

TEST(QuantizationConfig, WhatIsNoObjectIsRefused) {
    EXPECT_THROW((void)parse_configs("[]", ""), Error);
    EXPECT_THROW((void)parse_configs("{", ""), Error);
    EXPECT_THROW((void)parse_configs("", "nonsense"), Error);
}

TEST(QuantizationConfig, ANumberTooLargeForAnyReaderIsRefused) {
    for (const std::string& json : {std::string(R"({"a":1e999})"), "{\"a\":[" + std::string(400, '9') + "]}"}) {
        EXPECT_THROW((void)parse_configs(json, ""), Error);
        EXPECT_THROW((void)parse_configs("", json), Error);
    }
}

TEST(QuantizationConfig, AZeroByteEndsNoText) {
    EXPECT_THROW((void)parse_configs(std::string_view("{}\0x", 4), {}), Error);
}

}  // namespace
}  // namespace assay::checkpoints
