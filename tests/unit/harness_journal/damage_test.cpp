#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "harness/error.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/harness_journal/journals.hpp"

using namespace assay::journal;
using namespace assay::journal::tests;
using assay::support::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

using Kind = Damage::Kind;

std::vector<std::string> payloads_of(int records) {
    std::vector<std::string> payloads;
    for (int i = 1; i <= records; ++i) payloads.push_back(payload_of(i));
    return payloads;
}

TEST(JournalReader, GivesEveryRecordWithItsPlace) {
    const TemporaryFolder folder;
    const std::string bytes = journal_of(3);
    const std::string path = folder.write("j", bytes);
    const Seen seen = scan_file(path);
    EXPECT_EQ(seen.payloads, payloads_of(3));
    EXPECT_THAT(seen.seqs, ElementsAre(1, 2, 3));
    EXPECT_THAT(seen.damages, IsEmpty());
    EXPECT_EQ(seen.scan.next_seq, 4);
    EXPECT_EQ(seen.scan.whole_bytes, static_cast<std::int64_t>(bytes.size()));
    Reader reader(path);
    for (const int i : {2, 0, 1}) {
        const Record& place = seen.records[static_cast<std::size_t>(i)];
        EXPECT_EQ(reader.at(place.offset, place.length).payload, payload_of(i + 1));
    }
    EXPECT_THROW((void)reader.at(1, 20), assay::Error);
    EXPECT_THROW((void)reader.at(seen.records[2].offset, seen.records[2].length + 1), assay::Error);
}

TEST(JournalReader, AnEmptyFileHoldsNothing) {
    const TemporaryFolder folder;
    const Seen seen = scan_file(folder.write("j", ""));
    EXPECT_EQ(seen.scan.records, 0);
    EXPECT_EQ(seen.scan.next_seq, 1);
    EXPECT_THAT(seen.damages, IsEmpty());
}

TEST(JournalReader, AFileThatIsNotThereEndsTheRun) {
    EXPECT_THROW(Reader("/nowhere/journal.jsonl"), assay::Error);
}

TEST(JournalReader, RecordsLongerThanItsBufferAreRead) {
    const TemporaryFolder folder;
    std::string bytes;
    append_line(bytes, 1, payload_of(1, 100));
    append_line(bytes, 2, payload_of(2, 9'000'000));
    append_line(bytes, 3, payload_of(3, 2'000'000));
    append_line(bytes, 4, payload_of(4));
    const Seen seen = scan_file(folder.write("j", bytes));
    EXPECT_THAT(seen.payloads, ElementsAre(payload_of(1, 100), payload_of(2, 9'000'000), payload_of(3, 2'000'000), payload_of(4)));
}

TEST(JournalReader, ALineLongerThanAnyRecordIsSkippedWithoutBeingHeld) {
    const TemporaryFolder folder;
    std::string bytes = journal_of(1) + std::string(static_cast<std::size_t>(max_line_bytes) + 5'000'000, 'z') + "\n";
    const auto long_line = static_cast<std::int64_t>(bytes.size() - journal_of(1).size());
    append_line(bytes, 2, payload_of(2));
    const Seen seen = scan_file(folder.write("j", bytes));
    EXPECT_EQ(seen.payloads, payloads_of(2));
    ASSERT_EQ(seen.damages.size(), 1U);
    EXPECT_EQ(seen.damages[0].fault, Fault::too_long);
    EXPECT_EQ(seen.damages[0].length, long_line);
}

TEST(JournalReader, AMissingLineIsAGap) {
    const TemporaryFolder folder;
    std::string bytes;
    append_line(bytes, 1, payload_of(1));
    append_line(bytes, 5, payload_of(5));
    append_line(bytes, 6, payload_of(6));
    const Seen seen = scan_file(folder.write("j", bytes));
    EXPECT_THAT(seen.seqs, ElementsAre(1, 5, 6));
    ASSERT_EQ(seen.damages.size(), 1U);
    EXPECT_EQ(seen.damages[0].kind, Kind::gap);
    EXPECT_EQ(seen.damages[0].first_seq, 2);
    EXPECT_EQ(seen.damages[0].last_seq, 4);
    EXPECT_THAT(describe(seen.damages[0]), HasSubstr("records 2 to 4 are missing before byte"));
}

