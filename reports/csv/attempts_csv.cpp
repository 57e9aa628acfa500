#include "reports/csv/attempts_csv.hpp"

#include <fmt/format.h>

#include <cassert>
#include <optional>

#include "reports/csv/field.hpp"

namespace assay::reports {
namespace {

constexpr std::string_view names =
    "run,simulated,model,extractor,question,record_id,domain,subdomain,seed,greedy,state,outcome,answer,key,correct,completion_tokens,reasoning_tokens\n";

std::string number(const std::optional<std::int64_t>& value) { return value ? fmt::format("{}", *value) : std::string(); }

const char* yes(bool is) { return is ? "yes" : "no"; }

}  // namespace

std::string attempts_csv(const RunHeader& header, const statistics::SeedTable& table, const std::vector<AskedQuestion>& questions) {
    assert(questions.size() == table.rows());
    const std::string run = fmt::format("{},{},{},{}", csv_field(header.run), csv_field(header.plan.simulated), csv_field(header.plan.model),
                                        csv_field(header.extractor));
    std::string lines(names);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const std::string question = fmt::format("{},{},{},{}", table.questions[row], csv_field(questions[row].record_id),
                                                 csv_field(table.domains[row]), csv_field(table.subdomains[row]));
        for (std::size_t column = 0; column < table.columns(); ++column) {
            const statistics::Cell& cell = table.cell(row, column);
            const int seed = table.seeds[column];
            lines += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", run, question, seed, yes(header.plan.sampling.greedy_seed == seed),
                                 to_string(cell.state), csv_field(cell.why), csv_field(cell.prediction.value_or("")), questions[row].key,
                                 cell.scored() ? yes(cell.correct) : "", number(cell.completion_tokens), number(cell.reasoning_tokens));
        }
    }
    return lines;
}

}  // namespace assay::reports
