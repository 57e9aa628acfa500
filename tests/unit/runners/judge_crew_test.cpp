// Judging on many threads: what comes of it is what one thread makes of it, byte for byte.
#include "runners/drivers/judge_crew.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "reports/rescore/rescore_report.hpp"
#include "runners/drivers/judged_tables.hpp"
#include "runners/drivers/pairing.hpp"

namespace assay::runners {
namespace {

constexpr int question_count = 40;
constexpr int seed_count = 6;

questions::QuestionSet some_questions() {
    questions::QuestionSet set;
    for (int number = 0; number < question_count; ++number) {
        questions::Question question;
        question.number = number;
        question.text = question.problem = fmt::format("question {}", number);
        question.choices = {"one", "two", "three", "four"};
        question.correct = number % 4;
        question.domain = number % 2 == 0 ? "Physics" : "Biology";
        set.questions.push_back(std::move(question));
    }
    set.rows = question_count;
    return set;
}

// Of every outcome, from a few bytes to a good part of what is handed over at once, ended in ways that extractors read differently.
std::vector<runs::Attempt> some_attempts() {
    static constexpr const char* endings[]{"Answer: A", "Answer: **B**", "\\boxed{C}", "so (D) it is", "The answer is B.", "ANSWER: c", ""};
    static constexpr std::size_t lengths[]{0, 30, 2'000, 20'000, 400'000};
    std::mt19937 random(7);
    std::vector<runs::Attempt> attempts;
    for (int seed = 0; seed < seed_count; ++seed) {
        for (int question = 0; question < question_count; ++question) {
            runs::Attempt attempt;
            attempt.key = {seed, question};
            attempt.tries = 1;
            attempt.reply.outcome = static_cast<chat::Outcome>(random() % chat::outcome_count);
            std::string text(lengths[random() % 24 == 0 ? 4 : random() % 4], 'x');
            for (std::size_t at = 50; at < text.size(); at += 50 + random() % 50) text[at] = ' ';
            text += endings[random() % 7];
            (random() % 5 == 0 ? attempt.reply.reasoning : attempt.reply.content) = std::move(text);
            attempt.reply.usage.completion_tokens = static_cast<std::int64_t>(random() % 1000);
            attempts.push_back(std::move(attempt));
        }
    }
    std::shuffle(attempts.begin(), attempts.end(), random);
    return attempts;
}

std::vector<const multichoice::Extractor*> every_extractor() {
    std::vector<const multichoice::Extractor*> all;
    for (const multichoice::Extractor& extractor : multichoice::extractors()) all.push_back(&extractor);
    return all;
}

RejudgedRun judged_by(int threads) {
    RejudgedRun run;
    run.set = some_questions();
    run.extractors = every_extractor();
    run.header.run = "run";
    JudgeCrew crew(run.extractors, {.reasoning = true}, threads);
    for (runs::Attempt& attempt : some_attempts()) {
        const auto question = static_cast<std::size_t>(attempt.key.question);
        crew.add(std::move(attempt), run.set.questions[question]);
    }
    run.tables = tables_of(run.set, {0, 1, 2, 3, 4, 5}, crew.finish(), run.extractors.size());
    return run;
}

// All that a cell holds, and all that rescore prints.
std::string everything(const RejudgedRun& run) {
    reports::RescoreReport report{run.header, {}, run.tables, {}, {}, true};
    for (const auto* extractor : run.extractors) report.extractors.emplace_back(extractor->name);
    for (const auto& question : run.set.questions) {
        report.correct_letters.push_back(questions::correct_letter(question));
        report.record_ids.push_back("");
    }
    std::string out = reports::rescore_text(report, {}) + reports::rescore_json(report) + reports::rescore_lines(report);
    for (const statistics::SeedTable& table : run.tables) {
        for (const statistics::Cell& cell : table.cells) {
            out += fmt::format("{} {} {} {} {} {}\n", static_cast<int>(cell.state), cell.why, cell.completion_tokens.value_or(-1), cell.answer_begun,
                               cell.digest, cell.prediction.value_or("-"));
        }
    }
    return out;
}

TEST(JudgeCrew, OfManyThreadsGivesWhatOneThreadGives) {
    const std::string one = everything(judged_by(1));
    EXPECT_GT(one.size(), 100'000U);
    for (const int threads : {2, 7}) EXPECT_EQ(everything(judged_by(threads)) == one, true) << threads << " threads";
}

TEST(JudgeCrew, GivesWhatJudgingOneByOneGives) {
    const RejudgedRun run = judged_by(4);
    for (const runs::Attempt& attempt : some_attempts()) {
        const auto& question = run.set.questions[static_cast<std::size_t>(attempt.key.question)];
        for (std::size_t i = 0; i < run.extractors.size(); ++i) {
            const statistics::Cell expected = judged_cell(attempt, question, *run.extractors[i], {.reasoning = true});
            const statistics::Cell& cell = run.tables[i].cell(static_cast<std::size_t>(attempt.key.question), static_cast<std::size_t>(attempt.key.seed));
            ASSERT_EQ(cell.prediction, expected.prediction) << run.extractors[i]->name;
            ASSERT_EQ(cell.state, expected.state);
            ASSERT_EQ(cell.correct, expected.correct);
        }
    }
}

TEST(Pairing, OfRunsThatManyThreadsJudgedIsTheOneOfRunsThatOneJudged) {
    const auto paired = [](int threads_a, int threads_b) {
        RejudgedRun a = judged_by(threads_a);
        RejudgedRun b = judged_by(threads_b);
        std::reverse(b.set.questions.begin(), b.set.questions.end());
        b.set.questions.pop_back();
        const Pairing pairing = pair_questions(a, b);
        std::string out;
        std::vector<std::size_t> rows_a;
        for (const auto& [row_a, row_b] : pairing.rows) {
            out += fmt::format("{} {}\n", row_a, row_b);
            rows_a.push_back(row_a);
        }
        for (const auto& difference : pairing.differences) out += difference + "\n";
        for (const auto& note : pairing.notes) out += note + "\n";
        a.tables = {rows_of(a.tables.front(), rows_a)};
        a.extractors.resize(1);
        a.set.questions.resize(rows_a.size());
        return out + everything(a);
    };
    const std::string one = paired(1, 1);
    EXPECT_NE(one.find("38 1\n"), std::string::npos);
    EXPECT_EQ(paired(8, 3) == one, true);
}

}  // namespace
}  // namespace assay::runners
