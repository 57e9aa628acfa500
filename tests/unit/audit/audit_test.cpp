// The program, as a user runs it, on a pair of checkpoints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/checkpoints/kimi_k3_geometry.hpp"
#include "tests/support/checkpoints/published.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"
#include "tests/support/terminal_program.hpp"

namespace assay {
namespace {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using testing::EndsWith;
using testing::HasSubstr;

constexpr auto mxfp4 = Dialect::compressed_tensors_mxfp4;
constexpr auto nvfp4 = Dialect::modelopt_nvfp4;

auto audit(const CheckpointFolder& source, const CheckpointFolder& target, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"audit", target.path(), "--source", source.path()};
    args.insert(args.end(), more.begin(), more.end());
    return support::run(args);
}

TEST(Audit, AGoodCastEndsZeroWithTheTwoLines) {
    const auto model = support::kimi_k3_like();
    const auto run = audit(CheckpointFolder(store(model, mxfp4)), CheckpointFolder(store(model, nvfp4)));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(
        run.out,
        EndsWith("\nblocks bit-exact  1,152 / 1,152 (100.0000 %)   max_abs_err 0   payload bytes equal 100.0000 %\n"
                 "tensors 9   passed through identical 9 / 9   findings 0 errors, 0 warnings, 1 note\n"));
    EXPECT_EQ(run.err, "");
}

TEST(Audit, OneFlippedBitEndsOneAndIsLocated) {
    const auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    CheckpointFiles files = store(model, nvfp4);
    const std::string name = model.weights[4].name;
    files.tensor(name + ".weight").bytes[48 * 3 + 17] ^= 0x20;
    const CheckpointFolder target(files);
    const auto run = audit(source, target);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("1,151 / 1,152 (99.9131 %)"));
    EXPECT_THAT(run.out, HasSubstr(name));
    const auto json = nlohmann::json::parse(audit(source, target, {"--format", "json"}).out);
    EXPECT_EQ(json["format"], "assay.audit/1");
    EXPECT_EQ(json["against"]["blocks_exact"], 1151);
    const auto& first = json["against"]["first_differences"][0];
    EXPECT_EQ(first["weight"], name);
    EXPECT_EQ(first["row"], 3);
    EXPECT_EQ(first["block"], 1);
    EXPECT_EQ(first["element"], 3);
    EXPECT_EQ(first["class"], "nibble");
}

TEST(Audit, NamesTheWeightWholeInATerminalOfAnyWidth) {
    if (!support::terminals_there()) GTEST_SKIP() << "no terminal can be opened here";
    const auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    CheckpointFiles files = store(model, nvfp4);
    const std::string name = model.weights[4].name;
    for (const std::size_t byte : {48 * 3 + 17, 48 * 5}) files.tensor(name + ".weight").bytes[byte] ^= 0x20;
    const CheckpointFolder target(files);
    const auto shown = [&](int width) {
        return support::run_in_terminal(width, {"audit", target.path(), "--source", source.path(), "--quiet"}).out;
    };
    const std::string wide = shown(170);
    EXPECT_THAT(wide, HasSubstr("\n" + name + "    3      1       3  nibble "));
    EXPECT_THAT(wide, HasSubstr("\n" + name + "    5      0       1  nibble "));
    const std::string narrow = shown(80);
    EXPECT_THAT(narrow, HasSubstr("\n" + name + "\n    row 3, block 1, column 3: nibble, codes "));
    EXPECT_THAT(narrow, HasSubstr("\n    row 5, block 0, column 1: nibble, codes "));
    EXPECT_EQ(narrow.find(name), narrow.rfind(name)) << "once for both blocks: " << narrow;
}

TEST(Audit, ALostNegativeZeroIsASuccessUnlessBytesAreStrict) {
    auto model = support::kimi_k3_like();
    model.weights[0].nibbles[5] = 8;
    const CheckpointFolder source(store(model, mxfp4));
    model.weights[0].nibbles[5] = 0;
    const CheckpointFolder target(store(model, nvfp4));
    const auto run = audit(source, target);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, HasSubstr("1,152 / 1,152 (100.0000 %)   max_abs_err 0   payload bytes equal 99.9131 %"));
    EXPECT_THAT(run.out, HasSubstr("negative_zero"));
    EXPECT_EQ(audit(source, target, {"--strict-bytes"}).exit_code, 1);
}

