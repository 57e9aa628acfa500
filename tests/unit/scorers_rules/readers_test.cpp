// What each reader of a config would build, held against what the tensors are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "datasets/readers/readers.hpp"

namespace assay::readers {
namespace {

using checkpoints::ModelConfig;
using checkpoints::QuantizationConfig;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string layer0 = "language_model.model.layers.0.";
const std::string layer1 = "language_model.model.layers.1.";
const std::string layer3 = "language_model.model.layers.3.";

// Kimi-K3 in small: a dense layer with linear attention, a layer of experts, a layer of latent attention.
struct Model {
    std::vector<std::string> names;
    std::vector<ModuleFact> facts;

    Model() {
        for (const char* part : {"q_proj", "k_proj", "v_proj", "g_proj", "b_proj", "f_a_proj", "f_b_proj", "o_proj"})
            names.push_back(layer0 + "self_attn." + part);
        for (const char* part : {"gate_proj", "up_proj", "down_proj"}) names.push_back(layer0 + "mlp." + part);
        names.push_back(layer0 + "self_attention_res_proj");
        for (const char* part : {"gate", "routed_expert_down_proj", "shared_experts.gate_proj",
                                 "shared_experts.up_proj", "shared_experts.down_proj"})
            names.push_back(layer1 + "block_sparse_moe." + part);
        for (const char* part : {"q_a_proj", "kv_a_proj_with_mqa", "q_b_proj", "kv_b_proj", "g_proj", "o_proj"})
            names.push_back(layer3 + "self_attn." + part);
        names.emplace_back("language_model.lm_head");
        names.emplace_back("vision_tower.encoder.blocks.0.wqkv");
        names.emplace_back("mm_projector.proj.0");
        const std::size_t plain = names.size();
        for (const char* expert : {"0", "1", "10"}) {
            for (const char* part : {"w1", "w2", "w3"})
                names.push_back(layer1 + "block_sparse_moe.experts." + expert + "." + part);
        }
        for (std::size_t i = 0; i < names.size(); ++i)
            facts.push_back({names[i], i < plain ? Form::plain : Form::fp4, ModuleKind::linear});
        facts.push_back({"language_model.model.embed_tokens", Form::plain, ModuleKind::embedding});
        facts.push_back({"language_model.model.norm", Form::plain, ModuleKind::other});
        std::sort(facts.begin(), facts.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    }
};

ModelConfig kimi() {
    ModelConfig model;
    model.present = true;
    model.model_type = "kimi_k3";
    return model;
}

QuantizationConfig parsed(const std::string& text, const std::string& hf = {}) {
    return checkpoints::parse_configs(text.empty() ? text : "{\"quantization_config\": " + text + "}", hf)
        .quantization.at(0);
}

QuantizationConfig modelopt(const std::string& ignore) {
    return parsed(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 16, "ignore": [)" + ignore +
                  "]}");
}

QuantizationConfig compressed(const std::string& ignore, const std::string& format = "nvfp4-pack-quantized") {
    return parsed(R"({"quant_method": "compressed-tensors", "format": ")" + format +
                  R"(", "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4}}}, "ignore": [)" +
                  ignore + "]}");
}

ReaderView view(const QuantizationConfig& config, const Model& model, ReaderId reader) {
    for (ReaderView& one : views_of(config, kimi(), model.facts)) {
        if (one.reader == reader) return std::move(one);
    }
    ADD_FAILURE() << "no view of " << to_string(reader);
    return {};
}

// Modules that the reader builds otherwise than they are stored, without the common prefix.
std::vector<std::string> wrong(const QuantizationConfig& config, const Model& model, ReaderId reader) {
    const ReaderView one = view(config, model, reader);
    EXPECT_EQ(one.refusal, "");
    std::vector<std::string> names;
    for (const Disagreement& each : disagreements(one, model.facts)) {
        std::string_view name = model.facts[each.fact].name;
        if (name.starts_with("language_model.model.layers.")) name.remove_prefix(28);
        names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

const std::string all_of_it = R"("*self_attn*", "*shared_experts*", "language_model.model.layers.0.mlp*", "*lm_head*", "*vision_tower*", "*mm_projector*", "*res_proj", "*routed_expert_down_proj", "*block_sparse_moe.gate")";

TEST(Readers, OfModelOptSeeWhatTheTensorsHoldWhereTheListIsWhole) {
    const Model model;
    for (const ReaderId reader : {ReaderId::modelopt, ReaderId::vllm, ReaderId::sglang})
        EXPECT_THAT(wrong(modelopt(all_of_it), model, reader), IsEmpty()) << to_string(reader);
}

TEST(Readers, ServersBuildKimisLatentAndResidualProjectionsPlainByThemselves) {
    const Model model;
    const auto config = modelopt(
        R"("*self_attn*", "*shared_experts*", "language_model.model.layers.0.mlp*", "*lm_head*", "*vision_tower*", "*mm_projector*")");
    EXPECT_THAT(wrong(config, model, ReaderId::vllm), IsEmpty());
    EXPECT_THAT(wrong(config, model, ReaderId::sglang), IsEmpty());
    EXPECT_THAT(wrong(config, model, ReaderId::modelopt),
                ElementsAre("0.self_attention_res_proj", "1.block_sparse_moe.routed_expert_down_proj"));
}

TEST(Readers, GlobsForThePartsOfAFusedLayerDoNotReachIt) {
    const Model model;
    const auto config = modelopt(all_of_it.substr(std::string(R"("*self_attn*", )").size()) +
                                 R"(, "*q_proj", "*k_proj", "*v_proj", "*.g_proj", "*b_proj", "*f_a_proj", "*o_proj", "*q_a_proj", "*kv_a_proj_with_mqa")");
    EXPECT_THAT(wrong(config, model, ReaderId::modelopt), IsEmpty());
    EXPECT_THAT(wrong(config, model, ReaderId::vllm),
                ElementsAre("0.self_attn.b_proj", "0.self_attn.f_a_proj", "0.self_attn.g_proj", "0.self_attn.k_proj",
                            "0.self_attn.q_proj", "0.self_attn.v_proj", "3.self_attn.kv_a_proj_with_mqa",
                            "3.self_attn.q_a_proj"));
    EXPECT_THAT(wrong(config, model, ReaderId::sglang),
                ElementsAre("0.self_attn.g_proj", "0.self_attn.k_proj", "0.self_attn.q_proj", "0.self_attn.v_proj"));
}

TEST(Readers, VllmRefusesALayerOfWhichSomePartsAreNamed) {
    const Model model;
    const auto config = modelopt(all_of_it.substr(std::string(R"("*self_attn*", )").size()) +
                                 ", \"" + layer0 + "self_attn.q_proj\", \"*f_b_proj\", \"*o_proj\", \"" + layer3 +
                                 "self_attn*\"");
    const ReaderView one = view(config, model, ReaderId::vllm);
    std::vector<std::string> split;
    for (const LayerView& layer : one.layers) {
        if (layer.split) split.push_back(layer.name);
    }
    EXPECT_THAT(split, ElementsAre(layer0 + "self_attn.in_proj_qkvgfab"));
}

TEST(Readers, ExactNamesOfAllPartsExcludeAFusedLayerInVllmAndNotInSglangsKimi) {
    const Model model;
    const auto config = modelopt(R"("*self_attn*", "*shared_experts*", "*lm_head*", "*vision_tower*", "*mm_projector*", ")" +
                                 layer0 + "mlp.gate_proj\", \"" + layer0 + "mlp.up_proj\", \"" + layer0 +
                                 "mlp.down_proj\"");
    EXPECT_THAT(wrong(config, model, ReaderId::vllm), IsEmpty());
    EXPECT_THAT(wrong(config, model, ReaderId::sglang), ElementsAre("0.mlp.gate_proj", "0.mlp.up_proj"));
}

TEST(Readers, AnEntryIsAPartOfANameForSglangAndASubstringForVllm) {
    const Model model;
    const auto hidden = [&](const char* entry, ReaderId reader) {
        return wrong(modelopt(all_of_it + ", \"" + entry + "\""), model, reader).size();
    };
    EXPECT_EQ(hidden("experts", ReaderId::sglang), 9U);
    EXPECT_EQ(hidden("experts", ReaderId::vllm), 9U);
    EXPECT_EQ(hidden("experts", ReaderId::modelopt), 0U);
    EXPECT_EQ(hidden("sparse_moe", ReaderId::vllm), 9U);
    EXPECT_EQ(hidden("sparse_moe", ReaderId::sglang), 0U);
    // One expert named takes its whole bank with it, in vLLM alone.
    const std::string one = layer1 + "block_sparse_moe.experts.10.w1";
    EXPECT_EQ(hidden(one.c_str(), ReaderId::vllm), 9U);
    EXPECT_EQ(hidden(one.c_str(), ReaderId::sglang), 0U);
    EXPECT_EQ(hidden(one.c_str(), ReaderId::modelopt), 1U);
    // What vLLM's mapper makes of "x*" is "x", which stands in the names of layers 10 to 19 too.
    EXPECT_EQ(hidden("language_model.model.layers.1*", ReaderId::vllm), 9U);
}

TEST(Readers, OfCompressedTensorsMissWhatThePublishedListOfKimiMisses) {
    const Model model;
    const std::string published =
        R"("re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "re:.*lm_head.*", "re:.*vision_tower.*", "re:.*mm_projector.*")";
    const auto config = compressed(published, "mxfp4-pack-quantized");
    EXPECT_THAT(wrong(config, model, ReaderId::compressed_tensors),
                ElementsAre("0.self_attention_res_proj", "1.block_sparse_moe.routed_expert_down_proj"));
    EXPECT_THAT(wrong(config, model, ReaderId::vllm), IsEmpty());
    EXPECT_THAT(wrong(config, model, ReaderId::sglang), IsEmpty());
}

TEST(Readers, TargetsOtherThanLinearNameWhatIsQuantized) {
    const Model model;
    const auto config = parsed(
        R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {"group_0": {"targets": ["re:.*block_sparse_moe\\.experts\\..*"], "weights": {"num_bits": 4}}}, "ignore": []})");
    EXPECT_THAT(wrong(config, model, ReaderId::compressed_tensors), IsEmpty());
    EXPECT_THAT(wrong(config, model, ReaderId::vllm), IsEmpty());
}

TEST(Readers, ExcludeModulesOfTheFlatFormAreReadByNone) {
    const Model model;
    const auto config = parsed(
        R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 16, "exclude_modules": [)" + all_of_it +
        "]}");
    EXPECT_GT(wrong(config, model, ReaderId::vllm).size(), 10U);
    EXPECT_GT(wrong(config, model, ReaderId::sglang).size(), 10U);
}

TEST(Readers, HfQuantConfigNeedsItsFieldsInVllm) {
    const Model model;
    const auto refusal = [&](const std::string& fields, ReaderId reader) {
        return view(parsed("", R"({"quantization": {"quant_algo": "NVFP4")" + fields + "}}"), model, reader).refusal;
    };
    const std::string list = R"(, "exclude_modules": [)" + all_of_it + "]";
    EXPECT_EQ(refusal(list + R"(, "group_size": 16, "kv_cache_quant_algo": null)", ReaderId::vllm), "");
    EXPECT_THAT(refusal(list + R"(, "group_size": 16)", ReaderId::vllm), HasSubstr("kv_cache_quant_algo"));
    EXPECT_EQ(refusal(list + R"(, "group_size": 16)", ReaderId::sglang), "");
    EXPECT_THAT(refusal(list, ReaderId::sglang), HasSubstr("group_size"));
}

std::string mixed_layers(std::initializer_list<std::string> banks) {
    std::string text;
    for (const std::string& bank : banks)
        text += (text.empty() ? "\"" : ", \"") + bank + R"(": {"quant_algo": "NVFP4", "group_size": 16})";
    return text;
}

