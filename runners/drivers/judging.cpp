#include "runners/drivers/judging.hpp"

#include <xxhash.h>

#include <algorithm>

#include "scorers/multichoice/judge.hpp"

namespace assay::runners {
namespace {

statistics::CellState state_of(chat::Outcome outcome) {
    switch (outcome) {
        case chat::Outcome::complete: return statistics::CellState::complete;
        case chat::Outcome::truncated: return statistics::CellState::truncated;
        case chat::Outcome::answer_in_reasoning: return statistics::CellState::answer_in_reasoning;
        case chat::Outcome::empty: return statistics::CellState::empty;
        case chat::Outcome::filtered: return statistics::CellState::filtered;
        default: return statistics::CellState::unscored;
    }
}

std::string_view tail(std::string_view text) {
    if (text.size() <= graded_reasoning_bytes) return text;
    std::size_t begin = text.size() - graded_reasoning_bytes;
    while (begin < text.size() && (static_cast<unsigned char>(text[begin]) & 0xc0U) == 0x80U) ++begin;
    return text.substr(begin);
}

// What the extractor reads; null data where the reply carries no answer.
std::string_view graded_text(const chat::Reply& reply, const Grading& grading) {
    if (reply.outcome == chat::Outcome::complete || reply.outcome == chat::Outcome::truncated) return reply.content;
    if (reply.outcome == chat::Outcome::answer_in_reasoning && grading.reasoning) return tail(reply.reasoning);
    return {};
}

std::uint64_t digest_of(const chat::Reply& reply) {
    if (reply.reasoning.empty() && reply.content.empty()) return 0;
    const std::uint64_t thought = XXH3_64bits(reply.reasoning.data(), reply.reasoning.size());
    return XXH3_64bits_withSeed(reply.content.data(), reply.content.size(), thought) | 1U;
}

}  // namespace

statistics::Cell unscored_cell(chat::Outcome outcome) {
    statistics::Cell cell;
    cell.state = statistics::CellState::unscored;
    cell.why = chat::to_string(outcome);
    return cell;
}

statistics::Cell judged_cell(const runs::Attempt& attempt, const questions::Question& question, const multichoice::Extractor& extractor,
                             const Grading& grading) {
    const chat::Reply& reply = attempt.reply;
    if (!chat::is_scored(reply.outcome)) return unscored_cell(reply.outcome);
    statistics::Cell cell;
    cell.state = state_of(reply.outcome);
    cell.completion_tokens = reply.usage.completion_tokens;
    cell.reasoning_tokens = reply.usage.reasoning_tokens;
    cell.answer_begun = !reply.content.empty();
    cell.digest = digest_of(reply);
    if (const std::string_view text = graded_text(reply, grading); text.data() != nullptr) {
        const multichoice::Options options{question.choices};
        auto verdict = multichoice::judge(extractor, text, options, questions::correct_letter(question));
        cell.prediction = std::move(verdict.prediction);
        cell.correct = verdict.correct;
    }
    return cell;
}

statistics::SeedTable empty_table(const questions::QuestionSet& set, const std::vector<int>& seeds) {
    statistics::SeedTable table;
    table.seeds = seeds;
    for (const questions::Question& question : set.questions) {
        table.questions.push_back(question.number);
        table.domains.push_back(question.domain);
        table.subdomains.push_back(question.subdomain);
    }
    table.cells.resize(table.rows() * table.columns());
    return table;
}

statistics::Cell* cell_at(statistics::SeedTable& table, const runs::AttemptKey& key) {
    const auto row = std::lower_bound(table.questions.begin(), table.questions.end(), key.question);
    const auto column = std::lower_bound(table.seeds.begin(), table.seeds.end(), key.seed);
    if (row == table.questions.end() || *row != key.question || column == table.seeds.end() || *column != key.seed) return nullptr;
    return &table.cell(static_cast<std::size_t>(row - table.questions.begin()), static_cast<std::size_t>(column - table.seeds.begin()));
}

}  // namespace assay::runners