TEST(Audit, EveryDifferenceGoesToTheFile) {
    auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    for (std::size_t i = 0; i < 60; ++i) model.weights[0].nibbles[32 * i + i % 32] ^= 2;
    const CheckpointFolder target(store(model, nvfp4));
    const std::string path = source.path("differences.jsonl");
    const auto run = audit(source, target, {"--differences", path, "--show", "3", "--threads", "2"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("and 57 more"));
    std::ifstream file(path);
    std::string line;
    std::uint64_t count = 0;
    for (; std::getline(file, line); ++count) {
        const auto json = nlohmann::json::parse(line);
        EXPECT_EQ(json["format"], "assay.difference/1");
        EXPECT_EQ(json["row"].get<std::uint64_t>() * 2 + json["block"].get<std::uint64_t>(), count);
    }
    EXPECT_EQ(count, 60U);
    file.close();
    EXPECT_EQ(audit(source, target, {"--differences", path}).exit_code, 1);  // its own may be written anew
    for (const std::string& precious : {std::string("config.json"), std::string("model.safetensors.index.json")}) {
        const std::string before = target.read(precious);
        ASSERT_FALSE(before.empty());
        const auto refused = audit(source, target, {"--differences", target.path(precious)});
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_THAT(refused.err, HasSubstr("is there and holds something else than differences; name another file"));
        EXPECT_EQ(target.read(precious), before);
    }
}

TEST(Audit, MissingExtraAndChangedTensorsAreFindings) {
    const auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    CheckpointFiles files = store(model, nvfp4);
    files.remove("language_model.model.norm.weight");
    files.shards.begin()->second.push_back(support::counted_tensor("new.bias", support::Dtype::BF16, {4}));
    files.tensor("language_model.lm_head.weight").bytes[2] ^= 1;
    files.tensor("language_model.model.embed_tokens.weight").shape = {16, 32};
    const auto run = audit(source, CheckpointFolder(files));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("pair.missing  language_model.model.norm.weight"));
    EXPECT_THAT(run.out, HasSubstr("pair.extra  new.bias"));
    EXPECT_THAT(run.out, HasSubstr("1 of 1024 bytes differ from the source, the first at byte 2"));
    EXPECT_THAT(run.out, HasSubstr("pair.mismatch  language_model.model.embed_tokens.weight"));
    EXPECT_THAT(run.out, HasSubstr("passed through identical 6 / 9   findings 3 errors, 1 warning, 1 note"));
}

TEST(Audit, AWarningAloneFailsOnlyWhereItIsAskedTo) {
    const auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    CheckpointFiles files = store(model, nvfp4);
    files.shards.begin()->second.push_back(support::counted_tensor("new.bias", support::Dtype::BF16, {4}));
    const CheckpointFolder target(files);
    EXPECT_EQ(audit(source, target).exit_code, 0);
    EXPECT_EQ(audit(source, target, {"--fail-on", "warning"}).exit_code, 1);
}

TEST(Audit, AMissingWeightCountsAmongTheBlocks) {
    const auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    CheckpointFiles files = store(model, nvfp4);
    for (const char* part : {".weight", ".weight_scale", ".weight_scale_2"}) files.remove(model.weights[0].name + part);
    const auto run = audit(source, CheckpointFolder(files));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("1,056 / 1,152 (91.6666 %)"));
}

TEST(Audit, WhatCannotBeReadIsUndecided) {
    const auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    const CheckpointFolder target(store(model, nvfp4));
    const std::string shard = target.path("model-00002-of-000002.safetensors");
    std::filesystem::resize_file(shard, std::filesystem::file_size(shard) - 1);
    EXPECT_EQ(audit(source, target).exit_code, 1);  // the header says that bytes are missing
    const auto run = audit(source, target, {"--ignore", "header"});
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_THAT(run.out, HasSubstr("not decided"));
    EXPECT_THAT(run.out, HasSubstr("pair.unreadable"));
    // Of a part a fingerprint would name nothing.
    const auto json = nlohmann::json::parse(audit(source, target, {"--ignore", "header", "--format", "json"}).out);
    EXPECT_EQ(json["against"]["target_fingerprint"], nullptr);
    EXPECT_EQ(json["against"]["source_fingerprint"], nullptr);
    // Files of both sides have one name.
    const auto swapped = audit(target, source, {"--ignore", "header"});
    EXPECT_THAT(swapped.out, HasSubstr("in the source: the file ends at byte"));
}

