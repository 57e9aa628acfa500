// A cast audited without its source: by digests of it; and the table for a model card.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"

namespace assay {
namespace {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

struct Pair {
    support::SmallModel model = support::kimi_k3_like(1);
    CheckpointFolder source{store(model, Dialect::compressed_tensors_mxfp4)};
    CheckpointFolder target{store(model, Dialect::modelopt_nvfp4)};
};

std::string digests_of(const CheckpointFolder& folder) {
    const auto run = support::run({"inspect", folder.path(), "--digests"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
}

// Of a program nobody here wrote.
std::string sha256sum(const CheckpointFolder& folder) {
    std::string text;
    std::FILE* pipe = ::popen(("cd '" + folder.path() + "' && sha256sum *").c_str(), "r");
    char piece[4096];
    while (const std::size_t got = std::fread(piece, 1, sizeof piece, pipe)) text.append(piece, got);
    EXPECT_EQ(::pclose(pipe), 0);
    return text;
}

TEST(AuditByDigests, AClosedFormCastHasTheDigestsOfItsSource) {
    const Pair pair;
    pair.source.write("digests.jsonl", digests_of(pair.source));
    const auto run = support::run({"audit", pair.target.path(), "--source-digests", pair.source.path("digests.jsonl")});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("rebuilt source  3 / 3 NVFP4 weights undone   files 2 / 2   fingerprint "));
    EXPECT_THAT(run.out, HasSubstr("source digests  files as given 2 / 2   tensors as given 15 / 15\n"));
}

TEST(AuditByDigests, ACastOfDeepSeekV4OrGptOssIsUndoneAsThatUnasked) {
    for (const Dialect source : {Dialect::deepseek_v4, Dialect::gpt_oss}) {
        const auto model = source == Dialect::gpt_oss ? support::gpt_oss_like() : support::deepseek_v4_like();
        const CheckpointFolder sums;
        sums.write("sums", sha256sum(CheckpointFolder(store(model, source))));
        const CheckpointFolder cast(store(model, Dialect::modelopt_nvfp4));
        const auto run = support::run({"audit", cast.path(), "--rules", "header", "--source-digests", sums.path("sums")});
        EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    }
}

TEST(AuditByDigests, TakesWhatSha256sumPrints) {
    const Pair pair;
    const CheckpointFolder sums;
    sums.write("sums", sha256sum(pair.source));
    const auto run = support::run({"audit", pair.target.path(), "--source-digests", sums.path("sums"), "--format", "json"});
    EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    const auto json = nlohmann::json::parse(run.out)["rebuilt"];
    EXPECT_EQ(json["against"]["files"], 2);
    EXPECT_EQ(json["against"]["files_same"], 2);
    EXPECT_EQ(json["against"]["tensors"], 0);
    EXPECT_EQ(json["weights_undone"], 3);
    EXPECT_EQ(json["tensor_digests"].size(), 15U);
}

TEST(AuditByDigests, AFlippedBitEndsOneAndNamesItsTensor) {
    const Pair pair;
    CheckpointFiles files = store(pair.model, Dialect::modelopt_nvfp4);
    files.tensor(pair.model.weights[2].name + ".weight").bytes[9] ^= 0x10;
    const CheckpointFolder target(files);
    target.write("digests.jsonl", digests_of(pair.source));
    const auto run = support::run({"audit", target.path(), "--source-digests", target.path("digests.jsonl")});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr(pair.model.weights[2].name + ".weight_packed"));
    EXPECT_THAT(run.out, HasSubstr("tensors as given 14 / 15\n"));
}

TEST(AuditByDigests, WhatIsOfNoClosedFormIsUndecided) {
    const Pair pair;
    CheckpointFiles files = store(pair.model, Dialect::modelopt_nvfp4);
    files.tensor(pair.model.weights[2].name + ".weight_scale").bytes[0] ^= 1;
    const CheckpointFolder target(files);
    const auto run = support::run({"audit", target.path(), "--reconstruct-source-digests"});
    EXPECT_EQ(run.exit_code, 3);
    EXPECT_THAT(run.out, HasSubstr("rebuilt source  2 / 3 NVFP4 weights undone   files 1 / 2\n"));
    EXPECT_THAT(run.out, HasSubstr("rebuild.refused"));
}

TEST(AuditByDigests, WritesWhatInspectPrintsOfTheSource) {
    const Pair pair;
    const CheckpointFolder out;
    const auto run = support::run({"audit", pair.target.path(), "--write-digests", out.path("rebuilt.jsonl")});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto without_name = [](const std::string& text) {
        auto head = nlohmann::json::parse(text.substr(0, text.find('\n')));
        head.erase("checkpoint");
        return head.dump() + text.substr(text.find('\n'));
    };
    EXPECT_EQ(without_name(out.read("rebuilt.jsonl")), without_name(digests_of(pair.source)));
    EXPECT_EQ(support::run({"audit", pair.target.path(), "--write-digests", out.path("rebuilt.jsonl")}).exit_code, 0);
    const std::string index = pair.target.read("model.safetensors.index.json");
    const auto refused =
        support::run({"audit", pair.target.path(), "--write-digests", pair.target.path("model.safetensors.index.json")});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("(--write-digests) is there and holds something else than digests"));
    EXPECT_EQ(pair.target.read("model.safetensors.index.json"), index);
    EXPECT_EQ(support::run({"audit", pair.target.path(), "--write-digests", out.path("nowhere/x")}).exit_code, 2);
}

TEST(AuditByDigests, FlagsThatDoNotFitAreRefused) {
    const Pair pair;
    EXPECT_EQ(support::run({"audit", pair.source.path(), "--reconstruct-source-digests"}).exit_code, 2);
    EXPECT_EQ(support::run({"audit", pair.target.path(), "--source-layout", "gpt-oss"}).exit_code, 2);
    EXPECT_EQ(support::run({"audit", pair.target.path(), "--source-digests", pair.target.path("nowhere")}).exit_code, 2);
    const auto layout = support::run(
        {"audit", pair.target.path(), "--reconstruct-source-digests", "--source-layout", "gguf"});
    EXPECT_EQ(layout.exit_code, 2);
    EXPECT_THAT(layout.err, HasSubstr("deepseek-v4"));
}

TEST(AuditMarkdown, IsAShortTableWithoutFolders) {
    const Pair pair;
    const auto run =
        support::run({"audit", pair.target.path(), "--source", pair.source.path(), "--format", "markdown"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, testing::StartsWith("| audit | |\n|:--|:--|\n| checkpoint | "));
    EXPECT_THAT(run.out, HasSubstr("| **blocks bit-exact** | **384 / 384 (100.0000 %)** |\n| max_abs_err | 0 |\n"
                                   "| payload bytes equal | 100.0000 % |\n"
                                   "| quantized weights | 3 / 3 (100.0000 %) bit-exact |\n"));
    EXPECT_THAT(run.out, HasSubstr("| fingerprint | `"));
    EXPECT_THAT(run.out, EndsWith(" |\n"));
    EXPECT_THAT(run.out, Not(HasSubstr("/tmp")));
}

TEST(AuditMarkdown, ListsErrorsUnderTheTable) {
    const Pair pair;
    CheckpointFiles files = store(pair.model, Dialect::modelopt_nvfp4);
    files.tensor("language_model.model.norm.weight").bytes[0] ^= 1;
    const CheckpointFolder target(files);
    const auto run = support::run({"audit", target.path(), "--source", pair.source.path(), "--format", "markdown"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("\n* error pair.bytes language\\_model.model.norm.weight: "));
}

}  // namespace
}  // namespace assay
