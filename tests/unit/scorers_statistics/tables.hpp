// Tables for tests, written as rows of characters.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scorers/statistics/seed_table.hpp"

namespace assay::statistics::tables {

// '1' right, '0' wrong, 't' cut without a letter, 'T' cut with the right one, 'w' cut with a wrong one, 'e' empty,
// 'u' unscored, '.' missing. Seeds and questions are numbered from 0.
inline SeedTable of(const std::vector<std::string>& rows) {
    SeedTable table;
    for (std::size_t s = 0; s < rows.front().size(); ++s) table.seeds.push_back(static_cast<int>(s));
    for (std::size_t q = 0; q < rows.size(); ++q) table.questions.push_back(static_cast<int>(q));
    table.domains.resize(rows.size());
    table.subdomains.resize(rows.size());
    for (const std::string& row : rows) {
        for (const char c : row) {
            Cell cell;
            const bool cut = c == 't' || c == 'T' || c == 'w';
            cell.state = c == '.' ? CellState::missing : c == 'u' ? CellState::unscored : c == 'e' ? CellState::empty : cut ? CellState::truncated : CellState::complete;
            cell.correct = c == '1' || c == 'T';
            if (cell.correct || c == '0' || c == 'w') cell.prediction = cell.correct ? "A" : "B";
            cell.answer_begun = c == 'T' || c == 'w' || c == '1' || c == '0';
            table.cells.push_back(std::move(cell));
        }
    }
    return table;
}

inline std::vector<std::string> fixture_rows(const char* name) {
    const auto file = nlohmann::json::parse(std::ifstream(ASSAY_TEST_DATA "/statistics_golden.json"));
    return file["fixtures"][name].get<std::vector<std::string>>();
}

inline nlohmann::json expected(const char* id) {
    const auto file = nlohmann::json::parse(std::ifstream(ASSAY_TEST_DATA "/statistics_golden.json"));
    for (const auto& c : file["cases"]) {
        if (c["id"] == id) return c["expect"];
    }
    return {};
}

}  // namespace assay::statistics::tables
