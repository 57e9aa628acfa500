#include "runners/drivers/judged_tables.hpp"

#include <algorithm>
#include <thread>

namespace assay::runners {

int judging_threads() { return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 16U)); }

std::vector<statistics::SeedTable> tables_of(const questions::QuestionSet& set, const std::vector<int>& seeds,
                                             std::vector<JudgedAttempt> attempts, std::size_t extractors) {
    std::vector<statistics::SeedTable> tables(extractors, empty_table(set, seeds));
    for (JudgedAttempt& attempt : attempts) put(tables, std::move(attempt));
    return tables;
}

void put(std::vector<statistics::SeedTable>& tables, JudgedAttempt attempt) {
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (statistics::Cell* cell = cell_at(tables[i], attempt.key)) *cell = std::move(attempt.cells[i]);
    }
}

}  // namespace assay::runners
