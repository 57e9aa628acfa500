#include "datasets/questions/hub_cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/support/temporary_folder.hpp"
#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class HubCache : public testing::Test {
protected:
    HubCache() {
        for (const char* name : {"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "HOME"}) ::unsetenv(name);
        ::setenv("HF_HOME", folder_.path().c_str(), 1);
    }
    const support::TemporaryFolder folder_;
    const std::string dataset_ = "hub/datasets--Idavidrein--gpqa/";
};

TEST_F(HubCache, IsWhereTheHubLibraryKeepsIt) {
    EXPECT_EQ(hub_cache_folder(), folder_.path("hub"));
    ::setenv("HF_HUB_CACHE", "/elsewhere", 1);
    EXPECT_EQ(hub_cache_folder(), "/elsewhere");
    ::unsetenv("HF_HUB_CACHE");
    ::setenv("HF_HOME", "", 1);
    ::setenv("HOME", "/home/me", 1);
    EXPECT_EQ(hub_cache_folder(), "/home/me/.cache/huggingface/hub");
    ::setenv("XDG_CACHE_HOME", "/cache", 1);
    EXPECT_EQ(hub_cache_folder(), "/cache/huggingface/hub");
}

TEST_F(HubCache, PrefersTheCommitOfMain) {
    folder_.write(dataset_ + "snapshots/aaa/gpqa_main.csv", "x");
    const std::string path = folder_.write(dataset_ + "snapshots/bbb/gpqa_main.csv", "x");
    folder_.write(dataset_ + "refs/main", "bbb");
    EXPECT_EQ(gpqa_in_hub_cache("main"), path);
}

TEST_F(HubCache, TakesAnotherCommitThatHasTheFile) {
    const std::string path = folder_.write(dataset_ + "snapshots/aaa/gpqa_diamond.csv", "x");
    folder_.write(dataset_ + "snapshots/bbb/README.md", "x");
    folder_.write(dataset_ + "refs/main", "bbb\n");
    EXPECT_EQ(gpqa_in_hub_cache("diamond"), path);
}

TEST_F(HubCache, SaysWhereItLookedAndWhatToGiveInstead) {
    EXPECT_THAT(thrown([] { (void)gpqa_in_hub_cache("diamond"); }),
                AllOf(HasSubstr("'" + folder_.path("hub/datasets--Idavidrein--gpqa") + "'"), HasSubstr("the path of gpqa_diamond.csv"), HasSubstr("gated")));
}

}  // namespace
}  // namespace assay::questions
