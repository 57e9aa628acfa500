#include "scorers/statistics/seed_agreement.hpp"

#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scorers/statistics/columns.hpp"
#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics {
namespace {

void add_agreement(SeedAgreement& out, const SeedTable& table, const std::vector<std::size_t>& columns) {
    const auto seeds = static_cast<std::int64_t>(columns.size());
    const std::vector<std::int64_t> by_question = correct_by_question_of(table, columns);
    out.agreement = agreement(by_question, seeds);
    out.cochran = cochran_q(by_question, correct_by_seed_of(table, columns));
    if (out.cochran) out.p_as_alike = 1 - chi_squared_upper(out.cochran->q, out.cochran->degrees);
    // Where no question is unstable the likelihood has its maximum at a = b = 0, which describes nothing.
    if (out.agreement->flip_rate > 0) out.difficulty = fit_beta_binomial(by_question, seeds);
}

// Each copy is paired with the first seed that gave its text, so that many equal seeds do not cost their square.
void add_copies(SeedAgreement& out, const SeedTable& table) {
    std::map<std::pair<std::size_t, std::size_t>, std::int64_t> pairs;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        std::unordered_map<std::uint64_t, std::size_t> first;
        for (std::size_t column = 0; column < table.columns(); ++column) {
            const Cell& cell = table.cell(row, column);
            if (cell.digest == 0 || !cell.scored()) continue;
            ++out.texts;
            const auto [known, is_new] = first.emplace(cell.digest, column);
            if (is_new) continue;
            ++out.copies;
            ++pairs[{known->second, column}];
        }
    }
    std::pair<std::size_t, std::size_t> best;
    std::int64_t most = 0;
    for (const auto& [pair, same] : pairs) {
        if (same > most) std::tie(best, most) = std::tie(pair, same);
    }
    if (most == 0) return;
    CopiedSeeds alike{table.seeds[best.first], table.seeds[best.second], most, 0};
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const bool both = table.cell(row, best.first).digest != 0 && table.cell(row, best.second).digest != 0;
        alike.of += both ? 1 : 0;
    }
    out.most_alike = alike;
}

}  // namespace

SeedAgreement seed_agreement(const SeedTable& table, const std::optional<int>& greedy_seed) {
    SeedAgreement out;
    const std::vector<std::size_t> columns = columns_without(table, greedy_seed);
    out.sampled_seeds = static_cast<int>(columns.size());
    if (columns.size() >= 2 && table.rows() >= 2 && every_cell_scored(table)) add_agreement(out, table, columns);
    add_copies(out, table);
    return out;
}

}  // namespace assay::statistics
