// Entries of a config that match names, as each reader has them do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/checkpoints/name_glob.hpp"
#include "datasets/readers/name_filter.hpp"

namespace assay::readers {
namespace {

using testing::HasSubstr;

TEST(NameFilter, MatchesAsEachReaderDoes) {
    const auto matches = [](const char* entry, Matching matching, const char* name) {
        return NameFilter(entry, matching).matches(name);
    };
    using enum Matching;
    EXPECT_TRUE(matches("re:.*mlp\\.(gate|up)_proj.*", compressed_tensors, "model.layers.0.mlp.up_proj"));
    EXPECT_FALSE(matches("re:.*mlp\\.(gate|up)_proj.*", compressed_tensors, "model.layers.0.mlpxup_proj"));
    EXPECT_FALSE(matches("re:mlp", compressed_tensors, "a.mlp"));  // re.match begins at the start
    EXPECT_TRUE(matches("re:a|b", compressed_tensors, "b"));
    EXPECT_TRUE(matches("re:.*layers.*mlp", compressed_tensors, "model.layers.0.mlp.x"));
    EXPECT_FALSE(matches("re:.*mlp.*layers", compressed_tensors, "model.layers.0.mlp.x"));
    EXPECT_FALSE(matches("lm", compressed_tensors, "lm_head"));
    EXPECT_TRUE(matches("lm_head", compressed_tensors, "lm_head"));
    EXPECT_TRUE(matches("mlp.gate", vllm_modelopt, "model.mlp.gate_up_proj"));
    EXPECT_TRUE(matches("model.layers.0*", vllm_modelopt, "model.layers.0.x"));
    EXPECT_FALSE(matches("mlp.gate", modelopt, "model.mlp.gate_up_proj"));
    EXPECT_TRUE(matches("mtp*", sglang_modelopt, "mtp_layers.0.x"));  // a part
    EXPECT_TRUE(matches("mtp*", sglang_modelopt, "a.mtp_layers.x"));
    EXPECT_FALSE(matches("lm", sglang_modelopt, "lm_head"));
    EXPECT_TRUE(matches("model.layers.0*", sglang_modelopt, "language_model.model.layers.0.x"));
    EXPECT_TRUE(matches("x[0-9]", sglang_modelopt, "a.x7"));
    EXPECT_FALSE(matches("a?c", sglang_modelopt, "abc"));  // '?' makes the a optional
    EXPECT_TRUE(matches("a?c", sglang_modelopt, "c"));
    EXPECT_TRUE(matches("a?c", modelopt, "abc"));
    // Counts, classes and code points hold no text that a match must have.
    EXPECT_TRUE(matches("re:.*layers\\.\\d{1,2}\\.mlp", compressed_tensors, "model.layers.17.mlp"));
    EXPECT_TRUE(matches("re:.*o{2,10}k", compressed_tensors, "look"));
    EXPECT_TRUE(matches("re:ab[)]|cd", compressed_tensors, "cd"));
    EXPECT_TRUE(matches("re:.*\\x41bc", compressed_tensors, "xAbc"));
    EXPECT_TRUE(NameFilter("re:(", compressed_tensors).broken());
    EXPECT_FALSE(matches("re:(", compressed_tensors, "("));
}

TEST(NameFilter, TakesWhatOnlyPythonsExpressionsHaveOrSaysSo) {
    const auto matches = [](const char* entry, const char* name) {
        return NameFilter(entry, Matching::compressed_tensors).matches(name);
    };
    EXPECT_TRUE(matches("re:(?i).*LM_HEAD", "model.lm_head"));
    EXPECT_FALSE(matches("re:(?i).*LM_HEAD", "model.lm_hed"));
    EXPECT_TRUE(matches("re:\\A(?P<where>.*)\\.mlp\\Z", "layers.0.mlp"));
    EXPECT_FALSE(matches("re:\\A(?P<where>.*)\\.mlp\\Z", "layers.0.mlp.x"));
    for (const std::string& entry : {std::string("re:.*(?<!shared_)experts"), std::string("re:(x)y\\1"), std::string("re:(?P<a>x)(?P=a)"),
                                     std::string("re:(?x) a b"), "re:" + std::string(2000, 'a')}) {
        const NameFilter filter(entry, Matching::compressed_tensors);
        EXPECT_TRUE(filter.unread()) << entry;
        EXPECT_FALSE(filter.broken()) << entry;
        EXPECT_FALSE(filter.matches("experts"));
    }
}

TEST(NameFilter, KnowsWhatEveryMatchBeginsWith) {
    const auto prefix = [](const char* entry, Matching matching) { return NameFilter(entry, matching).literal_prefix(); };
    using enum Matching;
    EXPECT_EQ(prefix("re:model\\.layers\\.[0-9]+", compressed_tensors), "model.layers.");
    EXPECT_EQ(prefix("re:.*mlp", compressed_tensors), "");
    EXPECT_EQ(prefix("re:a|b", compressed_tensors), "");
    EXPECT_EQ(prefix("re:lm_heads?", compressed_tensors), "lm_head");
    EXPECT_EQ(prefix("lm_head", compressed_tensors), "lm_head");
    EXPECT_EQ(prefix("model.layers.0*", modelopt), "model.layers.0");
}

TEST(NameGlob, MatchesAsPythonsFnmatch) {
    using checkpoints::fnmatch_case;
    EXPECT_TRUE(fnmatch_case("*", ""));
    EXPECT_TRUE(fnmatch_case("a*c", "abbc"));
    EXPECT_FALSE(fnmatch_case("a*c", "abbd"));
    EXPECT_TRUE(fnmatch_case("a?c[0-9]", "abc7"));
    EXPECT_FALSE(fnmatch_case("a[!b]c", "abc"));
    EXPECT_TRUE(fnmatch_case("a[b", "a[b"));
    EXPECT_FALSE(fnmatch_case("abc", "abcd"));
    EXPECT_TRUE(fnmatch_case("*a*b*c*", "xxaxxbxxcxx"));
    EXPECT_TRUE(fnmatch_case(checkpoints::only_stars("a[0]?.*"), "a[0]?.b"));
    EXPECT_FALSE(fnmatch_case(checkpoints::only_stars("a[0]?.*"), "a0x.b"));
}

TEST(NameFilter, AHostileExpressionTakesNoExponentialTime) {
    const NameFilter filter("re:(a*)*b", Matching::compressed_tensors);
    EXPECT_FALSE(filter.matches(std::string(200, 'a')));
}

}  // namespace
}  // namespace assay::readers
