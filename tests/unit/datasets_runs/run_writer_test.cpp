#include "datasets/runs/run_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <mutex>

#include "datasets/runs/run_folder.hpp"
#include "datasets/runs/run_reader.hpp"
#include "harness/error.hpp"
#include "harness/files/read_file.hpp"
#include "harness/journal/frame.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/datasets_runs/samples.hpp"

using namespace assay::runs;
using assay::chat::Outcome;
using assay::files::read_file;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

class RunWriterTest : public testing::Test {
protected:
    assay::support::TemporaryFolder folder;
    std::string run = folder.path("run");

    std::unique_ptr<RunWriter> open(RunWriter::Hooks hooks = {}, const Plan& plan = samples::plan()) const {
        return std::make_unique<RunWriter>(run, plan, samples::info(), std::move(hooks));
    }
    std::string refusal(const Plan& plan = samples::plan()) const {
        try {
            open({}, plan);
        } catch (const assay::Error& error) {
            return error.what();
        }
        return "";
    }
    std::map<AttemptKey, Attempt> attempts(RunContents* contents = nullptr) const {
        std::map<AttemptKey, Attempt> found;
        RunContents read = read_run(run, [&](Attempt attempt) { found[attempt.key] = std::move(attempt); });
        if (contents != nullptr) *contents = std::move(read);
        return found;
    }
    static void ask(RunWriter& writer, AttemptKey key, int number, assay::chat::Reply reply) {
        writer.begin(key, number, 100.0 + number);
        writer.finished(key, number, std::move(reply), 100.0 + number, 200.0 + number);
    }
};

TEST_F(RunWriterTest, NotesAndWhatIsCountedOverTheRunAreReadBack) {
    auto writer = open();
    ask(*writer, {0, 1}, 1, samples::reply());
    auto dropped = samples::failed(Outcome::dropped);
    dropped.times.connected_ms = 500;
    dropped.times.end_ms = 60'500;
    ask(*writer, {0, 2}, 1, dropped);
    dropped.times.last_byte_ms = 40'500;
    ask(*writer, {0, 2}, 2, dropped);
    writer->note("question 2 was given up");
    writer->note("question 2 was given up");
    writer->close();
    RunContents contents;
    attempts(&contents);
    EXPECT_THAT(contents.totals.notes, ElementsAre("question 2 was given up"));
    EXPECT_EQ(contents.totals.missing_done, 1);
    EXPECT_EQ(contents.totals.unterminated_events, 1);
    EXPECT_EQ(contents.totals.with_ignored_chunks, 1);
    EXPECT_EQ(contents.totals.accepted_without_finish, 1);
    ASSERT_EQ(contents.totals.breaks.size(), 2U);
    EXPECT_EQ(contents.totals.breaks[0].age_s, 60);
    EXPECT_EQ(contents.totals.breaks[0].silence_s, 60);
    EXPECT_EQ(contents.totals.breaks[1].silence_s, 20);
}

TEST_F(RunWriterTest, OfWhatASessionDidTheLastWordCounts) {
    ClientWork work;
    for (const double seconds : {60.0, 120.0}) {  // a session says it every minute: a kill loses no more
        work.seconds = seconds;
        auto writer = open();
        work.max_in_flight = 3;
        writer->work(work);
        work.max_in_flight = 8;
        writer->work(work);
    }
    RunContents contents;
    attempts(&contents);
    ASSERT_EQ(contents.totals.work.size(), 2U) << "one a session";
    EXPECT_EQ(contents.totals.work[0].max_in_flight, 8);
    EXPECT_EQ(contents.totals.work[1].seconds, 120);
    EXPECT_EQ(contents.totals.work[1].session, contents.totals.sessions[1].id);
}

