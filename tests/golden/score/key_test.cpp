// A key is used and appears nowhere: not on disk, not on a stream, not in an error that a server echoes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "harness/files/read_file.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* key = "sk-this-is-the-secret-0123456789";

class Key : public testing::Test {
protected:
    void SetUp() override {
        ::setenv("ASSAY_TEST_SERVER_KEY", key, 1);
        server_ = std::make_unique<support::RunningProgram>(
            std::vector<std::string>{"simulate", "--api-key-env", "ASSAY_TEST_SERVER_KEY", "--speed", "200"}, folder_.path("server"));
        ASSERT_TRUE(support::eventually([&] { return url().find("/v1\n") != std::string::npos; }));
    }
    [[nodiscard]] std::string url() const {
        return std::filesystem::exists(folder_.path("server")) ? files::read_file(folder_.path("server")) : std::string();
    }
    [[nodiscard]] support::Run score(const std::string& value, const std::vector<std::string>& more = {}) const {
        std::string base = url();
        base.resize(base.find('\n'));
        std::vector<std::string> args{"score", "--base-url", base, "--dataset", "sample", "--limit", "2", "--seeds", "1", "--out", run_};
        args.insert(args.end(), more.begin(), more.end());
        return support::run(args, "", {{"OPENAI_API_KEY", value}});
    }
    void expect_absent_on_disk(const std::string& secret) const {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(run_)) {
            if (!entry.is_regular_file()) continue;
            EXPECT_THAT(files::read_file(entry.path().string()), Not(HasSubstr(secret))) << entry.path();
        }
    }

    support::TemporaryFolder folder_;
    std::string run_ = folder_.path("run");
    std::unique_ptr<support::RunningProgram> server_;
};

TEST_F(Key, OpensTheServerAndIsWrittenNowhere) {
    const auto done = score(key);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.out + done.err, Not(HasSubstr(key)));
    EXPECT_THAT(done.err, HasSubstr("key from OPENAI_API_KEY"));
    expect_absent_on_disk(key);
}

TEST_F(Key, AWrongOneStopsTheRunWithTheFlagToChange) {
    for (const auto& more : {std::vector<std::string>{}, {"--model", "simulated"}, {"--model", "simulated", "--skip-preflight"}}) {
        const auto refused = score("sk-wrong-and-secret-as-well", more);
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_THAT(refused.out + refused.err, Not(HasSubstr("sk-wrong-and-secret-as-well")));
        EXPECT_THAT(refused.err, HasSubstr("--api-key"));
    }
}

}  // namespace
}  // namespace assay
