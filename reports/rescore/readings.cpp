#include "reports/rescore/readings.hpp"

#include "scorers/statistics/counts.hpp"

namespace assay::reports {

Against against(const statistics::SeedTable& these, const statistics::SeedTable& others) {
    Against out;
    for (std::size_t i = 0; i < these.cells.size(); ++i) {
        const statistics::Cell& a = these.cells[i];
        const statistics::Cell& b = others.cells[i];
        if (!a.scored()) continue;
        out.differ += a.prediction != b.prediction ? 1 : 0;
        out.gained += a.correct && !b.correct ? 1 : 0;
        out.lost += b.correct && !a.correct ? 1 : 0;
    }
    return out;
}

statistics::Counts counts_of(const statistics::SeedTable& table) {
    statistics::Counts counts;
    for (const statistics::Cell& cell : table.cells) statistics::count(counts, cell);
    return counts;
}

}  // namespace assay::reports