TEST_F(RunWriterTest, WhatIsRecordedIsReadBack) {
    auto writer = open();
    ask(*writer, {0, 1}, 1, samples::reply());
    ask(*writer, {1, 0}, 1, samples::answer("A"));
    EXPECT_TRUE(writer->close());
    RunContents contents;
    const auto found = attempts(&contents);
    ASSERT_EQ(found.size(), 2U);
    const Attempt& attempt = found.at({0, 1});
    EXPECT_EQ(samples::fields(attempt.reply), samples::fields(samples::reply()));
    EXPECT_EQ(attempt.tries, 1);
    EXPECT_EQ(attempt.session, writer->session());
    EXPECT_EQ(attempt.started_unix_s, 101.0);
    EXPECT_EQ(attempt.ended_unix_s, 201.0);
    EXPECT_EQ(contents.plan_hash, plan_hash(samples::plan()));
    EXPECT_EQ(contents.totals.tries, 2);
    EXPECT_EQ(contents.totals.sessions.size(), 1U);
    EXPECT_EQ(contents.totals.first_unix_s, 101.0);
    EXPECT_EQ(contents.totals.last_unix_s, 201.0);
    EXPECT_EQ(contents.seeds.size(), 16U);
    EXPECT_EQ(contents.rows, 60);
    EXPECT_THAT(contents.notes, IsEmpty());
}

TEST_F(RunWriterTest, AnAttemptThatIsScoredIsFinalWhenTheRunIsOpenedAgain) {
    ask(*open(), {0, 1}, 1, samples::answer("A"));
    const auto writer = open();
    ASSERT_EQ(writer->standings().size(), 1U);
    const Standing& standing = writer->standings().at({0, 1});
    EXPECT_TRUE(standing.final);
    EXPECT_EQ(standing.tries, 1);
    EXPECT_EQ(standing.outcome, Outcome::complete);
    EXPECT_THAT(writer->notes(), IsEmpty());
}

TEST_F(RunWriterTest, AnUnscoredAttemptIsAskedAgainAndItsTriesStayOnRecord) {
    {
        auto writer = open();
        ask(*writer, {0, 1}, 1, samples::failed(Outcome::timeout));
        ask(*writer, {0, 1}, 2, samples::failed(Outcome::server_error));
        ask(*writer, {0, 2}, 1, samples::failed(Outcome::refused));
    }
    EXPECT_EQ(attempts().at({0, 1}).reply.outcome, Outcome::server_error);
    EXPECT_EQ(attempts().at({0, 1}).tries, 2);
    auto writer = open();
    EXPECT_FALSE(writer->standings().at({0, 1}).final);
    EXPECT_EQ(writer->standings().at({0, 1}).tries, 2);
    EXPECT_EQ(writer->standings().at({0, 2}).outcome, Outcome::refused);
    EXPECT_FALSE(writer->standings().at({0, 2}).final);
    ask(*writer, {0, 1}, 3, samples::answer("A"));
    writer->close();
    RunContents contents;
    EXPECT_EQ(attempts(&contents).at({0, 1}).reply.content, "A");
    EXPECT_EQ(contents.totals.tries, 4);
    EXPECT_EQ(contents.totals.by_outcome[static_cast<std::size_t>(Outcome::timeout)], 1);
    EXPECT_EQ(contents.totals.by_outcome[static_cast<std::size_t>(Outcome::refused)], 1);
    EXPECT_EQ(contents.totals.sessions.size(), 2U);
}

TEST_F(RunWriterTest, TheFirstScoredTryDecides) {
    auto writer = open();
    ask(*writer, {0, 1}, 1, samples::failed(Outcome::dropped));
    ask(*writer, {0, 1}, 2, samples::answer("first"));
    ask(*writer, {0, 1}, 3, samples::answer("second"));
    ask(*writer, {0, 1}, 4, samples::failed(Outcome::dropped));
    writer->close();
    EXPECT_EQ(attempts().at({0, 1}).reply.content, "first");
    EXPECT_EQ(attempts().at({0, 1}).tries, 2);
}

TEST_F(RunWriterTest, ATryWithoutAnEndIsSaidAndAskedAgain) {
    open()->begin({0, 1}, 1, 5.0);
    const auto writer = open();
    EXPECT_FALSE(writer->standings().at({0, 1}).final);
    EXPECT_EQ(writer->standings().at({0, 1}).tries, 1);
    EXPECT_EQ(writer->standings().at({0, 1}).interrupted, 1);
    EXPECT_EQ(writer->totals_before().interrupted, 1);
    EXPECT_THAT(writer->notes(), ElementsAre(HasSubstr("1 try was sent and how it ended is not on record")));
}

