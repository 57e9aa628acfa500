#include "datasets/checkpoints/index.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"

namespace assay::checkpoints {
namespace {

TEST(Index, ReadsFilesEntriesAndTotalSize) {
    const Index index = parse_index(
        R"({"metadata":{"total_size":12,"total_parameters":3},"weight_map":{"b":"model-00001-of-000002.safetensors","a":"model-00002-of-000002.safetensors"}})",
        "i.json");
    EXPECT_EQ(index.total_size, 12U);
    EXPECT_EQ(index.files.size(), 2U);
    ASSERT_NE(find_entry(index, "a"), nullptr);
    EXPECT_EQ(index.files[find_entry(index, "a")->file], "model-00002-of-000002.safetensors");
    EXPECT_EQ(find_entry(index, "c"), nullptr);
    EXPECT_TRUE(index.faults.empty());
}

TEST(Index, ANameGivenTwiceKeepsTheLastAndIsSaid) {
    const Index index = parse_index(R"({"weight_map":{"a":"x","b":"x","a":"y"}})", "i.json");
    EXPECT_EQ(index.duplicates, std::vector<std::string>{"a"});
    EXPECT_EQ(index.files[find_entry(index, "a")->file], "y");
    EXPECT_EQ(index.entries.size(), 2U);
}

TEST(Index, WrongTypesAreSaid) {
    EXPECT_EQ(parse_index(R"({"weight_map":{"a":1}})", "i.json").faults.size(), 1U);
    EXPECT_EQ(parse_index(R"({"metadata":{"total_size":"12"},"weight_map":{}})", "i.json").faults.size(), 1U);
    const Index wide = parse_index(R"({"metadata":{"total_size":1.2e1},"weight_map":{}})", "i.json");
    EXPECT_EQ(wide.total_size, 12U);
    EXPECT_EQ(wide.faults.size(), 1U);
}

TEST(Index, WhatIsNoIndexIsRefused) {
    EXPECT_THROW((void)parse_index("{\"weight_map\":{", "i.json"), Error);
    EXPECT_THROW((void)parse_index("{\"metadata\":{}}", "i.json"), Error);
    EXPECT_THROW((void)parse_index("{\"weight_map\":[]}", "i.json"), Error);
    EXPECT_THROW((void)parse_index("", "i.json"), Error);
}

TEST(Index, AZeroByteEndsNoText) {
    EXPECT_THROW((void)parse_index(std::string_view("{\"weight_map\":{}}\0x", 20), "i.json"), Error);
}

TEST(Index, TwoMapsAreSaid) {
    const Index index = parse_index(R"({"metadata":{},"weight_map":{"a":"x"},"metadata":{"total_size":1},"weight_map":{}})", "i");
    EXPECT_EQ(index.faults, (std::vector<std::string>{"metadata stands there twice; readers keep the last and say nothing",
                                                      "weight_map stands there twice; readers keep the last and say nothing"}));
}

}  // namespace
}  // namespace assay::checkpoints
