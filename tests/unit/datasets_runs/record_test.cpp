#include "datasets/runs/record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "harness/error.hpp"
#include "harness/journal/reader.hpp"
#include "tests/unit/datasets_runs/samples.hpp"

using namespace assay::runs;
using assay::chat::Outcome;
using assay::chat::Reply;
using testing::HasSubstr;

namespace {

using Depth = RecordDecoder::Depth;

std::optional<AnyRecord> decoded(const std::string& payload, Depth depth = Depth::whole) {
    RecordDecoder decoder;
    const std::string padded = payload + std::string(assay::journal::payload_padding, '\0');
    return decoder.decode(std::string_view(padded).substr(0, payload.size()), depth, "R/journal.jsonl");
}

template <class Record>
std::string payload_of(const Record& record) {
    std::string out;
    append_payload(out, record);
    return out;
}

TryRecord a_try(Reply reply) { return {{3, 17}, 2, "0123456789abcdef", 1764449000.5, 1764449010.25, std::move(reply), {}}; }

TryRecord round_trip(const TryRecord& record) {
    const auto any = decoded(payload_of(record));
    if (!any || !std::holds_alternative<TryRecord>(*any)) {
        ADD_FAILURE() << "no try: " << payload_of(record);
        return {};
    }
    return std::get<TryRecord>(*any);
}

TEST(Record, WhatAProcessDidComesBackWhole) {
    const ClientWork work{"0123456789abcdef", 12.5, 60.25, 64, 65, 0.75, true, 1.5, 2.5, 3.5, 0.5, 7.25, 33.5, 0.0625, 0.125};
    const auto any = decoded(payload_of(work));
    ASSERT_TRUE(any && std::holds_alternative<ClientWork>(*any));
    EXPECT_EQ(payload_of(std::get<ClientWork>(*any)), payload_of(work));
    EXPECT_FALSE(work.client_was_the_limit());
    EXPECT_FALSE(decoded(R"({"type":"work","seconds":"long"})"));
}

TEST(Record, ATrySaysWhichEndpointServedItWhereThatIsKnown) {
    TryRecord record = a_try({});
    std::string without;
    append_payload(without, record);
    EXPECT_EQ(without.find("endpoint"), std::string::npos);
    record.endpoint = 2;
    EXPECT_EQ(round_trip(record).endpoint, 2);
}

TEST(Record, EveryFieldOfAScoredTryComesBack) {
    const TryRecord record = a_try(samples::reply());
    const TryRecord back = round_trip(record);
    EXPECT_EQ(back.key, record.key);
    EXPECT_EQ(back.try_number, 2);
    EXPECT_EQ(back.session, record.session);
    EXPECT_EQ(back.started_unix_s, record.started_unix_s);
    EXPECT_EQ(back.ended_unix_s, record.ended_unix_s);
    EXPECT_EQ(samples::fields(back.reply), samples::fields(record.reply));
}

TEST(Record, AReplyOfDefaultsComesBack) {
    for (int i = 0; i < assay::chat::outcome_count; ++i) {
        Reply reply;
        reply.outcome = static_cast<Outcome>(i);
        EXPECT_EQ(samples::fields(round_trip(a_try(reply)).reply), samples::fields(reply)) << i;
    }
}

TEST(Record, AScoredTryKeepsAllOfALongText) {
    Reply reply = samples::answer(std::string(300'000, 'x'));
    reply.reasoning = std::string(2'000'000, '\n');
    const TryRecord back = round_trip(a_try(reply));
    EXPECT_EQ(back.reply.content, reply.content);
    EXPECT_EQ(back.reply.reasoning, reply.reasoning);
}

TEST(Record, AFailedTryKeepsTheEndsOfItsTextsAndAllElse) {
    Reply reply = samples::reply();
    reply.outcome = Outcome::dropped;
    reply.content = std::string(2048, 'a') + std::string(1000, 'b') + std::string(2048, 'c');
    reply.reasoning = std::string(4096, 'r');
    const TryRecord back = round_trip(a_try(reply));
    EXPECT_EQ(back.reply.content,
              std::string(2048, 'a') + " [... 1000 bytes left out ...] " + std::string(2048, 'c'));
    Reply expected = reply;
    expected.content = back.reply.content;
    EXPECT_EQ(samples::fields(back.reply), samples::fields(expected));
}

TEST(Record, TextIsCutBetweenCodePoints) {
    for (std::size_t shift = 0; shift < 4; ++shift) {
        std::string text(shift, 'a');
        for (int i = 0; i < 3000; ++i) text += "\xf0\x9f\x98\x80";
        const std::string kept = round_trip(a_try(samples::failed(Outcome::timeout, text))).reply.content;
        EXPECT_EQ(kept.find("\xef\xbf\xbd"), std::string::npos) << shift;
        EXPECT_THAT(kept, HasSubstr(" bytes left out ...] "));
    }
}

TEST(Record, IllFormedTextIsRepairedSoThatTheRecordCanBeRead) {
    const TryRecord back = round_trip(a_try(samples::answer("a\xff" "b\xed\xa0\x80")));
    EXPECT_EQ(back.reply.content, "a\xef\xbf\xbd" "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Record, ATimeThatIsNotFiniteIsUnknown) {
    Reply reply = samples::reply();
    reply.times.end_ms = std::numeric_limits<double>::quiet_NaN();
    reply.times.sent_ms = std::numeric_limits<double>::infinity();
    const TryRecord back = round_trip(a_try(reply));
    EXPECT_FALSE(back.reply.times.end_ms.has_value());
    EXPECT_FALSE(back.reply.times.sent_ms.has_value());
}

TEST(Record, APayloadHoldsNoLineFeed) {
    EXPECT_EQ(payload_of(a_try(samples::reply())).find('\n'), std::string::npos);
    EXPECT_EQ(payload_of(Session{"id", 1, "ho\nst", 2, samples::info()}).find('\n'), std::string::npos);
}

TEST(Record, TheOutlineOfATryHasItsKeyAndOutcomeAndNoText) {
    const auto any = decoded(payload_of(a_try(samples::reply())), Depth::outline);
    const TryRecord& record = std::get<TryRecord>(any.value());
    EXPECT_EQ(record.key, (AttemptKey{3, 17}));
    EXPECT_EQ(record.reply.outcome, Outcome::complete);
    EXPECT_TRUE(record.reply.content.empty());
    EXPECT_EQ(record.reply.times.last_byte_ms, samples::reply().times.last_byte_ms);
    EXPECT_TRUE(record.reply.missing_done);
    EXPECT_EQ(record.ended_unix_s, 1764449010.25);
}

TEST(Record, ASessionComesBack) {
    const Session session{"0123456789abcdef", 1764449000.125, "node17", 4711, samples::info()};
    const Session back = std::get<Session>(decoded(payload_of(session)).value());
    EXPECT_EQ(back.id, session.id);
    EXPECT_EQ(back.started_unix_s, session.started_unix_s);
    EXPECT_EQ(back.host, "node17");
    EXPECT_EQ(back.pid, 4711);
    EXPECT_EQ(back.info.endpoints, session.info.endpoints);
    EXPECT_EQ(back.info.server, session.info.server);
    EXPECT_EQ(back.info.transport, session.info.transport);
    EXPECT_EQ(back.info.checkpoint, session.info.checkpoint);
    EXPECT_EQ(back.info.seeds, 16);
    EXPECT_EQ(back.info.silence_ms, session.info.silence_ms);
}

TEST(Record, ABeginComesBack) {
    const BeginRecord back = std::get<BeginRecord>(decoded(payload_of(BeginRecord{{-1, 5}, 3, "s", 12.5})).value());
    EXPECT_EQ(back.key, (AttemptKey{-1, 5}));
    EXPECT_EQ(back.try_number, 3);
    EXPECT_EQ(back.session, "s");
    EXPECT_EQ(back.unix_s, 12.5);
}

TEST(Record, ANoteComesBack) {
    const NoteRecord back = std::get<NoteRecord>(decoded(payload_of(NoteRecord{"s", 12.5, "question 17 \"x\"\n"})).value());
    EXPECT_EQ(back.session, "s");
    EXPECT_EQ(back.unix_s, 12.5);
    EXPECT_EQ(back.text, "question 17 \"x\"\n");
}

TEST(Record, AnUnknownKeyOrTypeIsPassedOver) {
    const auto begin = decoded(R"({"type":"begin","later":{"a":[1]},"seed":1,"question":2,"try":3})");
    EXPECT_EQ(std::get<BeginRecord>(begin.value()).key, (AttemptKey{1, 2}));
    EXPECT_TRUE(std::holds_alternative<std::monostate>(decoded(R"({"type":"later"})").value()));
}

TEST(Record, WhatIsNoRecordIsSaidToBeNone) {
    for (const char* payload : {"{}", "{", "[]", R"({"type":3})", R"({"type":"begin","seed":1,"question":2})",
                                R"({"type":"begin","seed":"1","question":2,"try":1})",
                                R"({"type":"begin","seed":3000000000,"question":2,"try":1})",
                                R"({"type":"try","seed":1,"question":2,"try":1})",
                                R"({"type":"try","seed":1,"question":2,"try":1,"outcome":"splendid"})",
                                R"({"type":"try","seed":1,"question":2,"try":1,"outcome":"complete","content":5})",
                                R"({"type":"session","id":"x"})"}) {
        EXPECT_FALSE(decoded(payload).has_value()) << payload;
    }
}

TEST(Record, ASessionOfANewerFormatIsRefusedByName) {
    try {
        (void)decoded(R"({"type":"session","format":"assay.journal/2"})");
        FAIL();
    } catch (const assay::Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("'R/journal.jsonl' has format assay.journal/2, newer than assay.journal/1"));
    }
}

}  // namespace
