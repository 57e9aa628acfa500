#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/scorers_rules/asked.hpp"

namespace assay::rules {
namespace {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

using Counts = std::map<std::string, int>;

const std::string w1 = "language_model.model.layers.1.block_sparse_moe.experts.0.w1";

CheckpointFiles good(Dialect dialect = Dialect::modelopt_nvfp4) { return store(support::kimi_k3_like(), dialect); }

TEST(Rules, HaveDistinctIds) {
    std::map<std::string_view, int> ids;
    for (const Rule& rule : all_rules()) EXPECT_EQ(++ids[rule.id], 1) << rule.id;
}

TEST(Rules, HeaderFaultTripsOnATrailingByte) {
    const CheckpointFolder folder(good());
    folder.write("model-00001-of-000002.safetensors", folder.read("model-00001-of-000002.safetensors") + "x");
    EXPECT_EQ(tripped(folder), (Counts{{"header.fault", 1}}));
}

TEST(Rules, ShardMissingTripsOnAMissingAndOnAnUnnamedFile) {
    const CheckpointFolder folder(good());
    folder.write("extra.safetensors",
                 support::safetensors_file({support::counted_tensor("x", support::Dtype::U8, {1})}));
    EXPECT_EQ(tripped(folder), (Counts{{"shard.missing", 1}}));
    const CheckpointFolder gone(good());
    gone.write("model.safetensors.index.json", [&] {
        std::string text = gone.read("model.safetensors.index.json");
        return text.insert(text.find("\"weight_map\": {") + 15, "\"y\": \"z.safetensors\", ");
    }());
    EXPECT_EQ(tripped(gone), (Counts{{"shard.missing", 1}}));
}

TEST(Rules, IndexEntryTripsBothWaysAndOnAWrongFile) {
    const CheckpointFolder folder(good());
    const std::string index = folder.read("model.safetensors.index.json");
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = index;
        return text.replace(text.find(from), from.size(), to);
    };
    folder.write("model.safetensors.index.json",
                 replaced("language_model.model.norm.weight", "language_model.model.norm.weigh"));
    EXPECT_EQ(tripped(folder), (Counts{{"index.entry", 2}}));
    folder.write("model.safetensors.index.json",
                 replaced("norm.weight\": \"model-00001", "norm.weight\": \"model-00002"));
    EXPECT_EQ(tripped(folder), (Counts{{"index.entry", 1}}));
}

TEST(Rules, TotalSizeTripsOnAnotherNumber) {
    const CheckpointFolder folder(good());
    std::string index = folder.read("model.safetensors.index.json");
    index.replace(index.find("\"total_size\": ") + 14, 1, "9");
    folder.write("model.safetensors.index.json", index);
    EXPECT_EQ(tripped(folder), (Counts{{"index.total_size", 1}}));
}

TEST(Rules, ShadowedTripsOnATensorInTwoFiles) {
    CheckpointFiles files = good();
    files.shards["model-00001-of-000002.safetensors"].push_back(
        files.tensor("language_model.model.layers.1.input_layernorm.weight"));
    const CheckpointFolder folder(files);
    folder.write("model.safetensors.index.json", index_json(good()));
    EXPECT_EQ(tripped(folder), (Counts{{"tensor.shadowed", 1}}));
}

TEST(Rules, WeightPartsTripsOnAMissingScale) {
    CheckpointFiles files = good();
    files.remove(w1 + ".weight_scale");
    EXPECT_EQ(tripped(CheckpointFolder(files)), (Counts{{"weight.parts", 1}}));
}

TEST(Rules, ConfigPresenceTripsWhereThereIsNone) {
    CheckpointFiles files = good();
    files.others["config.json"] = "{}";
    EXPECT_EQ(tripped(CheckpointFolder(files)), (Counts{{"config.presence", 1}}));
    files.others["config.json"] = "{";
    EXPECT_EQ(tripped(CheckpointFolder(files)), (Counts{{"config.presence", 1}}));
}

TEST(Rules, ConfigNestingTripsOnALeftoverAndOnExcludeModulesInTheFlatForm) {
    CheckpointFiles files = good();
    std::string& config = files.others["config.json"];
    config.pop_back();
    config += R"(, "text_config": {"quantization_config": {"quant_method": "compressed-tensors"}}})";
    EXPECT_EQ(tripped(CheckpointFolder(files)).at("config.nesting"), 1);
    files = good();
    std::string& flat = files.others["config.json"];
    flat.replace(flat.find("\"ignore\""), 8, "\"exclude_modules\"");
    EXPECT_EQ(tripped(CheckpointFolder(files)).at("config.nesting"), 1);
}

TEST(Rules, ConfigFormatTripsOnAnotherLayoutAndOnlyNotesTheHybrid) {
    CheckpointFiles files = good();
    replace(files, "\"quant_algo\"", "\"format\": \"nvfp4-pack-quantized\", \"quant_algo\"");
    EXPECT_EQ(tripped(CheckpointFolder(files)), (Counts{}));
    files = good(Dialect::compressed_tensors_nvfp4);
    files.others["config.json"] = good(Dialect::compressed_tensors_mxfp4).others["config.json"];
    EXPECT_EQ(tripped(CheckpointFolder(files)), (Counts{{"config.format", 1}, {"config.group_size", 1}}));
}

TEST(Rules, ConfigFormatTripsOnAMethodWhoseTensorsAreOthers) {
    for (const char* method : {"quark", "mxfp4"}) {
        CheckpointFiles files = good();
        replace(files, "\"quant_method\": \"modelopt\"", std::string("\"quant_method\": \"") + method + "\"");
        replace(files, "\"quant_algo\": \"W4A16_NVFP4\"", std::string("\"producer\": \"x\""));
        const auto findings = findings_of(CheckpointFolder(files));
        const auto one = std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.rule == "config.format"; });
        ASSERT_NE(one, findings.end()) << method;
        EXPECT_EQ(one->severity, Severity::error);
        EXPECT_THAT(one->message, testing::HasSubstr(std::string("it names quant_method ") + method + ", but weights are in the layout ModelOpt"));
    }
}

