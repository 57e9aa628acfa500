#include "harness/files/atomic_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "harness/error.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/temporary_folder.hpp"

using assay::Error;
using assay::files::AtomicFile;
using assay::files::create_folder;
using assay::files::folder_of;
using assay::files::free_bytes;
using assay::files::read_file;
using assay::files::replace_file;

namespace {

std::string message_of(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

class AtomicFileTest : public testing::Test {
protected:
    assay::support::TemporaryFolder folder;
    std::string path(const std::string& name) const { return folder.path() + "/" + name; }
    std::ptrdiff_t entries() const {
        return std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator());
    }
};

TEST_F(AtomicFileTest, KeepsTheOldBytesUntilItIsCommitted) {
    replace_file(path("a"), "old");
    AtomicFile file(path("a"));
    file.write(std::string(1 << 20, 'x'));
    EXPECT_EQ(read_file(path("a")), "old");
    file.commit();
    EXPECT_EQ(read_file(path("a")), std::string(1 << 20, 'x'));
    EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, LeavesNothingBehindWhereItIsNotCommitted) {
    {
        AtomicFile file(path("a"));
        file.write("new");
    }
    EXPECT_EQ(entries(), 0);
}

TEST_F(AtomicFileTest, RefusesASymbolicLinkAndLeavesItsTargetAlone) {
    replace_file(path("target"), "precious");
    ASSERT_EQ(::symlink(path("target").c_str(), path("link").c_str()), 0);
    EXPECT_THAT(message_of([&] { replace_file(path("link"), "x"); }), testing::HasSubstr("is a symbolic link"));
    EXPECT_EQ(read_file(path("target")), "precious");
}

TEST_F(AtomicFileTest, RefusesAFolderAndAPipe) {
    EXPECT_THAT(message_of([&] { replace_file(folder.path(), "x"); }), testing::HasSubstr("no regular file"));
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_THAT(message_of([&] { replace_file(path("pipe"), "x"); }), testing::HasSubstr("no regular file"));
}

TEST_F(AtomicFileTest, NamesThePathAndTheCauseOfAnError) {
    EXPECT_EQ(message_of([&] { replace_file(path("missing/a"), "x"); }),
              "cannot write '" + path("missing/a") + "': No such file or directory");
}

TEST_F(AtomicFileTest, KeepsTheOldFileWhereTheDiskIsFull) {
    replace_file(path("a"), "old");
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    ::signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = before;
    small.rlim_cur = 4096;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string message = message_of([&] { replace_file(path("a"), std::string(100'000, 'x')); });
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_THAT(message, testing::HasSubstr("File too large"));
    EXPECT_EQ(read_file(path("a")), "old");
    EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, FoldersAreCreatedWithThoseAboveThem) {
    create_folder(path("a/b/c/"));
    create_folder(path("a/b/c"));
    EXPECT_TRUE(std::filesystem::is_directory(path("a/b/c")));
    replace_file(path("file"), "x");
    EXPECT_THAT(message_of([&] { create_folder(path("file")); }), testing::HasSubstr("is a file"));
    EXPECT_THAT(message_of([&] { create_folder(path("file/b")); }), testing::HasSubstr("cannot create the folder"));
}

TEST_F(AtomicFileTest, FreeSpaceIsKnownForAFolderAndUnknownForNone) {
    EXPECT_GT(free_bytes(folder.path()).value_or(0), 0);
    EXPECT_FALSE(free_bytes(path("missing")).has_value());
}

TEST_F(AtomicFileTest, TheFolderOfAPathIsWhatNamesItsLastPart) {
    EXPECT_EQ(folder_of("a/b"), "a");
    EXPECT_EQ(folder_of("b"), ".");
    EXPECT_EQ(folder_of("/b"), "/");
}

}  // namespace
