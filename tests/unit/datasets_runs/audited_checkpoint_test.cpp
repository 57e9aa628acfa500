// Reports of audits and casts, read for what they say of the weights behind a run.
#include "datasets/runs/audited_checkpoint.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "harness/error.hpp"
#include "harness/files/digest.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::runs {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string of_target(32, 'a');
const std::string of_source(32, 'b');

json audit() {
    return {{"format", "assay.audit/1"},
            {"checkpoint", "ckpt/nvfp4"},
            {"fingerprint", nullptr},
            {"against",
             {{"source", "ckpt/mxfp4"},
              {"source_fingerprint", of_source},
              {"target_fingerprint", of_target},
              {"sample", nullptr},
              {"blocks", 1536},
              {"blocks_exact", 1535},
              {"source_tensors", 7},
              {"tensors_passed_through", 6},
              {"tensors_identical", 6},
              {"interrupted", false}}},
            {"errors", 2},
            {"warnings", 3}};
}

json cast() {
    return {{"format", "assay.cast/1"},
            {"source_fingerprint", of_source},
            {"target_fingerprint", of_target},
            {"verified", {{"blocks", 96}, {"blocks_exact", 96}, {"tensors", 5}, {"tensors_identical", 5}}},
            {"findings", {{"errors", 0}, {"warnings", 0}, {"notes", 2}}},
            {"shards", {{{"file", "model.safetensors"}, {"blocks", "not read"}}}}};
}

class CheckpointReport : public testing::Test {
protected:
    AuditedCheckpoint read(const json& report, const std::string& name = "report.json") {
        folder_.write(name, report.dump());
        return read_checkpoint_report(folder_.path(name));
    }
    std::string refusal(const json& report) {
        try {
            (void)read(report);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    }
    support::TemporaryFolder folder_;
};

TEST_F(CheckpointReport, OfAnAuditAgainstASourceGivesBothFingerprintsAndTheCounts) {
    const AuditedCheckpoint one = read(audit());
    EXPECT_EQ(one.judge, "audit");
    EXPECT_EQ(one.report_sha256, files::sha256_hex(audit().dump()));
    EXPECT_EQ(one.checkpoint, "ckpt/nvfp4");
    EXPECT_EQ(one.source, "ckpt/mxfp4");
    EXPECT_EQ(one.fingerprint, of_target);
    EXPECT_EQ(one.source_fingerprint, of_source);
    EXPECT_THAT((std::vector{one.blocks, one.blocks_exact, one.tensors, one.tensors_identical, one.errors, one.warnings}), ElementsAre(1536, 1535, 7, 6, 2, 3));
    EXPECT_TRUE(one.compared());
    EXPECT_FALSE(one.clean());
}

TEST_F(CheckpointReport, OfAnAuditAloneGivesTheFingerprintAndNoComparison) {
    json alone = audit();
    alone["against"] = nullptr;
    alone["fingerprint"] = of_target;
    alone["errors"] = 0;
    const AuditedCheckpoint one = read(alone);
    EXPECT_EQ(one.fingerprint, of_target);
    EXPECT_FALSE(one.compared());
    EXPECT_TRUE(one.clean());
}

TEST_F(CheckpointReport, OfACastIsOfTheFolderItLiesInAndItsShardsArePassedOver) {
    const AuditedCheckpoint one = read(cast(), "assay-cast.json");
    EXPECT_EQ(one.judge, "cast");
    EXPECT_EQ(one.checkpoint + "/assay-cast.json", folder_.path("assay-cast.json"));
    EXPECT_EQ(one.blocks, 96);
    EXPECT_TRUE(one.compared() && one.clean());

    json unverified = cast();
    unverified["verified"] = nullptr;
    EXPECT_FALSE(read(unverified).compared());
}

TEST_F(CheckpointReport, WithoutAFingerprintOfTheWholeIsRefusedWithTheCause) {
    json report = audit();
    report["against"]["target_fingerprint"] = nullptr;
    EXPECT_THAT(refusal(report), HasSubstr("holds no fingerprint of the whole: not all of the checkpoint could be read"));
    report["against"]["sample"] = {{"fraction", 0.01}};
    EXPECT_THAT(refusal(report), HasSubstr("it read a sample: run it without --sample"));
    report["against"]["interrupted"] = true;
    EXPECT_THAT(refusal(report), HasSubstr("it was interrupted: run it to its end"));
    report["against"] = nullptr;
    EXPECT_THAT(refusal(report), HasSubstr("run the audit with --source, or with --fingerprint"));
    json unfinished = cast();
    unfinished["target_fingerprint"] = "";
    EXPECT_THAT(refusal(unfinished), HasSubstr("the cast is not finished"));
}

TEST_F(CheckpointReport, OfAnotherKindOrDamagedIsRefused) {
    EXPECT_THAT(refusal(json::array()), HasSubstr("is no JSON object: expected the JSON of `assay audit --format json`"));
    EXPECT_THAT(refusal({{"a", 1}}), HasSubstr("has no \"format\""));
    EXPECT_THAT(refusal({{"format", "assay.run/1"}}), HasSubstr("has format 'assay.run/1'"));
    json newer = audit();
    newer["format"] = "assay.audit/2";
    EXPECT_THAT(refusal(newer), HasSubstr("newer than assay.audit/1"));
    json short_hash = audit();
    short_hash["against"]["target_fingerprint"] = "abc";
    EXPECT_THAT(refusal(short_hash), HasSubstr("'abc' is no fingerprint"));
    json without_count = audit();
    without_count["against"].erase("blocks");
    EXPECT_THAT(refusal(without_count), AllOf(HasSubstr("is damaged"), HasSubstr("blocks")));
}

TEST(PathsServed, AreThoseTheServerNamesEachOnce) {
    EXPECT_THAT(paths_served({{"model", "kimi"}, {"root", "/models/kimi"}, {"server_info.model_path", "/models/kimi"}, {"2. root", "/other"}}, "kimi"),
                ElementsAre("/models/kimi", "/other"));
    EXPECT_THAT(paths_served({{"root", "kimi"}, {"owned_by", "sglang"}}, "kimi"), IsEmpty());
    EXPECT_THAT(paths_served({{"root", "/models/kimi"}, {"owned_by", "vllm"}}, "/models/kimi"), ElementsAre("/models/kimi"));
}

}  // namespace
}  // namespace assay::runs