TEST(JournalReader, ARepeatedLineIsSetAside) {
    const TemporaryFolder folder;
    std::string bytes = journal_of(3);
    append_line(bytes, 2, payload_of(2));
    append_line(bytes, 4, payload_of(4));
    const Seen seen = scan_file(folder.write("j", bytes));
    EXPECT_EQ(seen.payloads, payloads_of(4));
    ASSERT_EQ(seen.damages.size(), 1U);
    EXPECT_EQ(seen.damages[0].kind, Kind::repeated);
    EXPECT_EQ(seen.damages[0].first_seq, 2);
}

TEST(JournalReader, AWrongSequenceNumberCostsOnlyItsOwnRecord) {
    const TemporaryFolder folder;
    for (const std::int64_t wrong : {std::int64_t{1}, std::int64_t{9}, std::int64_t{4}, max_seq}) {
        std::string bytes = journal_of(2);
        append_line(bytes, wrong, payload_of(3));
        append_line(bytes, 4, payload_of(4));
        append_line(bytes, 5, payload_of(5));
        const Seen seen = scan_file(folder.write("j", bytes));
        EXPECT_THAT(seen.seqs, ElementsAre(1, 2, 4, 5)) << wrong;
        EXPECT_FALSE(seen.damages.empty());
        EXPECT_EQ(seen.scan.next_seq, 6);
    }
}

TEST(JournalReader, EverySingleFlippedBitIsNoticedAndCostsAtMostTwoRecords) {
    const TemporaryFolder folder;
    const std::string good = journal_of(4);
    const std::string path = folder.path("j");
    const auto all = payloads_of(4);
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (int bit = 0; bit < 8; ++bit) {
            std::string bytes = good;
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
            std::filesystem::remove(path);  // a file cut to nothing first is written to the disk at once
            folder.write("j", bytes);
            const Seen seen = scan_file(path);
            ASSERT_FALSE(seen.damages.empty()) << "byte " << at << " bit " << bit;
            for (const std::string& payload : seen.payloads) {
                ASSERT_NE(std::find(all.begin(), all.end(), payload), all.end()) << "byte " << at << " bit " << bit;
            }
            // A line feed that is lost joins two lines; anything else stays in its own. In the last line a wrong
            // number leaves the record as it is.
            const std::size_t lost = good[at] == '\n' && at + 1 < good.size() ? 2 : 1;
            ASSERT_GE(seen.payloads.size(), all.size() - lost) << "byte " << at << " bit " << bit;
        }
    }
}

TEST(JournalReader, EveryCutLosesOnlyTheTornRecordAndTheFileGoesOn) {
    const TemporaryFolder folder;
    const std::string good = journal_of(5);
    for (std::size_t length = 0; length <= good.size(); ++length) {
        const std::string path = folder.write("j", good.substr(0, length));
        const Seen before = scan_file(path);
        const auto whole = std::count(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length), '\n');
        ASSERT_EQ(before.payloads, payloads_of(static_cast<int>(whole))) << length;
        const bool torn = length > 0 && good[length - 1] != '\n';
        ASSERT_EQ(before.damages.size(), torn ? 1U : 0U) << length;
        if (torn) {
            ASSERT_EQ(before.damages[0].kind, Kind::torn_tail);
        }
        {
            Writer writer(continuing(path, before.scan));
            for (int i = static_cast<int>(whole) + 1; i <= 6; ++i) ASSERT_TRUE(writer.append(entry_of(payload_of(i))));
        }
        const Seen after = scan_file(path);
        ASSERT_EQ(after.payloads, payloads_of(6)) << length;
        ASSERT_THAT(after.damages, IsEmpty()) << length;
    }
}

TEST(JournalReader, AFileOfRandomBytesHoldsNoRecordAndDoesNoHarm) {
    const TemporaryFolder folder;
    std::uint32_t state = 7;
    for (int round = 0; round < 50; ++round) {
        std::string bytes;
        for (int i = 0; i < 2000; ++i) {
            state = state * 1664525 + 1013904223;
            bytes += static_cast<char>(state >> 24);
        }
        const Seen seen = scan_file(folder.write("j", bytes));
        EXPECT_EQ(seen.scan.records, 0);
        EXPECT_FALSE(seen.damages.empty());
    }
}

}  // namespace
