// The score of a run and the audit of its weights, joined: assay score --checkpoint, from the cast to the comparison.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "harness/files/read_file.hpp"
#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using nlohmann::json;
using support::Dialect;
using testing::HasSubstr;
using testing::Not;

class ScoreOfACheckpoint : public testing::Test {
protected:
    void SetUp() override {
        folder_.write("audit.json", audit_of(cast_, source_));
        folder_.write("source.json", support::run({"audit", source_.path(), "--fingerprint", "--format", "json"}).out);
    }
    static std::string audit_of(const support::CheckpointFolder& checkpoint, const support::CheckpointFolder& source) {
        return support::run({"audit", checkpoint.path(), "--source", source.path(), "--format", "json"}).out;
    }
    [[nodiscard]] support::Run score(const std::string& report, const std::string& out, std::vector<std::string> more = {}) const {
        std::vector<std::string> args{"score", "--dataset", "sample", "--limit", "4", "--seeds", "2", "--checkpoint", folder_.path(report), "--out", folder_.path(out)};
        if (more.empty()) more = {"--base-url", "simulated:speed=200,think-median=20"};
        args.insert(args.end(), more.begin(), more.end());
        return support::run(args);
    }

    support::TemporaryFolder folder_;
    const support::SmallModel model_ = support::kimi_k3_like(2);
    const support::CheckpointFolder source_{store(model_, Dialect::compressed_tensors_mxfp4)};
    const support::CheckpointFolder cast_{store(model_, Dialect::modelopt_nvfp4)};
};

TEST_F(ScoreOfACheckpoint, CarriesTheFingerprintIntoEveryReport) {
    const auto done = score("audit.json", "run");
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const json audit = json::parse(files::read_file(folder_.path("audit.json")))["against"];
    const std::string fingerprint = audit["target_fingerprint"];
    EXPECT_THAT(done.err, HasSubstr("assay: weights with fingerprint " + fingerprint));
    EXPECT_THAT(done.out, HasSubstr("weights " + fingerprint));
    EXPECT_THAT(done.out, HasSubstr("blocks bit-exact"));
    const json report = json::parse(support::run({"report", folder_.path("run"), "--format", "json"}).out)["checkpoint"];
    EXPECT_EQ(report["fingerprint"], fingerprint);
    EXPECT_EQ(report["blocks_exact"], audit["blocks"]);
    EXPECT_EQ(report["compared"], true);
    for (const char* format : {"html", "markdown"}) EXPECT_THAT(support::run({"report", folder_.path("run"), "--format", format}).out, HasSubstr(fingerprint));
}

TEST_F(ScoreOfACheckpoint, IsContinuedWithThoseWeightsAlone) {
    ASSERT_EQ(score("audit.json", "run").exit_code, 0);
    const auto other = score("source.json", "run");
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("replies of two checkpoints are not one run; use another --out"));
    EXPECT_EQ(score("audit.json", "run").exit_code, 0);
    EXPECT_EQ(score("absent.json", "run").exit_code, 2);
}

TEST_F(ScoreOfACheckpoint, IsComparedWithWhatItWasCastFrom) {
    ASSERT_EQ(score("source.json", "a").exit_code, 0);
    ASSERT_EQ(score("audit.json", "b").exit_code, 0);
    EXPECT_THAT(support::run({"compare", folder_.path("a"), folder_.path("b"), "--format", "json"}).out, HasSubstr("other files of equal values"));
}

TEST_F(ScoreOfACheckpoint, SaysWhereTheServerNamesOtherFiles) {
    const support::RunningProgram server({"simulate", "--wire", "vllm", "--model", "kimi", "--speed", "200"}, folder_.path("server"));
    std::string url;
    ASSERT_TRUE(support::eventually([&] { return (url = files::read_file(folder_.path("server"))).find("/v1\n") != std::string::npos; }));
    url.resize(url.find('\n'));
    const auto done = score("audit.json", "run", {"--base-url", url, "--format", "json"});
    ASSERT_EQ(done.exit_code, 0) << done.err;
    const json report = json::parse(done.out);
    EXPECT_EQ(report["server"]["root"], "simulated");
    EXPECT_THAT(report["notes"].dump(), HasSubstr("the server says it loaded 'simulated', and the report of the weights is of"));
}

TEST_F(ScoreOfACheckpoint, ThatDiffersFromItsSourceSaysSo) {
    support::CheckpointFiles files = store(model_, Dialect::modelopt_nvfp4);
    files.tensor(model_.weights[0].name + ".weight").bytes[0] ^= 0x01;
    folder_.write("bad.json", audit_of(support::CheckpointFolder(files), source_));
    const auto done = score("bad.json", "run");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("says they are not as they should be: "));
    EXPECT_THAT(score("audit.json", "good").out, Not(HasSubstr("not as they should be")));
}

}  // namespace
}  // namespace assay