TEST(Audit, TextAndJsonDoNotDependOnThreads) {
    auto model = support::kimi_k3_like(5);
    const CheckpointFolder source(store(model, mxfp4));
    for (auto& weight : model.weights) weight.nibbles[100] ^= 1;
    const CheckpointFolder target(store(model, nvfp4));
    for (const char* format : {"text", "json"}) {
        const auto one = audit(source, target, {"--threads", "1", "--format", format});
        const auto many = audit(source, target, {"--threads", "8", "--format", format});
        EXPECT_EQ(one.out, many.out);
        EXPECT_EQ(one.exit_code, 1);
    }
}

TEST(Audit, AGoodCheckpointAloneIsClean) {
    const auto run =
        support::run({"audit", CheckpointFolder(store(support::kimi_k3_like(), nvfp4)).path() + "/nowhere"});
    EXPECT_EQ(run.exit_code, 2);
    for (const Dialect dialect : {mxfp4, nvfp4, Dialect::compressed_tensors_nvfp4}) {
        const CheckpointFolder folder(store(support::kimi_k3_like(), dialect));
        const auto good = support::run({"audit", folder.path()});
        EXPECT_EQ(good.exit_code, 0);
        // The note says that NVFP4 weights are closed-form casts.
        EXPECT_THAT(good.out, EndsWith(dialect == mxfp4 ? "\nfindings 0 errors, 0 warnings, 0 notes\n"
                                                        : "\nfindings 0 errors, 0 warnings, 1 note\n"));
    }
}

TEST(Audit, RulesAreListedChosenAndLeftOut) {
    CheckpointFiles files = store(support::kimi_k3_like(), nvfp4);
    files.remove(files.shards.begin()->second.front().name);
    const std::string index = index_json(store(support::kimi_k3_like(), nvfp4));
    const CheckpointFolder folder(files);
    folder.write("model.safetensors.index.json", index);
    EXPECT_EQ(support::run({"audit", folder.path()}).exit_code, 1);
    EXPECT_EQ(support::run({"audit", folder.path(), "--rules", "scale"}).exit_code, 0);
    EXPECT_EQ(support::run({"audit", folder.path(), "--ignore", "index"}).exit_code, 0);
    EXPECT_EQ(support::run({"audit", folder.path(), "--ignore", "index.entry"}).exit_code, 0);
    EXPECT_EQ(support::run({"audit", folder.path(), "--rules", "scale,header", "--rules", "config"}).exit_code, 0);
    EXPECT_EQ(support::run({"audit", folder.path(), "--ignore", "block_scale, index.entry"}).exit_code, 0);
    EXPECT_EQ(support::run({"audit", folder.path(), "--rules", "scale", "--ignore", "scale"}).exit_code, 2);
    EXPECT_THAT(support::run({"audit", folder.path(), "--rules", "config.hiden"}).err,
                HasSubstr("no rule config.hiden: did you mean config.hidden?"));
    EXPECT_THAT(support::run({"audit", folder.path(), "--ignore", "scale,shared"}).err,
                HasSubstr("no rule shared: did you mean scale.shared?"));
    EXPECT_THAT(support::run({"audit", folder.path(), "--rules", "a_log.everything"}).err,
                HasSubstr("did you mean a_log.tail, a_log.heads?"));
    const auto listed = nlohmann::json::parse(support::run({"audit", "--list-rules", "--format", "json"}).out);
    EXPECT_EQ(listed["format"], "assay.rules/1");
    EXPECT_EQ(listed["rules"][0]["id"], "header.fault");
    EXPECT_EQ(listed["rules"][0]["severity"], "error");
    const auto unknown = support::run({"audit", folder.path(), "--rules", "scale.globl"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("scale.global"));
    EXPECT_THAT(support::run({"audit", "--list-rules"}).out, HasSubstr("config.exposed"));
}

TEST(Audit, SaysOfThePublishedGeometryWhichWeightsItsIgnoreListMisses) {
    const std::string path = support::published_kimi_k3("config.json");
    if (path.empty()) GTEST_SKIP() << support::published_kimi_k3_missing;
    std::ifstream file(path);
    const CheckpointFolder folder;
    support::write_kimi_k3_geometry(folder.path(), {std::istreambuf_iterator<char>(file), {}});
    // Holes read as zeros: what is in the tensors is not asked.
    const auto run = support::run({"audit", folder.path(), "--ignore", "block_scale,a_log", "--format", "json"});
    EXPECT_EQ(run.exit_code, 0);
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["errors"], 0);
    std::map<std::string, std::string> messages;
    for (const auto& finding : json["findings"]) messages[finding["tensor"]] = finding["message"];
    const std::string layers = "language_model.model.layers.";
    // And two that are no linear layers in the model's code: the router and the embeddings.
    EXPECT_EQ(messages.size(), 7U);
    EXPECT_THAT(messages["language_model.model.embed_tokens"], HasSubstr("no linear layer in the model's code"));
    for (const char* name : {"{1..92}.block_sparse_moe.routed_expert_up_proj",
                             "{1..92}.block_sparse_moe.routed_expert_down_proj", "{1..92}.block_sparse_moe.gate"}) {
        EXPECT_THAT(messages[layers + name], HasSubstr("read by compressed-tensors: 92 modules are plain, and excluded by no entry")) << name;
    }
    for (const char* name : {"{0..92}.self_attention_res_proj", "{0..92}.mlp_res_proj"})
        EXPECT_THAT(messages[layers + name], HasSubstr("93 modules")) << name;
    EXPECT_THAT(messages["language_model.model.output_attn_res_proj"], HasSubstr("1 module is"));
}