QuantizationConfig mixed(const std::string& layers, const std::string& method = "modelopt_mixed") {
    return parsed(R"({"quant_method": ")" + method + R"(", "quant_algo": "MIXED_PRECISION", "quantized_layers": {)" +
                  layers + "}}");
}

TEST(Readers, OfAMixedConfigFindBanksUnderTheNamesTheyUse) {
    const Model model;
    const std::string bank = layer1 + "block_sparse_moe.experts";
    const auto both = mixed(mixed_layers({bank, "model.layers.1.mlp.experts"}));
    for (const ReaderId reader : {ReaderId::modelopt, ReaderId::vllm, ReaderId::sglang})
        EXPECT_THAT(wrong(both, model, reader), IsEmpty()) << to_string(reader);
    // SGLang strips language_model. from its layers, and not from the keys.
    const auto one = mixed(mixed_layers({bank}));
    EXPECT_THAT(wrong(one, model, ReaderId::vllm), IsEmpty());
    EXPECT_EQ(wrong(one, model, ReaderId::sglang).size(), 9U);
}

TEST(Readers, OfAMixedConfigCompareTheFormatsToo) {
    const Model model;
    const auto config = mixed("\"" + layer1 + R"(block_sparse_moe.experts": {"quant_algo": "FP8"}, ")" + layer0 +
                              R"(self_attn.q_proj": {"quant_algo": "NVFP4"}, ")" + layer0 +
                              R"(self_attn.k_proj": {"quant_algo": "FP8_PB_WO"})");
    const ReaderView one = view(config, model, ReaderId::vllm);
    std::size_t split = 0;
    for (const LayerView& layer : one.layers) split += layer.split ? 1 : 0;
    EXPECT_EQ(split, 1U);
    EXPECT_EQ(wrong(config, model, ReaderId::vllm).size(), 9U + 6U);
}

