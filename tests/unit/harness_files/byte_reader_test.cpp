#include "harness/files/byte_reader.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>
#include <vector>

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

// A file of a few pages, read in every way.
class EveryIo : public testing::TestWithParam<Io> {
protected:
    EveryIo()
        : path((std::filesystem::temp_directory_path() / ("assay_io_" + std::to_string(::getpid()))).string()) {
        std::mt19937 random(1);
        for (std::size_t i = 0; i < 300'001; ++i) bytes += static_cast<char>(random() >> 7);
        std::ofstream(path, std::ios::binary) << bytes;
        reader = reopen(*open_for_reading(path), GetParam(), 262'144);
    }
    ~EveryIo() override { std::filesystem::remove(path); }

    // Looks at every byte, as a caller would.
    static std::string looked_at(const View& view) {
        std::string text(view.bytes.size(), 0);
        for (std::size_t i = 0; i < text.size(); ++i)
            text[i] = static_cast<char>(static_cast<const volatile std::byte*>(view.bytes.data())[i]);
        return text;
    }

    std::string path;
    std::string bytes;
    std::unique_ptr<ByteReader> reader;
    Buffer buffer;
};

TEST_P(EveryIo, GivesTheSameBytesWhateverTheOffset) {
    for (const auto& [offset, length] : {std::pair{0UL, 300'001UL}, std::pair{1UL, 300'000UL}, std::pair{4096UL, 65'536UL},
                                         std::pair{4095UL, 70'001UL}, std::pair{200'000UL, 100'001UL},
                                         std::pair{12'345UL, 10UL}, std::pair{300'001UL, 0UL}}) {
        const View view = reader->view(offset, length, buffer);
        ASSERT_TRUE(view.whole()) << view.fault;
        EXPECT_EQ(looked_at(view), bytes.substr(offset, length));
        EXPECT_EQ(buffer.fault(), "");
    }
    EXPECT_FALSE(reader->view(1, 300'001, buffer).whole());
    EXPECT_EQ(reader->size(), 300'001U);
}

TEST_P(EveryIo, AFileCutBeforeAViewIsItsFault) {
    std::filesystem::resize_file(path, 100'000);
    EXPECT_TRUE(reader->view(0, 100'000, buffer).whole());
    EXPECT_EQ(reader->view(200'000, 100, buffer).fault, "the file was cut to 100000 bytes while it was read");
    const View view = reader->view(0, 300'001, buffer);
    const std::string late = view.whole() ? looked_at(view) : std::string();
    EXPECT_EQ(view.whole() ? buffer.fault() : view.fault, "the file was cut to 100000 bytes while it was read");
}

TEST_P(EveryIo, AFileCutUnderAViewIsAFaultOfTheBufferAndNotTheEnd) {
    const View view = reader->view(0, 300'001, buffer);
    std::filesystem::resize_file(path, 100'000);
    EXPECT_EQ(looked_at(view).size(), 300'001U);
    const bool mapped = !buffer.fault().empty();
    EXPECT_TRUE(mapped || GetParam() == Io::read || GetParam() == Io::direct || GetParam() == Io::automatic);
    EXPECT_EQ(buffer.fault(), mapped ? "the file was cut to 100000 bytes while it was read" : "");
    // The next view starts afresh.
    EXPECT_TRUE(reader->view(0, 70'000, buffer).whole());
    EXPECT_EQ(buffer.fault(), "");
}

TEST_P(EveryIo, ACutInsideTheLastPageIsToldThoughNoSignalTellsIt) {
    const View view = reader->view(0, 300'001, buffer);
    std::filesystem::resize_file(path, 300'000);
    EXPECT_TRUE(view.whole());
    if (GetParam() == Io::map) {
        EXPECT_EQ(buffer.fault(), "the file was cut to 300000 bytes while it was read");
    }
}

TEST_P(EveryIo, ViewsInTurnGiveTheirBytesOfTheirFiles) {
    const std::string other_path = path + ".other";
    const std::string other_bytes(bytes.rbegin(), bytes.rend());
    std::ofstream(other_path, std::ios::binary) << other_bytes;
    auto other = reopen(*open_for_reading(other_path), GetParam(), 262'144);
    for (const std::uint64_t offset : {0UL, 100'000UL, 5UL, 230'001UL, 70'000UL}) {
        EXPECT_EQ(looked_at(reader->view(offset, 70'000, buffer)), bytes.substr(offset, 70'000));
        EXPECT_EQ(looked_at(reader->view(offset + 1, 10, buffer)), bytes.substr(offset + 1, 10));
        EXPECT_EQ(looked_at(reader->view(offset / 2, 66'000, buffer)), bytes.substr(offset / 2, 66'000));
        EXPECT_EQ(looked_at(other->view(offset, 70'000, buffer)), other_bytes.substr(offset, 70'000));
    }
    // Another file under the number of a descriptor that was closed.
    reader.reset();
    (void)other->view(0, 70'000, buffer);
    other.reset();
    reader = reopen(*open_for_reading(path), GetParam(), 262'144);
    EXPECT_EQ(looked_at(reader->view(0, 70'000, buffer)), bytes.substr(0, 70'000));
    std::filesystem::remove(other_path);
}

TEST(GuardedMapping, AfterAFaultItShowsNothingMore) {
    const std::string path = testing::TempDir() + "shown_" + std::to_string(::getpid());
    std::ofstream(path, std::ios::binary) << std::string(65'536, 'x');
    const auto file = open_for_reading(path);
    auto mapping = GuardedMapping::of(file->descriptor(), 0, 4096, 65'536);
    ASSERT_TRUE(mapping);
    EXPECT_TRUE(mapping->show(file->descriptor(), 8192, 57'344));
    EXPECT_FALSE(mapping->show(file->descriptor(), 8192, std::size_t{4} << 20)) << "more than is mapped";
    std::filesystem::resize_file(path, 16'384);
    const std::byte beyond = static_cast<const volatile std::byte&>(mapping->bytes()[30'000]);
    EXPECT_EQ(beyond, std::byte{0});
    EXPECT_EQ(mapping->fault(), "the file was cut to 16384 bytes while it was read");
    EXPECT_FALSE(mapping->show(file->descriptor(), 0, 4096)) << "zeros may stand there";
    std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Ways, EveryIo, testing::Values(Io::automatic, Io::map, Io::direct, Io::read));

TEST(GuardedMapping, ManyThreadsMayFaultAtOnce) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("assay_faults_" + std::to_string(::getpid()))).string();
    std::ofstream(path, std::ios::binary) << std::string(1 << 20, 'x');
    const auto reader = reopen(*open_for_reading(path), Io::map);
    std::atomic<int> ready{0};
    std::atomic<int> told{0};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            Buffer buffer;
            const View view = reader->view(0, 1 << 20, buffer);
            ++ready;
            while (ready >= 0) std::this_thread::yield();
            std::size_t zeros = 0;
            for (const std::byte byte : view.bytes) zeros += byte == std::byte{0} ? 1 : 0;
            told += zeros == (1 << 20) - 8192 && !buffer.fault().empty() ? 1 : 0;
        });
    }
    while (ready < 8) std::this_thread::yield();
    std::filesystem::resize_file(path, 8192);
    ready = -100;
    threads.clear();
    EXPECT_EQ(told, 8);
    std::filesystem::remove(path);
}

TEST(ResidentShare, OfAFileJustWrittenIsAllAndOfAnEmptyOneToo) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("assay_share_" + std::to_string(::getpid()))).string();
    std::ofstream(path, std::ios::binary) << std::string(1 << 20, 'x');
    EXPECT_EQ(resident_share(*open_for_reading(path)), 1.0);
    std::filesystem::resize_file(path, 0);
    EXPECT_EQ(resident_share(*open_for_reading(path)), 1.0);
    std::filesystem::remove(path);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(GuardedMapping, AFaultOutsideOfThemEndsTheProcessAsEver) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("assay_unguarded_" + std::to_string(::getpid()))).string();
    std::ofstream(path, std::ios::binary) << std::string(8192, 'x');
    const auto file = open_for_reading(path);
    const auto touch = [&] {
        const auto guarded = GuardedMapping::of(file->descriptor(), 0, 8192);
        const auto* const plain = static_cast<const volatile char*>(
            ::mmap(nullptr, 8192, PROT_READ, MAP_SHARED, file->descriptor(), 0));
        std::filesystem::resize_file(path, 0);
        (void)plain[0];
    };
    EXPECT_EXIT(touch(), testing::KilledBySignal(SIGBUS), "");
    std::filesystem::remove(path);
}
#endif

}  // namespace
}  // namespace assay::files
