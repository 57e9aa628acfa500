// The program, as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "reports/checkpoints/inspect_report.hpp"
#include "tests/support/checkpoints/kimi_k3_geometry.hpp"
#include "tests/support/checkpoints/published.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"

namespace assay {
namespace {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;
using testing::HasSubstr;
using testing::Not;

nlohmann::json json_of(const std::vector<std::string>& args, int exit_code = 0) {
    std::vector<std::string> all{"inspect"};
    all.insert(all.end(), args.begin(), args.end());
    all.insert(all.end(), {"--format", "json"});
    const auto run = support::run(all);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    return nlohmann::json::parse(run.out);
}

TEST(Inspect, FoldsLayersAndExpertsIntoOneRow) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4));
    const auto json = json_of({folder.path()});
    EXPECT_EQ(json["format"], "assay.inspect/1");
    EXPECT_EQ(json["tensors"], 27);
    EXPECT_EQ(json["modules"], 9);
    EXPECT_EQ(json["blocks"], 3 * (2 * 48 * 2 + 64 * 3));
    ASSERT_EQ(json["quantized"].size(), 3U);
    EXPECT_EQ(json["quantized"][0]["pattern"], "language_model.model.layers.1.block_sparse_moe.experts.{0..2}.w1");
    EXPECT_EQ(json["quantized"][0]["layout"], "compressed-tensors MXFP4");
    EXPECT_EQ(json["quantized"][0]["count"], 3);
    EXPECT_EQ(json["quantized"][0]["bytes"], 3 * (48 * 32 + 48 * 2));
    EXPECT_EQ(json["configs"][0]["dialect"], "compressed-tensors");
    EXPECT_EQ(json["configs"][0]["where"], "config.json: text_config.quantization_config");
    EXPECT_EQ(json["index"]["entries"], 27);
}

TEST(Inspect, PrintsTheSameNumbersAsText) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::modelopt_nvfp4));
    const auto run = support::run({"inspect", folder.path()});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, HasSubstr("36 tensors in 2 files"));
    EXPECT_THAT(run.out, HasSubstr("ModelOpt NVFP4"));
    EXPECT_THAT(run.out, HasSubstr("as the tensors have"));
    EXPECT_THAT(run.out, Not(HasSubstr("fault")));
}

TEST(Inspect, ShowsAWeightWithItsScalesAndFirstValues) {
    support::SmallModel model = support::kimi_k3_like();
    support::Weight& weight = model.weights[0];
    weight.exponents[0] = 128;  // 2
    for (std::size_t i = 0; i < 16; ++i) weight.nibbles[i] = static_cast<std::uint8_t>(i);
    for (const auto& [dialect, global] :
         {std::pair{Dialect::compressed_tensors_mxfp4, 0}, std::pair{Dialect::modelopt_nvfp4, 1},
          std::pair{Dialect::compressed_tensors_nvfp4, 1}}) {
        const CheckpointFolder folder(store(model, dialect));
        const auto json = json_of({folder.path(), "--tensor", weight.name});
        EXPECT_EQ(json["first_values"],
                  (std::vector<double>{0, 1, 2, 3, 4, 6, 8, 12, -0.0, -1, -2, -3, -4, -6, -8, -12}));
        EXPECT_EQ(json["module"]["rows"], 48);
        EXPECT_EQ(json["global_scales"].size(), global);
        std::uint64_t blocks = 0;
        for (const auto& [code, count] : json["scale_codes"].items()) blocks += count.get<std::uint64_t>();
        EXPECT_EQ(blocks, dialect == Dialect::compressed_tensors_mxfp4 ? 96U : 192U);
        EXPECT_EQ(json["tensors"].size(), 2U + global);
    }
}

TEST(Inspect, ShowsAPlainTensor) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4));
    const auto json = json_of({folder.path(), "--tensor", "language_model.model.layers.1.self_attn.A_log"});
    EXPECT_EQ(json["first_values"][3], 3.5);
    EXPECT_EQ(json["tensors"][0]["dtype"], "F32");
}

TEST(Inspect, AnUnknownTensorIsRefusedWithItsNeighbours) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4));
    const auto run = support::run({"inspect", folder.path(), "--tensor", "language_model.model.norm.bias"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("language_model.model.norm.weight"));
}

TEST(Inspect, FaultsAreSaidAndEndOne) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4));
    std::string file = folder.read("model-00002-of-000002.safetensors");
    folder.write("model-00002-of-000002.safetensors", file + "x");
    const auto run = support::run({"inspect", folder.path()});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("trailing_bytes: 1 byte follows the last tensor"));
    EXPECT_EQ(json_of({folder.path()}, 1)["shards"][1]["faults"][0]["kind"], "trailing_bytes");
}

TEST(Inspect, TensorNamesCannotDriveATerminal) {
    CheckpointFiles files;
    files.shards["model.safetensors"] = {support::counted_tensor("evil\\u001b[31m", support::Dtype::U8, {1})};
    files.with_index = false;
    const CheckpointFolder folder(files);
    const auto run = support::run({"inspect", folder.path()});
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
    EXPECT_THAT(run.out, HasSubstr("evil\\x1b[31m"));
}

