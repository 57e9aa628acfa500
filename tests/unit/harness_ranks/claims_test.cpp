#include "harness/ranks/claims.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "harness/error.hpp"
#include "harness/ranks/ranks.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::ranks {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Claims, GivesAPartOnce) {
    const support::TemporaryFolder folder;
    Claims mine(folder.path("claims"), "rank 0");
    Claims theirs(folder.path("claims"), "rank 1");
    EXPECT_TRUE(mine.take("model-00001.safetensors"));
    EXPECT_FALSE(theirs.take("model-00001.safetensors"));
    EXPECT_FALSE(mine.take("model-00001.safetensors"));
    EXPECT_TRUE(theirs.take("model-00002.safetensors"));
}

TEST(Claims, NamesWhoHoldsWhatByPart) {
    const support::TemporaryFolder folder;
    Claims first(folder.path("claims"), "rank 0");
    Claims second(folder.path("claims"), "rank 1");
    ASSERT_TRUE(second.take("b"));
    ASSERT_TRUE(first.take("a"));
    std::vector<std::string> said;
    for (const Claim& claim : first.all()) said.push_back(claim.part + " by " + claim.owner);
    EXPECT_THAT(said, ElementsAre("a by rank 0", "b by rank 1"));
}

TEST(Claims, ThatAreReleasedCanBeTakenAgain) {
    const support::TemporaryFolder folder;
    Claims claims(folder.path("claims"), "rank 0");
    ASSERT_TRUE(claims.take("a"));
    claims.release("a");
    claims.release("never taken");
    EXPECT_TRUE(claims.all().empty());
    EXPECT_TRUE(Claims(folder.path("claims"), "rank 1").take("a"));
}

TEST(Claims, AreListedWhileAnotherTakesAndReleases) {
    const support::TemporaryFolder folder;
    Claims mine(folder.path("claims"), "rank 0");
    ASSERT_TRUE(mine.take("kept"));
    std::thread other([&] {
        Claims theirs(folder.path("claims"), "rank 1");
        for (int i = 0; i < 3000; ++i) {
            if (theirs.take("passing")) theirs.release("passing");
        }
    });
    try {
        for (int i = 0; i < 3000; ++i) ASSERT_EQ(mine.all().front().part, "kept");
    } catch (const Error& error) {
        ADD_FAILURE() << error.what();
    }
    other.join();
}

// The race is the point: every process tries every part, and each part must have exactly one owner.
TEST(Claims, OfManyProcessesOneHasEachPart) {
    const support::TemporaryFolder folder;
    constexpr int processes = 4;
    constexpr int parts = 200;
    std::vector<pid_t> children;
    for (int process = 0; process < processes; ++process) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            std::ofstream taken(folder.path("taken" + std::to_string(process)));
            Claims claims(folder.path("claims"), "rank " + std::to_string(process));
            for (int part = 0; part < parts; ++part) {
                if (claims.take(std::to_string(part))) taken << part << '\n';
            }
            taken.close();
            ::_exit(0);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0);
    }
    std::vector<int> owners(parts, 0);
    for (int process = 0; process < processes; ++process) {
        std::ifstream taken(folder.path("taken" + std::to_string(process)));
        for (int part = 0; taken >> part;) ++owners[static_cast<std::size_t>(part)];
    }
    EXPECT_THAT(owners, Each(1));
}

TEST(OneRank, IsTheWholeJob) {
    const auto ranks = one_rank();
    EXPECT_EQ(ranks->rank(), 0);
    EXPECT_EQ(ranks->size(), 1);
    ranks->wait_for_all();
    EXPECT_TRUE(ranks->any(true));
    EXPECT_FALSE(ranks->any(false));
    EXPECT_THAT(ranks->name(), HasSubstr("rank 0 of 1, process " + std::to_string(::getpid())));
}

}  // namespace
}  // namespace assay::ranks
