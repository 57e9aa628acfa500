#include "runners/drivers/judging.hpp"

#include <algorithm>
#include <map>

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

bool carries_an_answer(statistics::CellState state) {
    return state == statistics::CellState::complete || state == statistics::CellState::truncated;
}

}  // namespace

statistics::Cell judged_cell(const runs::Attempt& attempt, const questions::Question& question, const multichoice::Extractor& extractor) {
    const chat::Reply& reply = attempt.reply;
    statistics::Cell cell;
    cell.state = state_of(reply.outcome);
    if (!cell.scored()) {
        cell.why = chat::to_string(reply.outcome);
        return cell;
    }
    cell.completion_tokens = reply.usage.completion_tokens;
    cell.reasoning_tokens = reply.usage.reasoning_tokens;
    if (carries_an_answer(cell.state)) {
        const multichoice::Options options{question.choices};
        auto verdict = multichoice::judge(extractor, reply.content, options, questions::correct_letter(question));
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

statistics::SeedTable judged_table(runs::RunReader& run, const questions::QuestionSet& set, const std::vector<int>& seeds,
                                   const multichoice::Extractor& extractor) {
    statistics::SeedTable table = empty_table(set, seeds);
    std::map<int, std::size_t> row_of;
    for (std::size_t row = 0; row < table.rows(); ++row) row_of.emplace(table.questions[row], row);
    run.for_each([&](const runs::Attempt& attempt) {
        const auto row = row_of.find(attempt.key.question);
        const auto column = std::lower_bound(seeds.begin(), seeds.end(), attempt.key.seed);
        if (row == row_of.end() || column == seeds.end() || *column != attempt.key.seed) return;
        table.cell(row->second, static_cast<std::size_t>(column - seeds.begin())) =
            judged_cell(attempt, set.questions[row->second], extractor);
    });
    return table;
}

}  // namespace assay::runners
