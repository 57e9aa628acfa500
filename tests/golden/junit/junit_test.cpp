// `--format junit` of every command that has it: failures where the command ends 1, errors where it ends 3, neither where it ends 0.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/nemo_folder.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using support::CheckpointFolder;
using support::Dialect;
using support::TemporaryFolder;

// The sum of an attribute over all suites.
int sum_of(const std::string& attribute, const std::string& text) {
    int sum = 0;
    const std::string before = " " + attribute + "=\"";
    for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) sum += std::stoi(text.substr(at + before.size()));
    return sum;
}

void expect_verdict(std::vector<std::string> args, int exit_code) {
    args.insert(args.end(), {"--format", "junit"});
    const auto run = support::run(args);
    EXPECT_EQ(run.exit_code, exit_code) << run.err << run.out;
    EXPECT_TRUE(run.out.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\">\n")) << run.out;
    EXPECT_TRUE(run.out.ends_with("</testsuites>\n"));
    EXPECT_GT(sum_of("tests", run.out), 0);
    EXPECT_EQ(sum_of("failures", run.out) > 0, exit_code == 1) << run.out;
    if (exit_code == 1) return;  // undecided cases may stand beside
    EXPECT_EQ(sum_of("errors", run.out) > 0, exit_code == 3) << run.out;
}

TEST(JunitOfAudit, EndsAsTheCommandDoes) {
    const support::SmallModel model = support::kimi_k3_like();
    const CheckpointFolder source(store(model, Dialect::compressed_tensors_mxfp4));
    const CheckpointFolder target(store(model, Dialect::modelopt_nvfp4));
    expect_verdict({"audit", target.path()}, 0);
    expect_verdict({"audit", target.path(), "--fail-on", "note"}, 1);
    expect_verdict({"audit", target.path(), "--source", source.path()}, 0);
    expect_verdict({"audit", target.path(), "--source", source.path(), "--sample", "50%"}, 3);
    support::CheckpointFiles wrong = store(model, Dialect::modelopt_nvfp4);
    for (auto& [file, tensors] : wrong.shards) {
        for (auto& tensor : tensors) {
            if (tensor.name.ends_with("experts.0.w1.weight")) tensor.bytes[0] ^= 4;
        }
    }
    const CheckpointFolder changed(wrong);
    expect_verdict({"audit", changed.path(), "--source", source.path()}, 1);
    std::filesystem::remove(changed.path("model-00002-of-000002.safetensors"));
    expect_verdict({"audit", changed.path()}, 1);
}

TEST(JunitOfReport, EndsAsTheCommandDoes) {
    const TemporaryFolder folder;
    support::write_nemo_folder(folder.path("run"), std::vector<std::string>{"11", "10"});
    expect_verdict({"report", folder.path("run")}, 0);
    expect_verdict({"report", folder.path("run"), "--fail-under", "75"}, 0);
    expect_verdict({"report", folder.path("run"), "--fail-under", "75.1"}, 1);
    const auto holes = support::run({"score", "--base-url", "simulated:speed=200,think-median=20,error-rate=0.3", "--dataset", "sample", "--limit", "12", "--seeds",
                                     "2", "--max-retries", "0", "--skip-preflight", "--out", folder.path("holes"), "--quiet"});
    ASSERT_EQ(holes.exit_code, 3) << holes.err;
    expect_verdict({"report", folder.path("holes")}, 3);
    expect_verdict({"report", folder.path("holes"), "--fail-under", "1"}, 3);
    expect_verdict({"report", folder.path("holes"), "--fail-under", "100"}, support::run({"report", folder.path("holes"), "--fail-under", "100"}).exit_code);
}

TEST(JunitOfPreflight, EndsAsTheCommandDoes) {
    const std::vector<std::string> args{"preflight", "--dataset", "sample", "--max-tokens", "65536", "--base-url"};
    const auto with = [&](const std::string& url) {
        std::vector<std::string> all = args;
        all.push_back(url);
        return all;
    };
    expect_verdict(with("simulated:"), 0);
    expect_verdict(with("simulated:context=4096"), 1);
}

TEST(JunitOfCompare, EndsAsTheGateDoes) {
    const TemporaryFolder folder;
    support::write_nemo_folder(folder.path("good"), std::vector<std::string>(198, std::string(8, '1')));
    support::write_nemo_folder(folder.path("bad"), std::vector<std::string>(198, std::string(8, '0')));
    expect_verdict({"compare", folder.path("good"), folder.path("good"), "--gate", "2"}, 0);
    expect_verdict({"compare", folder.path("good"), folder.path("bad"), "--gate", "2"}, 1);
    expect_verdict({"compare", folder.path("good"), folder.path("good"), "--gate", "0.1"}, 3);
    const auto no_gate = support::run({"compare", folder.path("good"), folder.path("bad"), "--format", "junit"});
    EXPECT_EQ(no_gate.exit_code, 2);
    EXPECT_EQ(no_gate.err, "assay: --format junit shows a gate: give --gate, or another --format\n");
}

}  // namespace
}  // namespace assay
