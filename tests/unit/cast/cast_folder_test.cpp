// Where a cast may be written, and what lies beside its shards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "harness/journal/lock.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/cast/casting.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using support::CheckpointFiles;
using support::CheckpointFolder;
using support::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;

TEST(Cast, WritesOnlyWhereNothingElseIs) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    const auto before = files_in(source.path());
    EXPECT_THAT(cast(source.path(), source.path("out")).err, HasSubstr("lies in the source"));
    EXPECT_THAT(cast(source.path(), source.path()).err, HasSubstr("lies in the source"));
    EXPECT_THAT(cast(source.path(), fs::path(source.path()).parent_path().string()).err, HasSubstr("the source "));
    folder.write("full/notes.txt", "mine");
    EXPECT_THAT(cast(source.path(), folder.path("full")).err, HasSubstr("is not empty"));
    fs::create_symlink(source.path(), folder.path("link"));
    EXPECT_THAT(cast(source.path(), folder.path("link/out")).err, HasSubstr("lies in the source"));
    EXPECT_EQ(files_in(source.path()), before);
    EXPECT_EQ(cast(source.path(), folder.path("cast")).exit_code, 0);
    EXPECT_THAT(cast(source.path(), folder.path("cast")).err, HasSubstr("holds a finished cast"));
}

// The path is too long to be looked at, as one below a folder without rights is.
TEST(Cast, SaysWhyAFolderCannotBeMadeWhereItsPathCannotBeFollowed) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path(std::string(300, 'a') + "/out"));
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err.find("lies in"), std::string::npos) << run.err;
    EXPECT_THAT(run.err, HasSubstr("too long"));
}

TEST(Cast, LeavesAFolderToTheProcessThatWritesThere) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    fs::create_directories(folder.path("cast/.assay-cast"));
    {
        const journal::Lock other(folder.path("cast/.assay-cast/lock"));
        const auto run = cast(source.path(), folder.path("cast"));
        EXPECT_EQ(run.exit_code, 2);
        EXPECT_THAT(run.err, HasSubstr("is held by process " + std::to_string(::getpid())));
        EXPECT_THAT(run.err, HasSubstr("wait until it ends, or name another folder"));
    }
    EXPECT_EQ(cast(source.path(), folder.path("cast")).exit_code, 0);
}

TEST(Cast, WhoseReportNobodyTakesSaysThatItIsFinished) {
    const CheckpointFolder source(store(support::kimi_k3_like(), mxfp4));
    const TemporaryFolder folder;
    const auto into_full = [&](const std::string& arguments) {
        const std::string command = std::string("'") + ASSAY_PROGRAM + "' cast " + arguments + " > /dev/full 2> '" +
                                    folder.path("err") + "'";
        EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
        return text_of(folder.path("err"));
    };
    const std::string out = folder.path("cast");
    EXPECT_THAT(into_full(source.path() + " " + out + " --dry-run"), HasSubstr("could not be written in full"));
    EXPECT_THAT(into_full(source.path() + " " + out + " --verify --quiet"),
                HasSubstr(out + " is finished and verified, and its assay-cast.json says what the report would have; only the "
                                "report could not be written to standard output: No space left on device"));
    EXPECT_THAT(into_full(out + " " + folder.path("back") + " --reverse --quiet"),
                HasSubstr("back is finished; only the report could not be written"));
    EXPECT_EQ(files_in(folder.path("back")), files_in(source.path()));
}

TEST(Cast, CarriesFilesOverAndLeavesForeignWeightsOut) {
    CheckpointFiles files = store(support::kimi_k3_like(), mxfp4);
    files.others["tokenizer.json"] = "{}";
    files.others["pytorch_model.bin"] = "x";
    const CheckpointFolder source(files);
    fs::create_directories(source.path("code"));
    source.write("code/tool.py", "pass\n");
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path("cast"));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(text_of(folder.path("cast/tokenizer.json")), "{}");
    EXPECT_EQ(text_of(folder.path("cast/code/tool.py")), "pass\n");
    EXPECT_FALSE(fs::exists(folder.path("cast/pytorch_model.bin")));
    EXPECT_THAT(run.out, HasSubstr("pytorch_model.bin is no part of the checkpoint and was left out"));
    EXPECT_THAT(run.out, HasSubstr("not verified: "));
    EXPECT_THAT(run.out, HasSubstr("1 A_log with 128 entries, of which 96 heads use the first"));
}

TEST(Cast, FixesTheModelingCodeItKnowsAndRestoresIt) {
    CheckpointFiles files = store(support::kimi_k3_like(), mxfp4);
    files.others["modeling_kimi_linear.py"] =
        "        self.head_dim = 128\n        self.A_log = torch.nn.Parameter(torch.log(torch.empty(\n"
        "            self.num_heads, dtype=torch.float32).uniform_(1, 16)))\n";
    const CheckpointFolder source(files);
    const TemporaryFolder folder;
    const auto run = cast(source.path(), folder.path("cast"), {"--fix-modeling"});
    EXPECT_THAT(run.out, HasSubstr("+            self.head_dim, dtype=torch.float32).uniform_(1, 16)))\n"));
    EXPECT_THAT(text_of(folder.path("cast/modeling_kimi_linear.py")), Not(HasSubstr("num_heads")));
    EXPECT_EQ(cast(folder.path("cast"), folder.path("back"), {"--reverse"}).exit_code, 0);
    EXPECT_EQ(files_in(folder.path("back")), files_in(source.path()));
}

}  // namespace
}  // namespace assay
