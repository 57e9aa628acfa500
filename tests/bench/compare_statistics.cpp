// Times all statistics of a comparison of two runs: both summaries, the comparison with its exact tests, and the gate.
//   bench_compare_statistics A.txt B.txt [REPEATS]
// Each file holds a line a question, a digit 1 (right) or 0 (wrong) a seed. Prints the median time in milliseconds, and the figures
// that the script beside this one computes too.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "scorers/statistics/gate.hpp"
#include "scorers/statistics/run_comparison.hpp"
#include "scorers/statistics/summary.hpp"

namespace {

using namespace assay::statistics;

SeedTable read_table(const char* path) {
    SeedTable table;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        table.questions.push_back(static_cast<int>(table.questions.size()));
        table.domains.push_back("domain " + std::to_string(table.questions.size() % 3));
        table.subdomains.emplace_back();
        for (const char c : line) {
            Cell cell;
            cell.state = CellState::complete;
            cell.correct = c == '1';
            cell.prediction = cell.correct ? "A" : "B";
            table.cells.push_back(std::move(cell));
        }
    }
    for (std::size_t s = 0; s < table.cells.size() / std::max<std::size_t>(1, table.rows()); ++s) table.seeds.push_back(static_cast<int>(s));
    return table;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        fmt::print(stderr, "usage: bench_compare_statistics A.txt B.txt [REPEATS]\n");
        return 2;
    }
    const SeedTable a = read_table(argv[1]);
    const SeedTable b = read_table(argv[2]);
    const int repeats = argc > 3 ? std::max(1, std::atoi(argv[3])) : 15;
    std::vector<double> milliseconds;
    for (int i = 0; i < repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        const Summary summary_a = summarize(a);
        const Summary summary_b = summarize(b);
        const auto comparison = compare_runs(a, b);
        const auto verdict = gate_with_unscored(a, b, 0.02);
        milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        if (i > 0) continue;
        fmt::print("{{\"difference\": {}, \"sign_flip_p\": {}, \"within_p\": {}, \"flips_p\": {}, \"letters_p\": {}, \"lower\": {}, \"scores\": [{}, {}]",
                   comparison->difference, comparison->sign_flip.p_two_sided, comparison->within->p_two_sided, comparison->flips_p.value_or(-1),
                   comparison->letters ? comparison->letters->p.value_or(-1) : -1, verdict->lower, *summary_a.pass_at_1, *summary_b.pass_at_1);
    }
    std::nth_element(milliseconds.begin(), milliseconds.begin() + repeats / 2, milliseconds.end());
    fmt::print(", \"ms\": {}}}\n", milliseconds[static_cast<std::size_t>(repeats / 2)]);
    return 0;
}