TEST(Readers, SglangTakesAMixedConfigUnderItsOwnMethodAlone) {
    const Model model;
    const auto config = mixed(mixed_layers({layer1 + "block_sparse_moe.experts"}), "modelopt");
    EXPECT_THAT(view(config, model, ReaderId::sglang).refusal, HasSubstr("modelopt_mixed"));
    EXPECT_EQ(view(config, model, ReaderId::vllm).refusal, "");
}

TEST(Readers, CountWhatEachEntryMatches) {
    const Model model;
    const ReaderView one = view(modelopt(R"("*self_attn*", "language_model.model.norm", "mtp*")"), model, ReaderId::sglang);
    ASSERT_EQ(one.entries.size(), 3U);
    EXPECT_EQ(one.entries[0].layers, 10U);  // eight modules of the linear attention in five layers, six of the latent one in five
    EXPECT_EQ(one.entries[1].layers, 0U);
    EXPECT_EQ(one.entries[1].modules, 1U);
    EXPECT_EQ(one.entries[2].layers + one.entries[2].modules, 0U);
}

TEST(Readers, OfOtherModelsFuseWhatAllFamiliesFuse) {
    const std::vector<ModuleFact> facts{{"model.layers.0.mlp.down_proj", Form::plain, ModuleKind::linear},
                                        {"model.layers.0.mlp.gate_proj", Form::fp4, ModuleKind::linear},
                                        {"model.layers.0.mlp.up_proj", Form::fp4, ModuleKind::linear},
                                        {"model.layers.0.self_attn.k_proj", Form::plain, ModuleKind::linear},
                                        {"model.layers.0.self_attn.q_proj", Form::plain, ModuleKind::linear},
                                        {"model.layers.0.self_attn.v_proj", Form::plain, ModuleKind::linear}};
    const auto config = modelopt(R"("model.layers.0.self_attn.q_proj", "model.layers.0.self_attn.k_proj", "model.layers.0.self_attn.v_proj", "model.layers.0.mlp.down_proj")");
    for (const ReaderView& one : views_of(config, {}, facts)) {
        EXPECT_TRUE(disagreements(one, facts).empty()) << to_string(one.reader);
        EXPECT_EQ(one.layers.size(), one.reader == ReaderId::modelopt ? 6U : 3U);
    }
}

}  // namespace
}  // namespace assay::readers