TEST_F(RunWriterTest, TheHookSeesEveryTryWholeOnceItIsOnDisk) {
    std::mutex mutex;
    std::vector<std::string> seen;
    RunWriter::Hooks hooks;
    hooks.recorded = [&](const Attempt& attempt) {
        const std::lock_guard lock(mutex);
        seen.push_back(attempt.reply.content);
        EXPECT_THAT(read_file(journal_path(run)), HasSubstr(attempt.reply.content.substr(0, 2048)));
    };
    auto writer = open(std::move(hooks));
    ask(*writer, {0, 1}, 1, samples::answer("one"));
    ask(*writer, {0, 2}, 1, samples::failed(Outcome::dropped, std::string(10'000, 'x')));
    writer->close();
    EXPECT_THAT(seen, ElementsAre("one", std::string(10'000, 'x')));
}

TEST_F(RunWriterTest, WhatIsFinalIsHandedOutWhileTheRunIsOpened) {
    {
        auto writer = open();
        ask(*writer, {3, 1}, 1, samples::answer("one"));
        ask(*writer, {0, 2}, 1, samples::failed(Outcome::dropped));
        ask(*writer, {0, 2}, 2, samples::answer("two"));
    }
    std::vector<std::string> seen;
    RunWriter::Hooks hooks;
    hooks.final_before = [&](const Attempt& attempt) { seen.push_back(attempt.reply.content); };
    open(std::move(hooks));
    EXPECT_THAT(seen, ElementsAre("one", "two"));
}

TEST_F(RunWriterTest, AnotherPlanIsRefusedWithTheDifferencesOnOneLine) {
    open()->close();
    Plan other = samples::plan();
    other.model = "other";
    other.budget = 16384;
    EXPECT_EQ(refusal(other), "'" + run +
                                  "' holds a run with another plan: model: this run was made with 'kimi \\\"k3\\\" "
                                  "\\u2603', now 'other'; budget: this run was made with 65536, now 16384; use another "
                                  "--out, or ask as that run did");
}

TEST_F(RunWriterTest, AnotherEndpointIsNoOtherRunAndIsOnRecord) {
    open()->close();
    RunInfo moved = samples::info();
    moved.endpoints = {"http://127.0.0.1:9/v1"};
    moved.seeds = 20;
    moved.first_seed = 1;
    RunWriter(run, samples::plan(), moved, {}).close();
    RunContents contents;
    attempts(&contents);
    EXPECT_EQ(contents.info.endpoints, moved.endpoints);
    ASSERT_EQ(contents.totals.sessions.size(), 2U);
    EXPECT_EQ(contents.totals.sessions[0].info.endpoints, samples::info().endpoints);
    EXPECT_EQ(contents.totals.sessions[1].info.endpoints, moved.endpoints);
    EXPECT_EQ(contents.seeds.size(), 21U);
    EXPECT_EQ(contents.created_unix_s, contents.totals.sessions[0].started_unix_s);
}

TEST_F(RunWriterTest, OtherWeightsAreAnotherRun) {
    open()->close();
    RunInfo other = samples::info();
    other.checkpoint->fingerprint = std::string(32, 'f');
    const auto continue_with = [&](const RunInfo& info) { RunWriter(run, samples::plan(), info, {}).close(); };
    try {
        continue_with(other);
        FAIL() << "accepted";
    } catch (const assay::Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("holds a run of weights with fingerprint dddd"), HasSubstr("is of ffff"), HasSubstr("use another --out")));
    }
    other.checkpoint.reset();
    continue_with(other);  // none named is no contradiction
    RunContents contents;
    attempts(&contents);
    EXPECT_EQ(contents.totals.sessions.size(), 2U);
}

TEST_F(RunWriterTest, ASecondWriterIsRefusedWithTheNameOfTheFirst) {
    const auto writer = open();
    EXPECT_THAT(refusal(), AllOf(HasSubstr("is held by process " + std::to_string(::getpid()) + " on host "),
                                 HasSubstr("name another folder")));
}

TEST_F(RunWriterTest, WhatIsNoRunIsRefusedWithOneLine) {
    folder.write("run", "x");
    EXPECT_EQ(refusal(), "'" + run + "' is a file, and --out expects a folder: use another --out");
    std::filesystem::remove(run);
    folder.write("run/notes.txt", "x");
    EXPECT_THAT(refusal(), HasSubstr("holds files and is no run: use another --out"));
    std::filesystem::remove_all(run);
    folder.write("run/output-rs0.jsonl", "{}\n");
    EXPECT_THAT(refusal(), HasSubstr("holds files and is no run: use another --out"));
    std::filesystem::remove_all(run);
    folder.write("run/journal.jsonl", "");
    EXPECT_THAT(refusal(), HasSubstr("holds journal.jsonl but no run.json"));
}

TEST_F(RunWriterTest, ARunWhoseJournalIsGoneStartsAgainAndSaysSo) {
    ask(*open(), {0, 0}, 1, samples::answer("A"));
    std::filesystem::remove(journal_path(run));
    EXPECT_THAT(open()->notes(), ElementsAre(HasSubstr("there is no journal, so everything is asked from the beginning")));
}

TEST_F(RunWriterTest, AReplyThatNoRecordCanHoldIsMalformedAndTheNextOneIsWhole) {
    std::vector<Outcome> seen;
    RunWriter::Hooks hooks;
    hooks.recorded = [&](const Attempt& attempt) { seen.push_back(attempt.reply.outcome); };
    auto writer = open(std::move(hooks));
    ask(*writer, {0, 0}, 1, samples::answer(std::string(assay::journal::max_payload_bytes, 'x')));
    ask(*writer, {0, 1}, 1, samples::answer("A"));
    writer->close();
    EXPECT_THAT(seen, ElementsAre(Outcome::malformed, Outcome::complete));
    RunContents contents;
    const auto found = attempts(&contents);
    EXPECT_THAT(contents.notes, IsEmpty());
    EXPECT_THAT(found.at({0, 0}).reply.error, HasSubstr("larger than a record may be (64 MiB)"));
    EXPECT_EQ(found.at({0, 1}).reply.content, "A");
}

TEST_F(RunWriterTest, AnEmptyFolderBecomesARun) {
    std::filesystem::create_directory(run);
    ask(*open(), {0, 0}, 1, samples::answer("A"));
    EXPECT_EQ(attempts().size(), 1U);
}

TEST_F(RunWriterTest, ARunJsonOfANewerFormatIsRefusedByName) {
    folder.write("run/run.json", R"({"format":"assay.run/7"})");
    EXPECT_THAT(refusal(), HasSubstr("has format assay.run/7, newer than assay.run/1"));
}

TEST_F(RunWriterTest, ReadingWhatIsNoRunSaysSo) {
    const auto message = [&] {
        try {
            (void)RunReader(run);
        } catch (const assay::Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(message(), HasSubstr("there is no run at"));
    folder.write("run", "x");
    EXPECT_THAT(message(), HasSubstr("is no folder"));
    std::filesystem::remove(run);
    std::filesystem::create_directory(run);
    EXPECT_THAT(message(), HasSubstr("is an empty folder"));
    folder.write("run/journal.jsonl", "");
    EXPECT_THAT(message(), HasSubstr("holds journal.jsonl but no run.json"));
    std::filesystem::remove(run + "/journal.jsonl");
    folder.write("run/x", "");
    EXPECT_THAT(message(), HasSubstr("is no run: there is no run.json"));
}

TEST_F(RunWriterTest, ADamagedRecordIsSetAsideSaidAndAskedAgain) {
    {
        auto writer = open();
        ask(*writer, {0, 1}, 1, samples::answer("AAAA"));
        ask(*writer, {0, 2}, 1, samples::answer("BBBB"));
    }
    std::string text = read_file(journal_path(run));
    text.replace(text.find("AAAA"), 4, "AAXA");
    folder.write("run/journal.jsonl", text);
    RunContents contents;
    EXPECT_EQ(attempts(&contents).size(), 1U);
    EXPECT_THAT(contents.notes, ElementsAre(HasSubstr("its checksum differs, set aside; what it held is missing here"),
                                            HasSubstr("record 3 is missing"), HasSubstr("1 try was sent")));
    const auto writer = open();
    EXPECT_FALSE(writer->standings().at({0, 1}).final);
    EXPECT_TRUE(writer->standings().at({0, 2}).final);
    EXPECT_THAT(writer->notes(), testing::Contains(HasSubstr("what it held is asked again")));
}

TEST_F(RunWriterTest, ReadingARunThatIsBeingWrittenGivesWhatIsOnDisk) {
    auto writer = open();
    ask(*writer, {0, 1}, 1, samples::answer("A"));
    ASSERT_TRUE(writer->flush());
    EXPECT_EQ(attempts().size(), 1U);
    ask(*writer, {0, 2}, 1, samples::answer("B"));
    ASSERT_TRUE(writer->flush());
    EXPECT_EQ(attempts().size(), 2U);
}

}  // namespace
