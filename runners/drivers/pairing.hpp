// Pairing: which questions of two runs are the same, and what forbids comparing the runs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runners/drivers/judged_run.hpp"

namespace assay::runners {

struct Pairing {
    // Why a difference of the scores would not be the systems' own, one line each: other questions, another choice order,
    // prompt or extractor. Empty: the runs can be compared.
    std::vector<std::string> differences;
    bool same_order = true;                              // of choices, in all rows: letters mean the same in both
    bool same_questions = false;                         // as many, and the same ones in the same order
    std::vector<std::pair<std::size_t, std::size_t>> rows;  // of A and B; questions that both hold, in A's order
    std::vector<std::string> notes;                      // what differs and is no obstacle, and what could not be checked
};

[[nodiscard]] Pairing pair_questions(const RejudgedRun& a, const RejudgedRun& b);

// The table's given rows, in that order.
[[nodiscard]] statistics::SeedTable rows_of(const statistics::SeedTable& table, const std::vector<std::size_t>& rows);

// The table without that seed.
[[nodiscard]] statistics::SeedTable without_seed(const statistics::SeedTable& table, int seed);

}  // namespace assay::runners
