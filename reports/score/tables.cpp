#include <fmt/format.h>

#include <cmath>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

std::string score_cell(const statistics::Counts& c) {
    const std::optional<double> score = c.score();
    return score ? percent(*score) + " %" : "-";
}

std::string correct_cell(const statistics::Counts& c) {
    return fmt::format("{} / {}", thousands(c.correct), thousands(c.scored));
}

std::string tokens_cell(const statistics::Counts& c) {
    if (c.tokens_known == 0) return "-";
    return thousands(std::llround(static_cast<double>(c.completion_tokens) / static_cast<double>(c.tokens_known)));
}

// Kinds of cells that most runs have none of: a column only where there is one.
struct Rare {
    const char* header;
    std::int64_t statistics::Counts::* count;
};
constexpr Rare rare_kinds[] = {{"in reasoning", &statistics::Counts::answer_in_reasoning},
                               {"filtered", &statistics::Counts::filtered},
                               {"unscored", &statistics::Counts::unscored},
                               {"not tried", &statistics::Counts::missing}};

void add_rare_columns(Table& table, const statistics::Counts& total) {
    for (const Rare& kind : rare_kinds)
        if (total.*kind.count > 0) table.column(kind.header);
}

void add_rare_cells(std::vector<std::string>& cells, const statistics::Counts& total,
                    const statistics::Counts& counts) {
    for (const Rare& kind : rare_kinds)
        if (total.*kind.count > 0) cells.push_back(thousands(counts.*kind.count));
}

}  // namespace

Table seed_table(const statistics::Summary& s) {
    Table table;
    table.column("seed").column("score").column("correct").column("no answer").column("truncated");
    if (s.total.truncated > 0) table.column("rate");
    table.column("empty");
    add_rare_columns(table, s.total);
    table.column("tokens/reply");
    for (const statistics::SeedRow& row : s.per_seed) {
        const statistics::Counts& c = row.counts;
        std::vector<std::string> cells{fmt::format("{}", row.seed), score_cell(c),          correct_cell(c),
                                       thousands(c.no_answer),      thousands(c.truncated)};
        if (s.total.truncated > 0) cells.push_back(share(c.truncated, c.scored));
        cells.push_back(thousands(c.empty));
        add_rare_cells(cells, s.total, c);
        cells.push_back(tokens_cell(c));
        table.row(std::move(cells));
    }
    return table;
}

Table group_table(const std::string& title, const std::vector<statistics::GroupRow>& rows) {
    statistics::Counts total;
    for (const statistics::GroupRow& row : rows)
        for (const Rare& kind : rare_kinds) total.*kind.count += row.counts.*kind.count;

    Table table;
    table.column(title, Align::left)
        .column("questions")
        .column("score")
        .column("95 % CI")
        .column("correct")
        .column("no answer")
        .column("truncated");
    add_rare_columns(table, total);
    for (const statistics::GroupRow& row : rows) {
        const std::string interval = row.over_questions ? fmt::format("{} - {}", percent(row.over_questions->low, 1),
                                                                      percent(row.over_questions->high, 1))
                                                        : "-";
        std::vector<std::string> cells{row.name.empty() ? "(none)" : row.name,
                                       thousands(row.questions),
                                       score_cell(row.counts),
                                       interval,
                                       correct_cell(row.counts),
                                       thousands(row.counts.no_answer),
                                       thousands(row.counts.truncated)};
        add_rare_cells(cells, total, row.counts);
        table.row(std::move(cells));
    }
    return table;
}

}  // namespace assay::reports
