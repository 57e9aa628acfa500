// What becomes of a run when its process, its disk or its journal breaks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "datasets/runs/run_folder.hpp"
#include "datasets/runs/run_reader.hpp"
#include "datasets/runs/run_writer.hpp"
#include "harness/error.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/datasets_runs/samples.hpp"

using namespace assay::runs;
using assay::chat::Outcome;
using assay::files::read_file;
using assay::support::TemporaryFolder;
using testing::HasSubstr;

namespace {

constexpr int questions = 5;

// A new file: cutting an old one to nothing first makes some file systems write it to the disk at once.
void put_journal(const TemporaryFolder& folder, const std::string& bytes) {
    std::filesystem::remove(folder.path("run/journal.jsonl"));
    folder.write("run/journal.jsonl", bytes);
}

std::string content_of(AttemptKey key) { return "answer " + std::to_string(key.seed) + " " + std::to_string(key.question); }

std::unique_ptr<RunWriter> open(const std::string& run, RunWriter::Hooks hooks = {}) {
    return std::make_unique<RunWriter>(run, samples::plan(), samples::info(), std::move(hooks));
}

// Asks what is not final, as a dispatcher would.
void finish(RunWriter& writer, int seeds) {
    for (int seed = 0; seed < seeds; ++seed) {
        for (int question = 0; question < questions; ++question) {
            const AttemptKey key{seed, question};
            const auto found = writer.standings().find(key);
            if (found != writer.standings().end() && found->second.final) continue;
            const int number = found == writer.standings().end() ? 1 : found->second.tries + 1;
            writer.begin(key, number, 1.0);
            writer.finished(key, number, samples::answer(content_of(key)), 1.0, 2.0);
        }
    }
}

std::map<AttemptKey, std::string> contents_of(const std::string& run, Totals* totals = nullptr) {
    std::map<AttemptKey, std::string> found;
    const RunContents contents = read_run(run, [&](Attempt attempt) {
        EXPECT_TRUE(found.emplace(attempt.key, attempt.reply.content).second);
    });
    if (totals != nullptr) *totals = contents.totals;
    return found;
}

std::map<AttemptKey, std::string> undisturbed(int seeds) {
    std::map<AttemptKey, std::string> wanted;
    for (int seed = 0; seed < seeds; ++seed) {
        for (int question = 0; question < questions; ++question) wanted[{seed, question}] = content_of({seed, question});
    }
    return wanted;
}

// Whole `try` records in the leading bytes of a journal.
std::size_t tries_in(const std::string& journal, std::size_t length) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < length;) {
        const std::size_t end = journal.find('\n', at);
        if (end == std::string::npos || end >= length) break;
        if (journal.substr(at, end - at).find(R"("type":"try")") != std::string::npos) ++count;
        at = end + 1;
    }
    return count;
}

TEST(RunCrash, AJournalCutAtAnyByteIsReadUpToItsLastWholeRecord) {
    const TemporaryFolder folder;
    const std::string run = folder.path("run");
    finish(*open(run), 1);
    const std::string journal = read_file(journal_path(run));
    for (std::size_t length = 0; length <= journal.size(); ++length) {
        put_journal(folder, journal.substr(0, length));
        const auto found = contents_of(run);
        ASSERT_EQ(found.size(), tries_in(journal, length)) << length;
        for (const auto& [key, content] : found) ASSERT_EQ(content, content_of(key)) << length;
    }
}

TEST(RunCrash, AJournalThatWasCutIsContinuedToTheSameRunAsAnUndisturbedOne) {
    const TemporaryFolder folder;
    const std::string run = folder.path("run");
    finish(*open(run), 1);
    const std::string journal = read_file(journal_path(run));
    for (std::size_t length = 0; length <= journal.size(); length += 1 + length % 29) {
        put_journal(folder, journal.substr(0, length));
        {
            const auto writer = open(run);
            std::size_t final = 0;
            for (const auto& [key, standing] : writer->standings()) final += standing.final ? 1 : 0;
            ASSERT_EQ(final, tries_in(journal, length)) << length;
            finish(*writer, 2);
        }
        Totals totals;
        ASSERT_EQ(contents_of(run, &totals), undisturbed(2)) << length;
        ASSERT_EQ(totals.tries, 2 * questions) << length;
    }
}

TEST(RunCrash, AFlippedByteCostsAtMostItsOwnAttemptWhichIsAskedAgain) {
    const TemporaryFolder folder;
    const std::string run = folder.path("run");
    finish(*open(run), 1);
    const std::string journal = read_file(journal_path(run));
    for (std::size_t at = 0; at < journal.size(); ++at) {
        std::string bytes = journal;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
        put_journal(folder, bytes);
        std::size_t found = 0;
        const RunContents contents = read_run(run, [&](const Attempt& attempt) {
            ++found;
            ASSERT_EQ(attempt.reply.content, content_of(attempt.key));
        });
        ASSERT_FALSE(contents.notes.empty()) << at;
        ASSERT_GE(found + 1, static_cast<std::size_t>(questions)) << at;
        if (at % 101 == 0) {
            finish(*open(run), 1);
            ASSERT_EQ(contents_of(run), undisturbed(1)) << at;
        }
    }
}

