#include <nlohmann/json.hpp>

#include "reports/rescore/rescore_report.hpp"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string line(int question, int seed, const std::string& extractor, const statistics::Cell& cell) {
    Json out = {{"question", question}, {"seed", seed}, {"extractor", extractor}, {"letter", nullptr}, {"correct", nullptr}};
    if (cell.prediction) out["letter"] = *cell.prediction;
    if (cell.scored()) out["correct"] = cell.correct;
    else out["unscored"] = cell.why;
    return out.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string rescore_lines(const RescoreReport& report) {
    const statistics::SeedTable& first = report.tables[0];
    std::string out;
    for (std::size_t column = 0; column < first.columns(); ++column) {
        for (std::size_t row = 0; row < first.rows(); ++row) {
            if (first.cell(row, column).state == statistics::CellState::missing) continue;
            for (std::size_t i = 0; i < report.tables.size(); ++i) {
                out += line(first.questions[row], first.seeds[column], report.extractors[i], report.tables[i].cell(row, column));
            }
        }
    }
    return out;
}

}  // namespace assay::reports
