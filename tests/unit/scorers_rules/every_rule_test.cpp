// Every rule trips on its mutation of a good checkpoint, and none says anything about the good ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "tests/unit/scorers_rules/asked.hpp"

namespace assay::rules {
namespace {

using enum Dialect;

const std::string layers = "language_model.model.layers.";
const std::string w1 = layers + "1.block_sparse_moe.experts.0.w1";
const std::string w2 = layers + "1.block_sparse_moe.experts.0.w2";
const std::string second = "model-00002-of-000002.safetensors";

struct Good {
    std::string name;
    CheckpointFiles files;
    std::set<std::string> notes;  // what a rule may rightly remark
};

// NVIDIA's form: experts in NVFP4, attention in FP8 blocks, and a list of what is which under every server's names.
CheckpointFiles mixed() {
    CheckpointFiles files = store(support::kimi_k3_like(), modelopt_nvfp4);
    const std::string q_proj = layers + "1.self_attn.q_proj";
    files.remove(q_proj + ".weight");
    files.shards[second].push_back(support::counted_tensor(q_proj + ".weight", support::Dtype::F8_E4M3, {16, 16}, 1));
    files.shards[second].push_back(support::f32_tensor(q_proj + ".weight_scale", {1, 1, 1, 1}, {0.5F}));
    const auto named = [](const std::string& name, const char* algorithm) {
        return "\"" + name + R"(": {"quant_algo": ")" + algorithm + "\"}";
    };
    files.others["config.json"] =
        R"({"model_type": "kimi_k3", "quantization_config": {"quant_method": "modelopt_mixed", "quant_algo": "MIXED_PRECISION", "quantized_layers": {)" +
        named(layers + "1.block_sparse_moe.experts", "NVFP4") + ", " + named("model.layers.1.mlp.experts", "NVFP4") +
        ", " + named(q_proj, "FP8_PB_WO") + ", " + named("model.layers.1.self_attn.q_proj", "FP8_PB_WO") + "}}}";
    return files;
}

std::vector<Good> good_checkpoints() {
    using support::deepseek_v4_like, support::gpt_oss_like, support::kimi_k3_like;
    const std::set<std::string> cast{"block_scale.closed_form"};
    return {{"Kimi-K3, MXFP4", store(kimi_k3_like(), compressed_tensors_mxfp4), {}},
            {"Kimi-K3, ModelOpt NVFP4", store(kimi_k3_like(), modelopt_nvfp4), cast},
            {"Kimi-K3, compressed-tensors NVFP4", store(kimi_k3_like(), compressed_tensors_nvfp4), cast},
            {"Kimi-K3, one expert", store(kimi_k3_like(1, 9), modelopt_nvfp4), cast},
            {"Kimi-K3, NVIDIA's mixed form", mixed(), cast},
            {"gpt-oss", store(gpt_oss_like(), gpt_oss), {}},
            {"gpt-oss, original names", store(gpt_oss_like(true), gpt_oss_original), {}},
            {"gpt-oss, ModelOpt NVFP4 banks", store(gpt_oss_like(), modelopt_nvfp4), cast},
            {"DeepSeek-V4", store(deepseek_v4_like(), deepseek_v4), {}}};
}

struct Mutation {
    std::string rule;
    Dialect dialect;
    std::function<void(CheckpointFiles&)> files;
    std::function<void(const CheckpointFolder&)> folder = {};  // after writing
};

void set_float(CheckpointFiles& files, const std::string& name, float value) {
    support::StoredTensor& tensor = files.tensor(name);
    tensor = support::f32_tensor(tensor.name, tensor.shape, {value});
}

void add_input_scales(CheckpointFiles& files, float value) {
    for (unsigned expert = 0; expert < 3; ++expert) {
        for (const char* w : {"w1", "w2", "w3"}) {
            const std::string name = layers + "1.block_sparse_moe.experts." + std::to_string(expert) + "." + w;
            files.shards[second].push_back(support::f32_tensor(name + ".input_scale", {}, {value}));
        }
    }
}

void edit_index(const CheckpointFolder& folder, const std::string& from, const std::string& to) {
    std::string text = folder.read("model.safetensors.index.json");
    ASSERT_NE(text.find(from), std::string::npos);
    folder.write("model.safetensors.index.json", text.replace(text.find(from), from.size(), to));
}

const auto unchanged = [](CheckpointFiles&) {};

std::vector<Mutation> mutations() {
    std::vector<Mutation> all;
    const auto config = [&](const char* rule, Dialect dialect, const std::string& from, const std::string& to) {
        all.push_back({rule, dialect, [=](CheckpointFiles& files) { replace(files, from, to); }});
    };
    const auto global = [&](const char* rule, float value) {
        all.push_back({rule, modelopt_nvfp4,
                       [=](CheckpointFiles& files) { set_float(files, w2 + ".weight_scale_2", value); }});
    };
    const auto block_scale = [&](const char* rule, Dialect dialect, std::uint8_t code) {
        all.push_back({rule, dialect, [=](CheckpointFiles& files) {
                           files.tensor(w1 + ".weight_scale").bytes[4] = code;
                           auto& packed =
                               files.tensor(w1 + (dialect == modelopt_nvfp4 ? ".weight" : ".weight_packed")).bytes;
                           std::fill_n(packed.begin() + 4 * 8, 64, std::uint8_t{0x21});
                       }});
    };
    all.push_back({"header.fault", modelopt_nvfp4, unchanged,
                   [](const CheckpointFolder& folder) { folder.write(second, folder.read(second) + "x"); }});
    all.push_back({"header.fault", modelopt_nvfp4, unchanged, [](const CheckpointFolder& folder) {
                       std::string file = folder.read(second);
                       file.insert(8, 1, ' ');
                       ++file[0];
                       folder.write(second, file);
                   }});
    all.push_back({"shard.missing", modelopt_nvfp4, unchanged, [](const CheckpointFolder& folder) {
                       folder.write("other.safetensors", support::safetensors_file({}));
                   }});
    all.push_back({"shard.missing", modelopt_nvfp4, unchanged,
                   [](const CheckpointFolder& folder) { std::filesystem::remove(folder.path(second)); }});
    all.push_back({"index.entry", modelopt_nvfp4, unchanged, [](const CheckpointFolder& folder) {
                       edit_index(folder, "norm.weight\"", "norm.weigh\"");
                   }});
    all.push_back({"index.total_size", modelopt_nvfp4, unchanged, [](const CheckpointFolder& folder) {
                       edit_index(folder, "\"total_size\": ", "\"total_size\": 9");
                   }});
    all.push_back({"tensor.shadowed", modelopt_nvfp4, [](CheckpointFiles& files) {
                       files.shards["model-00001-of-000002.safetensors"].push_back(
                           files.tensor(layers + "1.input_layernorm.weight"));
                   }});
    all.push_back(
        {"weight.parts", modelopt_nvfp4, [](CheckpointFiles& files) { files.remove(w1 + ".weight_scale"); }});
    all.push_back({"weight.parts", gpt_oss,
                   [](CheckpointFiles& files) { files.tensor("model.layers.0.mlp.experts.down_proj_scales").shape = {2, 96, 1}; }});
    all.push_back({"weight.parts", modelopt_nvfp4, [](CheckpointFiles& files) {
                       auto& tensors = files.shards[second];
                       tensors.push_back(support::counted_tensor("quark.weight", support::Dtype::U8, {2, 16}));
                       tensors.push_back(support::counted_tensor("quark.weight_scale", support::Dtype::U8, {2, 1}));
                   }});
    all.push_back({"config.presence", modelopt_nvfp4,
                   [](CheckpointFiles& files) { files.others["config.json"] = "{}"; }});
    config("config.nesting", modelopt_nvfp4, "\"quantization_config\"",
           R"("text_config": {"quantization_config": {"quant_method": "compressed-tensors"}}, "quantization_config")");
    all.push_back({"config.copies", modelopt_nvfp4, [](CheckpointFiles& files) {
                       files.others["hf_quant_config.json"] =
                           R"({"quantization": {"quant_algo": "W4A16_NVFP4", "group_size": 16, "kv_cache_quant_algo": null, "exclude_modules": ["*lm_head*", "*self_attn*", "*layers.0.mlp*"]}})";
                   }});
    config("config.format", modelopt_nvfp4, "\"quant_algo\"", R"("format": "nvfp4-pack-quantized", "quant_algo")");
    config("config.format", compressed_tensors_nvfp4, "nvfp4-pack-quantized", "mxfp4-pack-quantized");
    config("config.group_size", compressed_tensors_nvfp4, "\"group_size\": 16", "\"group_size\": 32");
    config("config.weight_only", modelopt_nvfp4, "W4A16_NVFP4", "NVFP4");
    all.push_back({"config.weight_only", modelopt_nvfp4, [](CheckpointFiles& files) {
                       replace(files, "W4A16_NVFP4", "NVFP4");
                       replace(files, "\"weights\"", "\"input_activations\": null, \"weights\"");
                   }});
    config("config.refused", modelopt_nvfp4, "W4A16_NVFP4", "NVFP5");
    config("config.hidden", modelopt_nvfp4, "\"*lm_head*\"", "\"*lm_head*\", \"*experts*\"");
    all.push_back({"config.hidden", modelopt_nvfp4, [](CheckpointFiles& files) {
                       files = mixed();
                       replace(files, "\"model.layers.1.mlp.experts\"", "\"model.layers.1.mlp.expert\"");
                   }});
    config("config.exposed", compressed_tensors_mxfp4, "\"re:.*lm_head.*\"", "\"re:.*lm_heat.*\"");
    config("config.exposed", compressed_tensors_nvfp4, "self_attn", "self_atn");
    config("config.split", compressed_tensors_nvfp4, "(gate|up|gate_up|down)", "(gate|gate_up|down)");
    config("config.entry", compressed_tensors_nvfp4, "\"re:.*lm_head.*\"", "\"re:.*lm_head.*\", \"re:(\"");
    config("config.entry", modelopt_nvfp4, "\"*lm_head*\"", "\"*lm_head*\", \"mtp*\"");
    config("model.tied_head", modelopt_nvfp4, "\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true");
    all.push_back({"model.tied_head", modelopt_nvfp4,
                   [](CheckpointFiles& files) { files.remove("language_model.lm_head.weight"); }});
    global("scale.global", NAN);
    global("scale.one", 1.0F);
    global("scale.reciprocal", 4096.0F);
    global("scale.power_of_two", 0.00125F);
    all.push_back({"scale.shared", modelopt_nvfp4,
                   [](CheckpointFiles& files) { set_float(files, w1 + ".weight_scale_2", 0x1p-20F); }});
    all.push_back({"scale.input", modelopt_nvfp4, [](CheckpointFiles& files) { add_input_scales(files, -0.5F); }});
    all.push_back({"scale.input_some", modelopt_nvfp4, [](CheckpointFiles& files) {
                       files.shards[second].push_back(support::f32_tensor(w1 + ".input_scale", {}, {0.5F}));
                   }});
    all.push_back({"scale.input_one", modelopt_nvfp4, [](CheckpointFiles& files) { add_input_scales(files, 1.0F); }});
    all.push_back({"scale.input_one", modelopt_nvfp4, [](CheckpointFiles& files) {
                       add_input_scales(files, 1.0F);
                       set_float(files, w2 + ".input_scale", 0.5F);
                   }});
    block_scale("block_scale.nan", modelopt_nvfp4, 0x7f);
    block_scale("block_scale.nan", compressed_tensors_mxfp4, 255);
    block_scale("block_scale.negative", modelopt_nvfp4, 0xb8);
    block_scale("block_scale.zero", modelopt_nvfp4, 0);
    block_scale("block_scale.zero", compressed_tensors_mxfp4, 0);
    block_scale("block_scale.subnormal", modelopt_nvfp4, 0x02);
    block_scale("block_scale.unpaired", modelopt_nvfp4, 0x10);
    all.push_back({"block_scale.closed_form", modelopt_nvfp4, unchanged});
    const auto a_log = [&](const char* rule, std::size_t entry, std::uint8_t high_byte) {
        all.push_back({rule, compressed_tensors_mxfp4, [=](CheckpointFiles& files) {
                           auto& bytes = files.tensor(layers + "1.self_attn.A_log").bytes;
                           std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(4 * entry), 4, std::uint8_t{0});
                           bytes[4 * entry + 3] = high_byte;
                       }});
    };
    a_log("a_log.tail", 100, 0x80);
    a_log("a_log.heads", 95, 0x00);
    all.push_back({"a_log.heads", compressed_tensors_mxfp4, [](CheckpointFiles& files) {
                       files.tensor(layers + "1.self_attn.A_log").bytes[4 * 95 + 3] = 0x7f;
                       files.tensor(layers + "1.self_attn.A_log").bytes[4 * 95 + 2] = 0xc0;
                   }});
    return all;
}

CheckpointFiles base(Dialect dialect) {
    return dialect == gpt_oss ? store(support::gpt_oss_like(), dialect) : store(support::kimi_k3_like(), dialect);
}

TEST(EveryRule, IsSilentOnEveryGoodCheckpoint) {
    for (const Good& good : good_checkpoints()) {
        for (const Finding& finding : findings_of(CheckpointFolder(good.files))) {
            EXPECT_TRUE(finding.severity == Severity::note && good.notes.contains(finding.rule))
                << good.name << ": " << finding.rule << ": " << finding.tensor << ": " << finding.message;
        }
    }
}

TEST(EveryRule, TripsOnItsMutation) {
    for (const Mutation& mutation : mutations()) {
        CheckpointFiles files = base(mutation.dialect);
        mutation.files(files);
        const CheckpointFolder folder(files);
        if (mutation.folder) mutation.folder(folder);
        std::set<std::string> said;
        for (const Finding& finding : findings_of(folder)) {
            said.insert(finding.rule);
            EXPECT_FALSE(finding.message.empty()) << finding.rule;
            EXPECT_FALSE(finding.consequence.empty()) << finding.rule << ": " << finding.message;
        }
        EXPECT_TRUE(said.contains(mutation.rule)) << mutation.rule << ", but " << testing::PrintToString(said);
    }
}

TEST(EveryRule, HasAMutation) {
    std::set<std::string> with;
    for (const Mutation& mutation : mutations()) with.insert(mutation.rule);
    for (const Rule& rule : all_rules()) EXPECT_TRUE(with.contains(std::string(rule.id))) << rule.id;
}

TEST(EveryRule, GivesTheSeveritiesThatItIsListedWith) {
    std::map<std::string, std::set<Severity>> given;
    for (const Mutation& mutation : mutations()) {
        CheckpointFiles files = base(mutation.dialect);
        mutation.files(files);
        const CheckpointFolder folder(files);
        if (mutation.folder) mutation.folder(folder);
        for (const Finding& finding : findings_of(folder)) given[finding.rule].insert(finding.severity);
    }
    for (const Rule& rule : all_rules()) {
        const std::set<Severity>& severities = given[std::string(rule.id)];
        ASSERT_FALSE(severities.empty()) << rule.id;
        EXPECT_EQ(to_string(*severities.rbegin()), to_string(rule.severity)) << rule.id;
        EXPECT_EQ(to_string(*severities.begin()), to_string(rule.least)) << rule.id;
    }
}

}  // namespace
}  // namespace assay::rules