TEST(RunCrash, AProcessKilledTenTimesEndsWithTheRunOfAnUndisturbedOne) {
    const TemporaryFolder folder;
    const std::string run = folder.path("run");
    constexpr int seeds = 60;
    std::mt19937 random(7);
    std::set<AttemptKey> acknowledged;
    for (int round = 0; round < 10; ++round) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            RunWriter::Hooks hooks;
            hooks.recorded = [&ends](const Attempt& attempt) {
                if (::write(ends[1], &attempt.key, sizeof attempt.key) != sizeof attempt.key) std::_Exit(1);
                std::this_thread::sleep_for(std::chrono::microseconds(200));
            };
            finish(*open(run, std::move(hooks)), seeds);
            std::_Exit(0);
        }
        ::close(ends[1]);
        AttemptKey key;
        if (::read(ends[0], &key, sizeof key) == static_cast<ssize_t>(sizeof key)) acknowledged.insert(key);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 15'000));
        ::kill(child, SIGKILL);
        while (::read(ends[0], &key, sizeof key) == static_cast<ssize_t>(sizeof key)) {
            ASSERT_TRUE(acknowledged.insert(key).second) << "asked again: " << key.seed << " " << key.question;
        }
        ::close(ends[0]);
        ASSERT_EQ(::waitpid(child, nullptr, 0), child);
        const auto found = contents_of(run);
        for (const AttemptKey& one : acknowledged) ASSERT_TRUE(found.contains(one));
    }
    finish(*open(run), seeds);
    Totals totals;
    EXPECT_EQ(contents_of(run, &totals), undisturbed(seeds));
    EXPECT_EQ(totals.tries, seeds * questions);
    EXPECT_GE(totals.sessions.size(), 2U);
}

TEST(RunCrash, ASecondProcessIsRefused) {
    const TemporaryFolder folder;
    const std::string run = folder.path("run");
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto writer = open(run);
        if (::write(ends[1], "x", 1) != 1) std::_Exit(1);
        for (;;) ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ends[0], &byte, 1), 1);
    std::string message;
    try {
        open(run);
    } catch (const assay::Error& error) {
        message = error.what();
    }
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_THAT(message, HasSubstr("is held by process " + std::to_string(child)));
    EXPECT_NO_THROW(open(run));
}

TEST(RunCrash, AFullDiskIsSaidOnceAndWhatIsWholeStays) {
    const TemporaryFolder folder;
    const std::string run = folder.path("run");
    std::atomic<int> failures{0};
    RunWriter::Hooks hooks;
    hooks.failed = [&](const assay::journal::Failure&) { ++failures; };
    auto writer = open(run, std::move(hooks));
    ASSERT_TRUE(writer->flush());
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = before;
    small.rlim_cur = 5000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    finish(*writer, 10);
    const bool healthy = writer->flush();
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_FALSE(healthy);
    EXPECT_GT(writer->refused(), 0);
    EXPECT_FALSE(writer->close());
    EXPECT_EQ(failures, 1);
    const std::size_t kept = contents_of(run).size();
    EXPECT_GT(kept, 0U);
    EXPECT_LT(kept, 50U);
    finish(*open(run), 10);
    EXPECT_EQ(contents_of(run), undisturbed(10));
}

// 48 MB of replies: what grew with them would show.
TEST(RunCrash, MemoryDoesNotGrowWithFinishedReplies) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers hold memory of their own";
#endif
    const TemporaryFolder folder;
    const std::string run = folder.path("run");
    {
        const auto writer = open(run);
        for (int i = 0; i < 192; ++i) {
            writer->finished({0, i}, 1, samples::answer(std::string(250'000, static_cast<char>('a' + i % 26))), 1, 2);
            while (writer->bytes_waiting() > 2'000'000) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        struct rusage before {};
        struct rusage after {};
        ::getrusage(RUSAGE_SELF, &before);
        int seen = 0;
        RunWriter::Hooks hooks;
        hooks.final_before = [&](const Attempt&) { ++seen; };
        open(run, std::move(hooks));
        read_run(run, [&](const Attempt&) { ++seen; });
        ::getrusage(RUSAGE_SELF, &after);
        if (seen != 2 * 192) std::_Exit(2);
        std::_Exit(after.ru_maxrss - before.ru_maxrss < 24 * 1024 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

}  // namespace
