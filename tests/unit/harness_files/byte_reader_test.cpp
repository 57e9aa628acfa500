#include "harness/files/byte_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/error.hpp"

namespace assay::files {
namespace {

class ByteReaderTest : public testing::Test {
protected:
    ByteReaderTest()
        : path((std::filesystem::temp_directory_path() / ("assay_bytes_" + std::to_string(::getpid()))).string()) {
        std::ofstream(path) << "0123456789";
    }
    ~ByteReaderTest() override { std::filesystem::remove(path); }

    static std::string text(const View& view) {
        return {reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size()};
    }

    std::string path;
    Buffer buffer;
};

TEST_F(ByteReaderTest, GivesExactlyTheBytesAskedFor) {
    const auto reader = open_for_reading(path);
    EXPECT_EQ(reader->size(), 10U);
    EXPECT_EQ(text(reader->view(3, 4, buffer)), "3456");
    EXPECT_EQ(text(reader->view(10, 0, buffer)), "");
    EXPECT_TRUE(reader->view(10, 0, buffer).whole());
}

TEST_F(ByteReaderTest, APastTheEndIsAFaultAndNotAShorterView) {
    const auto reader = open_for_reading(path);
    for (const auto& [offset, length] :
         {std::pair{8UL, 3UL}, std::pair{11UL, 0UL}, std::pair{~0UL, 1UL}, std::pair{1UL, ~0UL}}) {
        const View view = reader->view(offset, length, buffer);
        EXPECT_FALSE(view.whole());
        EXPECT_TRUE(view.bytes.empty());
    }
}

TEST_F(ByteReaderTest, AFileCutWhileItIsReadIsAFault) {
    const auto reader = open_for_reading(path);
    std::filesystem::resize_file(path, 5);
    EXPECT_TRUE(reader->view(0, 5, buffer).whole());
    EXPECT_EQ(reader->view(4, 3, buffer).fault, "the file was cut to 5 bytes while it was read");
}

TEST_F(ByteReaderTest, WhatIsNoFileIsRefused) {
    EXPECT_THROW((void)open_for_reading(path + ".not"), Error);
    EXPECT_THROW((void)open_for_reading(std::filesystem::temp_directory_path().string()), Error);
}

}  // namespace
}  // namespace assay::files
