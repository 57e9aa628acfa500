#include "harness/journal/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "harness/error.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/harness_journal/journals.hpp"

using namespace assay::journal;
using namespace assay::journal::tests;
using assay::files::read_file;
using assay::support::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

Writer::Options new_file(const std::string& path) {
    Writer::Options options;
    options.path = path;
    return options;
}

TEST(JournalWriter, RecordsLieInTheOrderInWhichTheyCame) {
    const TemporaryFolder folder;
    Writer writer(new_file(folder.path("j")));
    for (int i = 1; i <= 200; ++i) ASSERT_TRUE(writer.append(entry_of(payload_of(i, 100))));
    ASSERT_TRUE(writer.flush());
    EXPECT_EQ(writer.bytes_waiting(), 0);
    EXPECT_EQ(writer.records_written(), 200);
    EXPECT_EQ(read_file(folder.path("j")), journal_of(200, 100));
}

TEST(JournalWriter, TheHookRunsAfterTheRecordIsInTheFile) {
    const TemporaryFolder folder;
    const std::string path = folder.path("j");
    Writer writer(new_file(path));
    std::vector<Written> places;
    bool there = true;
    for (int i = 1; i <= 3; ++i) {
        Entry entry = entry_of(payload_of(i));
        entry.written = [&](const Written& place) {
            places.push_back(place);
            there = there && static_cast<std::int64_t>(read_file(path).size()) == place.offset + place.length;
        };
        writer.append(std::move(entry));
    }
    writer.close();
    EXPECT_TRUE(there);
    ASSERT_EQ(places.size(), 3U);
    EXPECT_EQ(places[2].seq, 3);
    EXPECT_EQ(Reader(path).at(places[1].offset, places[1].length).payload, payload_of(2));
}

TEST(JournalWriter, AnAppendDoesNotWaitForTheOnesBefore) {
    const TemporaryFolder folder;
    Writer writer(new_file(folder.path("j")));
    std::promise<void> go;
    Entry slow = entry_of(payload_of(1, 1000));
    slow.written = [held = go.get_future().share()](const Written&) { held.wait(); };
    writer.append(std::move(slow));
    for (int i = 2; i <= 10; ++i) writer.append(entry_of(payload_of(i, 1000)));
    EXPECT_GE(writer.bytes_waiting(), 9 * 1000);
    go.set_value();
    EXPECT_TRUE(writer.flush());
    EXPECT_EQ(writer.bytes_waiting(), 0);
}