TEST(Rules, AHiddenWeightAndAnExposedOneAreFoldedAndNameTheReaders) {
    CheckpointFiles files = good(Dialect::compressed_tensors_mxfp4);
    replace(files, "\"re:.*lm_head.*\"", "\"re:.*experts.*\"");
    const auto findings = findings_of(CheckpointFolder(files));
    ASSERT_EQ(findings.size(), 5U);  // w1, w2 and w3 hidden, lm_head exposed, embed_tokens not asked
    EXPECT_EQ(findings[0].rule, "config.hidden");
    EXPECT_EQ(findings[0].tensor, "language_model.model.layers.1.block_sparse_moe.experts.{0..2}.w1");
    EXPECT_EQ(findings[0].message,
              "read by compressed-tensors: 3 modules are quantized, and excluded by 're:.*experts.*'");
    EXPECT_EQ(findings[3].rule, "config.exposed");
    EXPECT_EQ(findings[3].tensor, "language_model.lm_head");
    EXPECT_EQ(findings[3].severity, Severity::warning);
    EXPECT_EQ(findings[4].severity, Severity::note);
}

TEST(Rules, AnEntryThatTwoServersTakeAlikeIsOneFinding) {
    CheckpointFiles files = good();
    replace(files, "\"*lm_head*\"", "\"*lm_head*\", \"experts\"");
    const auto findings = findings_of(CheckpointFolder(files));
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0].message, "read by vLLM and SGLang: 3 modules are quantized, and excluded by 'experts'");
}

TEST(Rules, EachOddGlobalScaleTripsItsOwnRule) {
    const auto with = [](Dialect dialect, const char* part, float value) {
        CheckpointFiles files = good(dialect);
        support::StoredTensor& tensor =
            files.tensor("language_model.model.layers.1.block_sparse_moe.experts.0.w2" + std::string(part));
        tensor = support::f32_tensor(tensor.name, tensor.shape, {value});
        return tripped(CheckpointFolder(files));
    };
    for (const float value : {0.0F, -1.0F, INFINITY, NAN})
        EXPECT_EQ(with(Dialect::modelopt_nvfp4, ".weight_scale_2", value), (Counts{{"scale.global", 1}})) << value;
    EXPECT_EQ(with(Dialect::modelopt_nvfp4, ".weight_scale_2", 1.0F), (Counts{{"scale.one", 1}}));
    EXPECT_EQ(with(Dialect::modelopt_nvfp4, ".weight_scale_2", 4096.0F), (Counts{{"scale.reciprocal", 1}}));
    EXPECT_EQ(with(Dialect::compressed_tensors_nvfp4, ".weight_global_scale", 0x1p-12F),
              (Counts{{"scale.reciprocal", 1}}));
}

