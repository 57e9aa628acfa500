#include "harness/files/read_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "harness/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace assay::files {
namespace {

using ::testing::HasSubstr;

std::string message_of(const std::string& path, std::uint64_t limit = 1000000) {
    try {
        (void)read_file(path, limit);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(ReadFile, GivesEveryByteAsItIs) {
    const support::TemporaryFolder folder;
    const std::string path = folder.path("bytes");
    std::string bytes = "\xef\xbb\xbf line\r\n";
    bytes += '\0';
    bytes += std::string(200000, 'x');
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(read_file(path), bytes);
}

TEST(ReadFile, ReadsAPipeToItsEnd) {
    const support::TemporaryFolder folder;
    const std::string path = folder.path("fifo");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << "through the pipe"; });
    EXPECT_EQ(read_file(path), "through the pipe");
    writer.join();
}

TEST(ReadFile, NamesAMissingFile) {
    EXPECT_THAT(message_of("/nowhere/at/all.csv"), HasSubstr("'/nowhere/at/all.csv': there is no such file"));
}

TEST(ReadFile, NamesACircleOfLinksAndANameThatIsTooLong) {
    const support::TemporaryFolder folder;
    ASSERT_EQ(::symlink("circle", folder.path("circle").c_str()), 0);
    EXPECT_THAT(message_of(folder.path("circle")), HasSubstr("its symbolic links lead in a circle"));
    EXPECT_THAT(message_of(folder.path(std::string(300, 'n'))), HasSubstr("longer than the file system allows"));
}

TEST(ReadFile, NamesADirectory) { EXPECT_THAT(message_of("/"), HasSubstr("it is a directory")); }

TEST(ReadFile, RefusesMoreThanTheLimit) {
    const support::TemporaryFolder folder;
    const std::string path = folder.path("limit");
    std::ofstream(path, std::ios::binary) << "12345";
    EXPECT_EQ(read_file(path, 5), "12345");
    EXPECT_THAT(message_of(path, 4), HasSubstr("more than 4 bytes"));
}

}  // namespace
}  // namespace assay::files
