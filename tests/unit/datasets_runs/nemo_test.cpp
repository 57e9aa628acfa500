#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/runs/nemo_import.hpp"
#include "datasets/runs/nemo_rows.hpp"
#include "datasets/runs/run_writer.hpp"
#include "harness/error.hpp"
#include "harness/files/read_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/unit/datasets_runs/samples.hpp"

using namespace assay::runs;
using assay::chat::Outcome;
using assay::files::read_file;
using assay::support::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::string input = R"({"expected_answer": "B", "subset_for_metrics": "Optics", "problem": "why\u00e9\n\nA) x"})";

struct Read {
    std::vector<NemoRow> rows;
    NemoContents contents;
    std::string error;
};

Read read(const TemporaryFolder& folder) {
    Read read;
    try {
        read.contents = read_nemo_results(folder.path(), [&](NemoRow row) { read.rows.push_back(std::move(row)); });
    } catch (const assay::Error& error) {
        read.error = error.what();
    }
    return read;
}

NemoRow read_one(const std::string& line) {
    const TemporaryFolder folder;
    folder.write("output.jsonl", line + "\n");
    Read one = read(folder);
    EXPECT_EQ(one.error, "");
    return one.rows.empty() ? NemoRow{} : std::move(one.rows[0]);
}

TEST(NemoRow, AScoredAttemptHasTheFieldsInTheirOrder) {
    Attempt attempt;
    attempt.reply = samples::answer("Answer: B \xe2\x98\x83");
    attempt.reply.reasoning = "so\n";
    attempt.reply.usage = {101, 4096, 4000};
    attempt.started_unix_s = 1764449000.5;
    attempt.ended_unix_s = 1764449010.0;
    EXPECT_EQ(nemo_row(&attempt, input, {"B", true}),
              R"({"num_generated_tokens": 4096, "reasoning_content": "so\n", "num_reasoning_tokens": 4000, )"
              R"("num_answer_tokens": 96, "finish_reason": "stop", "num_input_tokens": 101, )"
              R"("generation_start_time": 1764449000.5, "generation_end_time": 1764449010.0, "generation_time": 9.5, )"
              R"("generation": "Answer: B \u2603", "expected_answer": "B", "subset_for_metrics": "Optics", )"
              R"("problem": "why\u00e9\n\nA) x", "predicted_answer": "B", "symbolic_correct": true})");
}

TEST(NemoRow, WhatIsUnknownIsLeftOutAndNoAnswerIsNull) {
    Attempt attempt;
    attempt.reply = samples::answer("");
    EXPECT_EQ(nemo_row(&attempt, R"({"expected_answer": "B"})", {std::nullopt, false}),
              R"({"finish_reason": "stop", "generation": "", "expected_answer": "B", "predicted_answer": null, )"
              R"("symbolic_correct": false})");
}

TEST(NemoRow, AnUnscoredAttemptIsARowThatWasGivenUp) {
    Attempt attempt;
    attempt.reply = samples::failed(Outcome::timeout, "half an answer");
    EXPECT_EQ(nemo_row(&attempt, R"({"expected_answer": "B"})", {"B", true}),
              R"({"num_generated_tokens": 0, "error": "See detailed_error", "detailed_error": "timeout: the server's words", )"
              R"("generation": "", "expected_answer": "B", "predicted_answer": null, "symbolic_correct": false})");
    EXPECT_THAT(nemo_row(nullptr, R"({"expected_answer": "B"})", {}), HasSubstr(R"("detailed_error": "never sent")"));
}