TEST(Rules, SharedScaleTripsWhereGateAndUpDiffer) {
    CheckpointFiles files = good();
    support::StoredTensor& tensor = files.tensor(w1 + ".weight_scale_2");
    tensor = support::f32_tensor(tensor.name, {}, {0x1p-20F});
    EXPECT_EQ(tripped(CheckpointFolder(files)), (Counts{{"scale.shared", 1}}));
}

// A block scale of w1, row 3, block 2, replaced; and the elements of that block, where given.
Finding with_scale(Dialect dialect, std::uint8_t code, int elements = -1) {
    CheckpointFiles files = good(dialect);
    const unsigned width = dialect == Dialect::compressed_tensors_mxfp4 ? 32 : 16;
    files.tensor(w1 + ".weight_scale").bytes[3 * 64 / width + 1] = code;
    if (elements >= 0) {
        auto& packed = files.tensor(w1 + (dialect == Dialect::modelopt_nvfp4 ? ".weight" : ".weight_packed")).bytes;
        for (unsigned i = 0; i < width / 2; ++i) packed[3 * 32 + width / 2 + i] = static_cast<std::uint8_t>(elements);
    }
    for (const Finding& finding : findings_of(CheckpointFolder(files))) {
        if (finding.rule.starts_with("block_scale.") && finding.rule != "block_scale.closed_form" &&
            finding.rule != "block_scale.unpaired") return finding;
    }
    return {};
}

TEST(Rules, BlockScalesTripOnNanNegativeLiveZeroAndSubnormalAndSayWhere) {
    using enum Dialect;
    const auto expect = [](const Finding& finding, const char* rule, Severity severity) {
        EXPECT_EQ(finding.rule, rule);
        EXPECT_EQ(finding.severity, severity);
        EXPECT_EQ(finding.tensor, w1 + ".weight_scale");
        EXPECT_EQ(finding.row, 3U);
        EXPECT_EQ(finding.block, 1U);
    };
    for (const std::uint8_t code : {std::uint8_t{0x7f}, std::uint8_t{0xff}})
        expect(with_scale(modelopt_nvfp4, code), "block_scale.nan", Severity::error);
    expect(with_scale(compressed_tensors_mxfp4, 255), "block_scale.nan", Severity::error);
    expect(with_scale(modelopt_nvfp4, 0xb8), "block_scale.negative", Severity::error);
    expect(with_scale(modelopt_nvfp4, 0x00, 0x21), "block_scale.zero", Severity::error);
    expect(with_scale(compressed_tensors_mxfp4, 0, 0x10), "block_scale.zero", Severity::error);
    expect(with_scale(modelopt_nvfp4, 0x03), "block_scale.subnormal", Severity::note);
    EXPECT_EQ(with_scale(modelopt_nvfp4, 0x00, 0x80).rule, "");
    EXPECT_EQ(with_scale(compressed_tensors_mxfp4, 0, 0x08).rule, "");
    EXPECT_EQ(with_scale(compressed_tensors_mxfp4, 1).rule, "");
}

TEST(Rules, TheClosedFormIsRecognisedWeightByWeight) {
    const auto note = [](const CheckpointFiles& files) {
        for (const Finding& finding : findings_of(CheckpointFolder(files))) {
            if (finding.rule == "block_scale.closed_form") return finding.message;
        }
        return std::string{};
    };
    EXPECT_THAT(note(good()), testing::StartsWith("9 of 9 "));
    EXPECT_EQ(note(good(Dialect::compressed_tensors_mxfp4)), "");
    CheckpointFiles files = good();
    files.tensor(w1 + ".weight_scale").bytes[5] ^= 0x08;  // a power still, and unlike its neighbour
    EXPECT_THAT(note(files), testing::StartsWith("8 of 9 "));
}

TEST(Rules, ALogTripsOnATailThatIsNotPlusZero) {
    for (const std::uint8_t byte : {std::uint8_t{0x80}, std::uint8_t{0x3f}}) {
        CheckpointFiles files = good(Dialect::compressed_tensors_mxfp4);
        files.tensor("language_model.model.layers.1.self_attn.A_log").bytes[4 * 100 + 3] = byte;
        EXPECT_EQ(tripped(CheckpointFolder(files)), (Counts{{"a_log.tail", 1}}));
    }
}

}  // namespace
}  // namespace assay::rules