TEST(Audit, EveryLineOfASampleSaysSoAndItEndsThreeAtBest) {
    auto model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, mxfp4));
    const CheckpointFolder good(store(model, nvfp4));
    const auto run = audit(source, good, {"--sample", "10%", "--sample-seed", "4"});
    EXPECT_EQ(run.exit_code, 3) << run.err;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) EXPECT_TRUE(line.empty() || line.starts_with("sample 10 %  ")) << line;
    EXPECT_THAT(run.out, HasSubstr(", of 1,152)"));
    const auto json = nlohmann::json::parse(audit(source, good, {"--sample", "10%", "--format", "json"}).out);
    EXPECT_EQ(json["against"]["sample"]["fraction"], 0.1);
    EXPECT_EQ(json["against"]["sample"]["seed"], 0);
    EXPECT_EQ(json["against"]["target_fingerprint"], nullptr);
    std::istringstream rows(audit(source, good, {"--sample", "10%", "--format", "markdown"}).out);
    std::string row;
    std::getline(rows, row);
    std::getline(rows, row);
    while (std::getline(rows, row)) {
        EXPECT_TRUE(row.starts_with("| sample 10 %: ")) << row;
        EXPECT_THAT(row, testing::Not(HasSubstr("fingerprint")));
        if (row.find("bit-exact**") != std::string::npos) {
            EXPECT_THAT(row, HasSubstr("(100.0000 %)"));
        }
    }
    for (auto& weight : model.weights) weight.exponents.assign(weight.exponents.size(), 100);
    EXPECT_EQ(audit(source, CheckpointFolder(store(model, nvfp4)), {"--sample", "10%"}).exit_code, 1);
    EXPECT_EQ(audit(source, good, {"--sample", "0"}).exit_code, 2);
    EXPECT_EQ(support::run({"audit", good.path(), "--sample", "1%"}).exit_code, 2);
}

TEST(Audit, WithoutACheckpointItIsRefused) {
    const CheckpointFolder folder;
    EXPECT_EQ(support::run({"audit"}).exit_code, 2);
    EXPECT_EQ(support::run({"audit", folder.path(), "--source", folder.path()}).exit_code, 2);
}

}  // namespace
}  // namespace assay
