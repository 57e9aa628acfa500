#include "runners/drivers/checkpoint_notes.hpp"

#include <gmock/gmock.h>

namespace assay::runners {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

runs::AuditedCheckpoint audited(char fingerprint = 'a', char source = 'b') {
    runs::AuditedCheckpoint one;
    one.report = "audit.json";
    one.judge = "audit";
    one.checkpoint = "casts/kimi-nvfp4/";
    one.fingerprint = std::string(32, fingerprint);
    if (source != 0) one.source_fingerprint = std::string(32, source);
    one.blocks = one.blocks_exact = 2000;
    one.tensors = one.tensors_identical = 7;
    return one;
}

runs::RunContents asked_of(std::vector<std::optional<runs::AuditedCheckpoint>> sessions) {
    runs::RunContents contents;
    for (auto& one : sessions) {
        contents.totals.sessions.emplace_back();
        contents.totals.sessions.back().info.checkpoint = std::move(one);
    }
    return contents;
}

TEST(CheckpointNotes, OfWeightsThatAreAsTheyShouldBeThereAreNone) {
    EXPECT_THAT(checkpoint_notes(asked_of({std::nullopt})), IsEmpty());
    runs::RunContents contents = asked_of({audited()});
    contents.info.server = {{"root", "/models/kimi-nvfp4"}};
    EXPECT_THAT(checkpoint_notes(contents), IsEmpty());
}

TEST(CheckpointNotes, SayWhatTheReportHoldsAgainstTheWeights) {
    runs::AuditedCheckpoint one = audited();
    one.blocks_exact = 1999;
    one.errors = 1;
    EXPECT_THAT(checkpoint_notes(asked_of({one})),
                ElementsAre("the report of the weights (audit.json) says they are not as they should be: 1 error, 1,999 of 2,000 blocks bit-exact"));
    EXPECT_THAT(checkpoint_notes(asked_of({audited('a', 0)})), ElementsAre(HasSubstr("did not compare them with a source")));
}

TEST(CheckpointNotes, SayThatTheServerLoadedSomethingElse) {
    runs::RunContents contents = asked_of({audited()});
    contents.info.server = {{"server_info.model_path", "/models/kimi-mxfp4"}};
    EXPECT_THAT(checkpoint_notes(contents), ElementsAre("the server says it loaded '/models/kimi-mxfp4', and the report of the weights is of 'casts/kimi-nvfp4/': "
                                                        "make sure that these are the same files"));
}

TEST(CheckpointNotes, SayThatSomeStartsNamedNone) {
    const runs::RunContents contents = asked_of({audited(), std::nullopt});
    EXPECT_EQ(checkpoint_of(contents), audited());
    EXPECT_THAT(checkpoint_notes(contents), ElementsAre(HasSubstr("1 of 2 starts of this run named no --checkpoint")));
}

TEST(WeightsNote, TellsTheSameFromOthersOfEqualValues) {
    EXPECT_EQ(weights_note(std::nullopt, std::nullopt), "");
    EXPECT_THAT(weights_note(audited(), std::nullopt), HasSubstr("B names no --checkpoint"));
    EXPECT_THAT(weights_note(audited(), audited()), HasSubstr("asked of the same weights"));
    const char* const equal = "other files of equal values";
    EXPECT_THAT(weights_note(audited('b', 0), audited('a', 'b')), HasSubstr(equal));  // a source and its cast
    EXPECT_THAT(weights_note(audited('c', 'b'), audited('a', 'b')), HasSubstr(equal));
    EXPECT_THAT(weights_note(audited('c', 'd'), audited('a', 'b')), Not(HasSubstr(equal)));
    runs::AuditedCheckpoint differs = audited('a', 'b');
    differs.blocks_exact = 0;
    EXPECT_THAT(weights_note(audited('b', 0), differs), Not(HasSubstr(equal)));
}

}  // namespace
}  // namespace assay::runners
