#include "harness/journal/lock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "harness/error.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/temporary_folder.hpp"

using assay::journal::Lock;
using assay::support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

namespace {

std::string refusal(const std::string& path, Lock::Way way) {
    try {
        const Lock lock(path, way);
    } catch (const assay::Error& error) {
        return error.what();
    }
    return "";
}

// A child process that takes the lock, says so, and holds it until it is told to end or is killed.
class Holder {
public:
    Holder(const std::string& path, Lock::Way way) {
        int ready[2];
        if (::pipe(ready) != 0) throw std::runtime_error("pipe");
        child_ = ::fork();
        if (child_ == 0) {
            const Lock lock(path, way);
            if (::write(ready[1], "x", 1) != 1) std::_Exit(1);
            for (;;) ::pause();
        }
        char byte = 0;
        if (::read(ready[0], &byte, 1) != 1) throw std::runtime_error("the child did not lock");
        ::close(ready[0]);
        ::close(ready[1]);
    }
    ~Holder() { kill(); }
    void kill() {
        if (child_ > 0) {
            ::kill(child_, SIGKILL);
            ::waitpid(child_, nullptr, 0);
            child_ = 0;
        }
    }
    [[nodiscard]] pid_t pid() const { return child_; }

private:
    pid_t child_ = 0;
};

class LockTest : public testing::TestWithParam<Lock::Way> {
protected:
    TemporaryFolder folder;
    std::string path = folder.path("lock");
};

TEST_P(LockTest, AnotherProcessIsRefusedAndToldWhoHoldsIt) {
    Holder holder(path, GetParam());
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
    EXPECT_THAT(refusal(path, GetParam()),
                AllOf(HasSubstr("process " + std::to_string(holder.pid()) + " on host " + host),
                      HasSubstr("wait until it ends, or name another folder")));
}

TEST_P(LockTest, ItIsFreeAgainOnceTheHolderWasKilled) {
    Holder holder(path, GetParam());
    holder.kill();
    EXPECT_EQ(refusal(path, GetParam()), "");
}

TEST_P(LockTest, ItIsFreeAgainAtTheEnd) {
    std::optional<Lock> lock(std::in_place, path, GetParam());
    EXPECT_NE(refusal(path, GetParam()), "");
    lock.reset();
    EXPECT_EQ(refusal(path, GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Ways, LockTest, testing::Values(Lock::Way::automatic, Lock::Way::exclusive_file),
                         [](const auto& way) { return way.param == Lock::Way::automatic ? "flock" : "file"; });

TEST(LockFile, OneOfAnotherHostIsNeverTakenOver) {
    const TemporaryFolder folder;
    folder.write("lock.held", "{\"format\":\"assay.lock/1\",\"host\":\"elsewhere\",\"pid\":1,\"start\":\"5\"}\n");
    EXPECT_THAT(refusal(folder.path("lock"), Lock::Way::exclusive_file),
                AllOf(HasSubstr("process 1 on host elsewhere"),
                      HasSubstr("where it is gone, remove '" + folder.path("lock.held") + "'")));
    EXPECT_TRUE(std::filesystem::exists(folder.path("lock.held")));
}

TEST(LockFile, OneOfAProcessNumberThatIsUsedAgainIsTakenOver) {
    const TemporaryFolder folder;
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
    folder.write("lock.held", std::string("{\"format\":\"assay.lock/1\",\"host\":\"") + host + "\",\"pid\":" +
                                  std::to_string(::getpid()) + ",\"start\":\"1\"}\n");
    EXPECT_EQ(refusal(folder.path("lock"), Lock::Way::exclusive_file), "");
    EXPECT_FALSE(std::filesystem::exists(folder.path("lock.held")));
}

TEST(LockFile, OneWithoutWordsIsNotTakenOver) {
    const TemporaryFolder folder;
    folder.write("lock.held", "");
    EXPECT_THAT(refusal(folder.path("lock"), Lock::Way::exclusive_file), HasSubstr("held by another process"));
}

TEST(LockFile, AFolderThatIsNotThereIsNamed) {
    EXPECT_THAT(refusal("/nowhere/lock", Lock::Way::automatic), HasSubstr("cannot open the lock '/nowhere/lock'"));
    EXPECT_THAT(refusal("/nowhere/lock", Lock::Way::exclusive_file), HasSubstr("cannot create the lock '/nowhere/lock.held'"));
}

}  // namespace