TEST(Inspect, AWrongFolderIsRefusedWithWhatIsThere) {
    const CheckpointFolder folder;
    const auto said = [](const std::string& path) {
        const auto run = support::run({"inspect", path});
        EXPECT_EQ(run.exit_code, 2);
        return run.err;
    };
    EXPECT_THAT(said(folder.path()), HasSubstr("give the folder that the weights were downloaded to"));
    std::filesystem::create_directories(folder.path("snapshots/abc"));
    folder.write("snapshots/abc/model.safetensors", "x");
    EXPECT_THAT(said(folder.path()), HasSubstr("there are some in " + folder.path("snapshots/abc")));
    folder.write("pytorch_model.bin", "x");
    EXPECT_THAT(said(folder.path()), HasSubstr("only PyTorch files"));
    folder.write("config.json", "{}");
    EXPECT_THAT(said(folder.path("config.json")), HasSubstr("is no index of a checkpoint; give its folder"));
}

TEST(Inspect, APathThatCannotBeReachedIsSaidAsWhatItIs) {
    const CheckpointFolder folder;
    const auto said = [](const std::string& path) {
        const auto run = support::run({"inspect", path});
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr(path));
        return run.err;
    };
    folder.write("file", "x");
    std::filesystem::create_symlink("loop", folder.path("loop"));
    std::filesystem::create_symlink("gone/model", folder.path("dangling"));
    EXPECT_THAT(said(folder.path("nowhere")), HasSubstr("no checkpoint at"));
    EXPECT_THAT(said(folder.path("file/model.safetensors")), HasSubstr("a part of the path is not a directory"));
    EXPECT_THAT(said(folder.path("loop/model.safetensors")), HasSubstr("symbolic links lead in a circle"));
    EXPECT_THAT(said(folder.path(std::string(300, 'n'))), HasSubstr("is longer than the file system allows"));
    EXPECT_THAT(said(folder.path("dangling")), HasSubstr("it is a symbolic link to gone/model, which is not there"));
    ASSERT_EQ(::mkfifo(folder.path("model.safetensors").c_str(), 0600), 0);
    EXPECT_THAT(support::run({"inspect", folder.path()}).out, HasSubstr("is not a regular file"));
}

TEST(Inspect, WhatItMayNotReadIsSaidAsThat) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::compressed_tensors_mxfp4));
    const std::string shard = folder.path("model-00002-of-000002.safetensors");
    const auto as_nobody = [](const std::string& path) {
        std::vector<std::string> args{ASSAY_PROGRAM, "inspect", path};
        if (::geteuid() != 0 || !std::filesystem::exists("/usr/bin/setpriv")) return support::run({"inspect", path});
        args.insert(args.begin(), {"--reuid=65534", "--regid=65534", "--clear-groups"});
        return support::run_program("/usr/bin/setpriv", args);
    };
    std::filesystem::permissions(folder.path(), std::filesystem::perms::none);
    const auto closed = as_nobody(shard);
    std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
    if (closed.exit_code > 2) GTEST_SKIP() << "no other user can start the program here: " << closed.err;
    EXPECT_EQ(closed.exit_code, 2);
    EXPECT_THAT(closed.err, HasSubstr("cannot read the checkpoint at " + shard + ": permission denied"));
    std::filesystem::permissions(shard, std::filesystem::perms::none);
    const auto one = as_nobody(folder.path());
    EXPECT_EQ(one.exit_code, 1);
    EXPECT_THAT(one.out, HasSubstr("Permission denied"));
}

TEST(Inspect, ACheckpointThatWasNeverFetchedIsSaidInAFewLines) {
    const CheckpointFolder folder;
    for (int i = 10; i < 50; ++i)
        folder.write("model-000" + std::to_string(i) + "-of-00050.safetensors",
                     "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 7\n");
    const auto run = support::run({"inspect", folder.path()});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("fetch it with git lfs pull"));
    EXPECT_THAT(run.out, HasSubstr("and       35 more: git_lfs_pointer\n"));
    EXPECT_THAT(support::run({"audit", folder.path()}).out, HasSubstr("no tensor that could be read"));
}

TEST(Inspect, AMissingShardIsOneFindingAndSaysHowManyTensorsWereInIt) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::modelopt_nvfp4));
    std::filesystem::remove(folder.path("model-00002-of-000002.safetensors"));
    EXPECT_THAT(support::run({"inspect", folder.path()}).out, HasSubstr("No such file"));
    const auto run = support::run({"audit", folder.path()});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.out, HasSubstr("model.safetensors.index.json places 30 tensors in it"));
    EXPECT_THAT(run.out, Not(HasSubstr("error    index.")));
}