TEST(NemoRows, ARunIsWrittenSeedBySeedAndReadBackAsItWas) {
    const TemporaryFolder folder;
    {
        RunWriter writer(folder.path("run"), samples::plan(), samples::info(), {});
        // Not in the order of the questions.
        writer.finished({10, 1}, 1, samples::answer("B!"), 5, 6.5);
        writer.finished({2, 0}, 1, samples::answer("A!"), 3, 4);
        writer.finished({10, 0}, 1, samples::failed(Outcome::dropped), 3, 4);
        writer.finished({2, 1}, 1, samples::reply(), 3, 4);
    }
    RunReader run(folder.path("run"));
    std::vector<AttemptKey> judged;
    const std::string second = R"({"expected_answer": "A", "subset_for_metrics": "Waves", "problem": "how"})";
    write_nemo_results(run, folder.path("run"), {2, 10}, {input, second}, [&](const Attempt& attempt) {
        judged.push_back(attempt.key);
        return NemoVerdict{attempt.reply.content.substr(0, 1), attempt.key.question == 1};
    });
    EXPECT_EQ(judged, (std::vector<AttemptKey>{{2, 0}, {2, 1}, {10, 1}}));

    const TemporaryFolder results;
    for (const char* name : {"output-rs2.jsonl", "output-rs10.jsonl"}) {
        results.write(name, read_file(folder.path("run") + "/" + name));
    }
    const Read back = read(results);
    EXPECT_EQ(back.error, "");
    EXPECT_THAT(back.contents.seeds, ElementsAre(2, 10));
    EXPECT_EQ(back.contents.rows, 2);
    ASSERT_EQ(back.rows.size(), 4U);
    EXPECT_EQ(back.rows[0].attempt.key, (AttemptKey{2, 0}));
    EXPECT_EQ(back.rows[0].attempt.reply.content, "A!");
    EXPECT_EQ(back.rows[0].expected_answer, "B");
    EXPECT_EQ(back.rows[0].subset, "Optics");
    EXPECT_EQ(back.rows[0].problem, "why\xc3\xa9\n\nA) x");
    EXPECT_TRUE(back.rows[0].judged);
    EXPECT_EQ(back.rows[0].predicted_answer, "A");
    EXPECT_EQ(back.rows[0].symbolic_correct, false);
    EXPECT_EQ(back.rows[1].attempt.reply.reasoning, samples::reply().reasoning);
    EXPECT_EQ(back.rows[1].attempt.reply.usage.completion_tokens, 4096);
    EXPECT_EQ(back.rows[1].attempt.reply.usage.reasoning_tokens, 4000);
    EXPECT_EQ(back.rows[1].attempt.reply.usage.prompt_tokens, 101);
    EXPECT_EQ(back.rows[2].attempt.reply.outcome, Outcome::server_error);
    EXPECT_EQ(back.rows[2].attempt.reply.error, "dropped: the server's words");
    EXPECT_EQ(back.rows[3].attempt.started_unix_s, 5);
    EXPECT_EQ(back.rows[3].attempt.reply.times.end_ms, 1500);
}

TEST(NemoImport, OutcomesComeFromFinishReasonAndText) {
    const auto outcome = [](const std::string& row) { return read_one(row).attempt.reply.outcome; };
    EXPECT_EQ(outcome(R"({"generation": "A", "finish_reason": "stop"})"), Outcome::complete);
    EXPECT_EQ(outcome(R"({"generation": "A"})"), Outcome::complete);
    EXPECT_EQ(outcome(R"({"generation": ""})"), Outcome::empty);
    EXPECT_EQ(outcome(R"({"generation": null})"), Outcome::empty);
    EXPECT_EQ(outcome(R"({"generation": "", "reasoning_content": "hm", "finish_reason": "stop"})"), Outcome::answer_in_reasoning);
    EXPECT_EQ(outcome(R"({"generation": "A", "finish_reason": "length"})"), Outcome::truncated);
    EXPECT_EQ(outcome(R"({"generation": "", "finish_reason": "length"})"), Outcome::truncated);
    EXPECT_EQ(outcome(R"({"generation": "", "finish_reason": "content_filter"})"), Outcome::filtered);
    EXPECT_EQ(outcome(R"({"generation": "x", "finish_reason": "abort"})"), Outcome::aborted);
    EXPECT_EQ(outcome(R"({"generation": "x", "error": null})"), Outcome::complete);
}

TEST(NemoImport, ARowThatWasGivenUpIsUnscoredWithItsWords) {
    const NemoRow row = read_one(
        R"({"num_generated_tokens": 0, "error": "context_window_exceeded", "detailed_error": "too long", "generation": "",)"
        R"( "predicted_answer": null, "symbolic_correct": false})");
    EXPECT_EQ(row.attempt.reply.outcome, Outcome::server_error);
    EXPECT_EQ(row.attempt.reply.error, "too long");
    EXPECT_FALSE(row.attempt.reply.usage.completion_tokens.has_value());
    EXPECT_EQ(read_one(R"({"error": "context_window_exceeded", "generation": ""})").attempt.reply.error,
              "context_window_exceeded");
}

TEST(NemoImport, ARowThatWasNotEvaluatedIsNotJudged) {
    const NemoRow row = read_one(R"({"generation": "A"})");
    EXPECT_FALSE(row.judged);
    EXPECT_FALSE(row.symbolic_correct.has_value());
    EXPECT_FALSE(row.expected_answer.has_value());
}