TEST(JournalWriter, ThreadsMayAppendAtOnce) {
    const TemporaryFolder folder;
    {
        Writer writer(new_file(folder.path("j")));
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&writer, t] {
                for (int i = 0; i < 250; ++i) writer.append(entry_of(payload_of(1000 * t + i)));
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    const Seen seen = scan_file(folder.path("j"));
    EXPECT_THAT(seen.damages, IsEmpty());
    EXPECT_EQ(std::set<std::string>(seen.payloads.begin(), seen.payloads.end()).size(), 1000U);
}

TEST(JournalWriter, AfterTheEndNothingIsTaken) {
    const TemporaryFolder folder;
    Writer writer(new_file(folder.path("j")));
    EXPECT_TRUE(writer.close());
    EXPECT_TRUE(writer.close());
    EXPECT_TRUE(writer.flush());
    EXPECT_FALSE(writer.append(entry_of(payload_of(1))));
    EXPECT_EQ(writer.refused(), 1);
}

TEST(JournalWriter, WhatIsNoFileIsRefused) {
    const TemporaryFolder folder;
    EXPECT_THROW(Writer(new_file(folder.path("missing/j"))), assay::Error);
    EXPECT_THROW(Writer(new_file(folder.path())), assay::Error);
    folder.write("target", "");
    ASSERT_EQ(::symlink(folder.path("target").c_str(), folder.path("link").c_str()), 0);
    EXPECT_THROW(Writer(new_file(folder.path("link"))), assay::Error);
}

// Stands for a full disk: a limit on the size of files makes write() fail in the same way, also within a record.
TEST(JournalWriter, WhereTheDiskIsFullWhatIsWholeStaysAndTheRestIsRefused) {
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    for (const rlim_t limit : {rlim_t{10'000}, rlim_t{10'001}, rlim_t{10'300}, rlim_t{1}}) {
        const TemporaryFolder folder;
        const std::string path = folder.path("j");
        std::atomic<int> failures{0};
        Failure failure;
        Writer::Options options = new_file(path);
        options.failed = [&](const Failure& f) {
            failure = f;
            ++failures;
        };
        std::atomic<int> acknowledged{0};
        Writer writer(std::move(options));
        struct rlimit small = before;
        small.rlim_cur = limit;
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
        for (int i = 1; i <= 100; ++i) {
            Entry entry = entry_of(payload_of(i, 400));
            entry.written = [&](const Written&) { ++acknowledged; };
            writer.append(std::move(entry));
        }
        const bool healthy = writer.flush();
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
        EXPECT_FALSE(healthy);
        EXPECT_FALSE(writer.append(entry_of(payload_of(0))));
        EXPECT_FALSE(writer.close());
        EXPECT_EQ(failures, 1);
        EXPECT_EQ(failure.error, EFBIG);
        EXPECT_EQ(failure.message, "cannot write '" + path + "': File too large; the records in it are whole; make room, "
                                   "then go on with the same --out");
        EXPECT_EQ(writer.refused(), 101 - acknowledged);
        const Seen seen = scan_file(path);
        EXPECT_THAT(seen.damages, IsEmpty());
        EXPECT_EQ(seen.scan.records, acknowledged);
        EXPECT_EQ(seen.scan.whole_bytes, seen.scan.file_bytes);
    }
}

// Each round a child process writes as fast as it can, tells through a pipe what the hook acknowledged, and is
// killed at a random moment.
TEST(JournalWriter, NothingAcknowledgedIsLostOrDoubledByKillingTheProcess) {
    const TemporaryFolder folder;
    const std::string path = folder.write("j", "");
    std::mt19937 random(20251129);
    std::set<std::string> acknowledged;
    for (int round = 0; round < 20; ++round) {
        const Seen before = scan_file(path);
        int pipe_ends[2];
        ASSERT_EQ(::pipe(pipe_ends), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::close(pipe_ends[0]);
            Writer writer(continuing(path, before.scan));
            std::mt19937 sizes(static_cast<unsigned>(round));
            for (int i = 0;; ++i) {
                const int number = round * 1'000'000 + i;
                Entry entry = entry_of(payload_of(number, sizes() % 50'000));
                entry.written = [&pipe_ends, number](const Written&) {
                    if (::write(pipe_ends[1], &number, sizeof number) != sizeof number) std::_Exit(1);
                };
                writer.append(std::move(entry));
                while (writer.bytes_waiting() > 1 << 20) std::this_thread::yield();
            }
        }
        ::close(pipe_ends[1]);
        // From the first record on: a loaded machine may take long to start.
        int number = 0;
        ASSERT_EQ(::read(pipe_ends[0], &number, sizeof number), static_cast<ssize_t>(sizeof number));
        acknowledged.insert(std::to_string(number));
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
        ::kill(child, SIGKILL);
        while (::read(pipe_ends[0], &number, sizeof number) == static_cast<ssize_t>(sizeof number)) {
            acknowledged.insert(std::to_string(number));
        }
        ::close(pipe_ends[0]);
        ASSERT_EQ(::waitpid(child, nullptr, 0), child);

        const Seen seen = scan_file(path);
        for (const Damage& damage : seen.damages) ASSERT_EQ(damage.kind, Damage::Kind::torn_tail) << describe(damage);
        std::set<std::string> there;
        for (const std::string& payload : seen.payloads) {
            ASSERT_TRUE(there.insert(payload.substr(5, payload.find(',') - 5)).second) << "twice: " << payload.substr(0, 20);
        }
        for (const std::string& one : acknowledged) ASSERT_TRUE(there.contains(one)) << one;
    }
    EXPECT_GT(acknowledged.size(), 20U);
}

}  // namespace