TEST(Inspect, ANarrowWindowStillShowsWholeNames) {
    const CheckpointFolder folder(store(support::kimi_k3_like(), Dialect::modelopt_nvfp4));
    const checkpoints::Checkpoint checkpoint = checkpoints::open_checkpoint(folder.path());
    const checkpoints::Recognition recognition = checkpoints::recognise(checkpoint.tensors);
    const checkpoints::Inventory inventory = checkpoints::take_inventory(checkpoint, recognition);
    const std::string text = reports::inspect_text({checkpoint, recognition, inventory}, {60, false});
    EXPECT_THAT(text, HasSubstr("\nlanguage_model.model.layers.1.block_sparse_moe.experts.{0..2}.w1\n"
                                "    ModelOpt NVFP4, U8 [48, 64], 3 weights, 5,196 bytes\n"));
    EXPECT_THAT(text, HasSubstr("\nlanguage_model.model.norm.weight\n    BF16 [16], 1 tensor, 32 bytes\n"));
}

TEST(Inspect, AHostileNameOrShapeDoesNotFillEveryRow) {
    const CheckpointFolder folder;
    const std::string name(200'000, 'n');
    std::string zeros = "0";
    for (int i = 0; i < 100'000; ++i) zeros += ",0";
    std::string header = "{\"" + name + R"(":{"dtype":"U8","shape":[)" + zeros + R"(],"data_offsets":[0,0]})";
    for (int i = 0; i < 100; ++i)
        header += ",\"t" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
    folder.write("model.safetensors", support::file_with_header(header + "}", 0));
    const auto run = support::run({"inspect", folder.path()});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_LT(run.out.size(), 300'000U);
    EXPECT_THAT(run.out, HasSubstr(", .. 100001 axes]"));
}

TEST(Inspect, NoCheckpointIsRefused) {
    const CheckpointFolder folder;
    EXPECT_EQ(support::run({"inspect", folder.path()}).exit_code, 2);
    EXPECT_EQ(support::run({"inspect", folder.path("nowhere")}).exit_code, 2);
    EXPECT_EQ(support::run({"inspect"}).exit_code, 2);
}

TEST(Inspect, ReadsThePublishedGeometryWholeAndUnderOneGibibyte) {
    const std::string path = support::published_kimi_k3("config.json");
    if (path.empty()) GTEST_SKIP() << support::published_kimi_k3_missing;
    std::ifstream file(path);
    const CheckpointFolder folder;
    support::write_kimi_k3_geometry(folder.path(), {std::istreambuf_iterator<char>(file), {}});
    const auto json = json_of({folder.path()});
    EXPECT_EQ(json["tensors"], 497'220);
    EXPECT_EQ(json["tensor_bytes"], 1'560'860'324'864U);
    EXPECT_EQ(json["file_bytes"], 1'560'936'091'448U);
    EXPECT_EQ(json["index"]["total_size"], json["tensor_bytes"]);
    EXPECT_EQ(json["modules"], 247'296);
    EXPECT_EQ(json["blocks"], 85'085'650'944U);
    EXPECT_EQ(json["quantized"].size(), 3U);
    EXPECT_EQ(json["quantized"][1]["pattern"],
              "language_model.model.layers.{1..92}.block_sparse_moe.experts.{0..895}.w2");
    EXPECT_TRUE(json["broken"].empty());
    std::uint64_t other = 0;
    for (const auto& row : json["other"]) other += row["count"].get<std::uint64_t>();
    EXPECT_EQ(other, 2'628U);
    rusage usage{};
    ::getrusage(RUSAGE_CHILDREN, &usage);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which hold memory of their own
    EXPECT_LT(usage.ru_maxrss, 1L << 20);  // in KiB
#endif
}

TEST(Inspect, ShowsRealBlocksInAFullSizeShardOfThePublishedGeometry) {
    const std::string rows = support::published_kimi_k3("w1_first64rows.safetensors");
    if (rows.empty()) GTEST_SKIP() << support::published_kimi_k3_missing;
    const CheckpointFolder folder;
    support::write_kimi_k3_shard(folder.path(), 2);
    support::fill_kimi_k3_experts(folder.path(), 1, 1, rows);
    const std::string shard = folder.path(support::kimi_k3_shard_name(2));
    EXPECT_EQ(std::filesystem::file_size(shard), 16'990'911'504U);
    const std::string experts = "language_model.model.layers.1.block_sparse_moe.experts.";
    for (const char* w : {"w1", "w2", "w3"}) {
        const auto json = json_of({shard, "--tensor", experts + "0." + w});
        const double all = 344'064;
        EXPECT_NEAR(json["scale_codes"]["121"].get<double>() / all, 0.841, 0.0005);
        EXPECT_NEAR(json["scale_codes"]["120"].get<double>() / all, 0.154, 0.0005);
        EXPECT_NEAR(json["scale_codes"]["122"].get<double>() / all, 0.005, 0.0005);
        EXPECT_EQ(json["scale_codes"].size(), 3U);
    }
    EXPECT_EQ(json_of({shard, "--tensor", experts + "1.w1"})["scale_codes"].size(), 1U);
}

}  // namespace
}  // namespace assay