TEST(NemoImport, SeedsAreNumbersAndWhatIsNoResultIsSaid) {
    const TemporaryFolder folder;
    for (const char* name : {"output-rs10.jsonl", "output-rs2.jsonl", "output-rs0_chunk_1.jsonl", "output-rs3.jsonl-async",
                             "output-rs2.jsonl.done", "output-rs07.jsonl", "notes.txt"}) {
        folder.write(name, "{\"generation\": \"A\"}\n");
    }
    const Read all = read(folder);
    EXPECT_THAT(all.contents.seeds, ElementsAre(2, 10));
    EXPECT_THAT(all.contents.notes, ElementsAre(HasSubstr("output-rs07.jsonl is no output-rs<seed>.jsonl"),
                                                HasSubstr("output-rs0_chunk_1.jsonl is a part of another file"),
                                                HasSubstr("output-rs3.jsonl-async is of a generation that did not end")));
}

TEST(NemoImport, ALineThatIsNoRowIsNamedWithItsFileAndNumber) {
    const TemporaryFolder folder;
    const std::string good = "{\"generation\": \"A\"}\n";
    const std::string path = folder.path("output-rs0.jsonl");
    folder.write("output-rs0.jsonl", good + R"({"generation": "to)");
    EXPECT_THAT(read(folder).error, testing::StartsWith("'" + path + "', line 2: expected a JSON object"));
    EXPECT_THAT(read(folder).error, HasSubstr("may have been cut short"));
    folder.write("output-rs0.jsonl", good + good + "\n" + good);
    EXPECT_THAT(read(folder).error, HasSubstr("line 3: expected a JSON object"));
    folder.write("output-rs0.jsonl", "[1]\n");
    EXPECT_THAT(read(folder).error, HasSubstr("line 1: expected a JSON object"));
    folder.write("output-rs0.jsonl", "{\"x\": 1}\n");
    EXPECT_THAT(read(folder).error, HasSubstr("found none of 'generation'"));
    folder.write("output-rs0.jsonl", "{\"generation\": 5}\n");
    EXPECT_THAT(read(folder).error, HasSubstr("line 1: 'generation' has an unexpected type"));
    folder.write("output-rs0.jsonl", "");
    EXPECT_THAT(read(folder).error, HasSubstr("is empty"));
}

// Files are read by the MiB.
TEST(NemoImport, LinesMayBeLongerThanABlockAndLieAcrossItsEnd) {
    const TemporaryFolder folder;
    std::vector<std::string> texts;
    for (const std::size_t length : {10, 1'048'500, 100, 3'000'000, 0, 1'048'576, 5}) texts.emplace_back(length, static_cast<char>('a' + texts.size()));
    std::string file;
    for (const auto& text : texts) file += R"({"generation": ")" + text + "\"}\n";
    for (int seed = 0; seed < 2; ++seed) {
        if (seed == 1) file.pop_back();  // the last line feed may be missing
        folder.write("output-rs" + std::to_string(seed) + ".jsonl", file);
    }
    const Read all = read(folder);
    ASSERT_EQ(all.error, "");
    ASSERT_EQ(all.rows.size(), 14U);
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        EXPECT_EQ(all.rows[i].attempt.reply.content == texts[i % 7], true) << i;
        EXPECT_EQ(all.rows[i].attempt.key.question, static_cast<int>(i % 7));
        EXPECT_EQ(all.rows[i].attempt.key.seed, static_cast<int>(i / 7));
    }
    folder.write("output-rs1.jsonl", file.substr(0, file.size() - 3));
    EXPECT_THAT(read(folder).error, HasSubstr("output-rs1.jsonl', line 7: expected a JSON object"));
    EXPECT_THAT(read(folder).error, HasSubstr("may have been cut short"));
}

TEST(NemoImport, FilesThatDoNotBelongTogetherAreRefused) {
    const TemporaryFolder folder;
    const auto row = [](const char* problem) { return std::string(R"({"generation": "A", "problem": ")") + problem + "\"}\n"; };
    folder.write("output-rs0.jsonl", row("p") + row("q"));
    folder.write("output-rs1.jsonl", row("p"));
    EXPECT_THAT(read(folder).error, HasSubstr("output-rs1.jsonl' ends after line 1, where output-rs0.jsonl has 2 lines"));
    folder.write("output-rs1.jsonl", row("q") + row("p"));
    EXPECT_THAT(read(folder).error, HasSubstr("output-rs1.jsonl', line 1: its problem or expected_answer is not the one"));
    folder.write("output-rs1.jsonl", row("p") + row("q"));
    EXPECT_EQ(read(folder).error, "");
    folder.write("output.jsonl", row("p"));
    EXPECT_THAT(read(folder).error, HasSubstr("holds both output.jsonl and output-rs*.jsonl"));
}

TEST(NemoImport, AFolderWithoutResultsIsRefused) {
    const TemporaryFolder folder;
    EXPECT_THAT(read(folder).error, HasSubstr("there are no results in"));
    EXPECT_THROW(read_nemo_results("/nowhere", [](NemoRow) {}), assay::Error);
}

}  // namespace
