#include <fmt/format.h>

#include <cmath>

#include "reports/rescore/readings.hpp"
#include "reports/rescore/rescore_report.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/table.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"
#include "scorers/statistics/disagreements.hpp"

namespace assay::reports {
namespace {

std::string head(const RescoreReport& report, const statistics::Counts& c, const Look& look) {
    const std::string name = report.header.plan.dataset_name.empty() ? report.header.run : report.header.plan.dataset_name;
    std::string words = fmt::format("   {} x {}, {} scored", counted(static_cast<std::int64_t>(report.tables[0].rows()), "question"),
                                    counted(static_cast<std::int64_t>(report.tables[0].columns()), "seed"), thousands(c.scored));
    if (c.unscored > 0) words += ", " + thousands(c.unscored) + " unscored";
    if (c.missing > 0) words += ", " + thousands(c.missing) + " not tried";
    std::string out;
    if (!report.header.plan.simulated.empty()) out += wrapped("SIMULATED", "   a simulated endpoint answered, not a model", look.width, 4);
    out += wrapped(visible(name), words, look.width, 4);
    const std::string& protocol = report.header.plan.protocol;
    return out + wrapped("", fmt::format("run {}   from {}{}   no calls were made", visible(report.header.run), report.header.source,
                                         protocol.empty() ? "" : "   protocol " + visible(protocol)), look.width, 4);
}

Table scores(const RescoreReport& report) {
    Table table;
    table.column("extractor", Align::left).column("score").column("correct").column("no answer");
    table.column("read differently").column("gained").column("lost");
    for (std::size_t i = 0; i < report.tables.size(); ++i) {
        const statistics::Counts c = counts_of(report.tables[i]);
        const Against other = against(report.tables[i], report.tables[0]);
        std::vector<std::string> cells{report.extractors[i], c.score() ? percent(*c.score()) + " %" : "-",
                                       fmt::format("{} / {}", thousands(c.correct), thousands(c.scored)), thousands(c.no_answer)};
        if (i == 0) cells.insert(cells.end(), {"-", "-", "-"});
        else cells.insert(cells.end(), {thousands(other.differ), thousands(other.gained), thousands(other.lost)});
        table.row(std::move(cells));
    }
    return table;
}

// On how many attempts each two of them differ.
Table differing(const RescoreReport& report) {
    Table table;
    table.column("read differently", Align::left);
    for (const std::string& name : report.extractors) table.column(name);
    for (std::size_t row = 0; row < report.tables.size(); ++row) {
        std::vector<std::string> cells{report.extractors[row]};
        for (std::size_t column = 0; column < report.tables.size(); ++column) {
            cells.push_back(row == column ? "-" : thousands(against(report.tables[row], report.tables[column]).differ));
        }
        table.row(std::move(cells));
    }
    return table;
}

Table disagreeing(const RescoreReport& report, const std::vector<std::size_t>& cells) {
    Table table;
    const statistics::SeedTable& first = report.tables[0];
    table.column("question").column("seed").column("right");
    for (const std::string& name : report.extractors) table.column(name, Align::left);
    for (const std::size_t cell : cells) {
        const std::size_t row = cell / first.columns();
        std::vector<std::string> line{fmt::format("{}", first.questions[row]), fmt::format("{}", first.seeds[cell % first.columns()]),
                                      std::string(1, report.correct_letters[row])};
        for (const statistics::SeedTable& one : report.tables) line.push_back(one.cells[cell].prediction.value_or("-"));
        table.row(std::move(line));
    }
    return table;
}

}  // namespace

std::string rescore_text(const RescoreReport& report, const Look& look) {
    const statistics::Counts c = counts_of(report.tables[0]);
    std::string out = head(report, c, look) + "\n" + scores(report).text(look);
    if (report.tables.size() > 1) {
        out += wrapped("", fmt::format("read differently, gained and lost: attempts, compared with {}", report.extractors[0]), look.width, 0);
        if (report.tables.size() > 2) out += "\n" + differing(report).text(look);
        const std::vector<std::size_t> cells = statistics::disagreements(report.tables);
        out += "\n";
        if (c.scored == 0) out += "no attempt is scored\n";
        else if (cells.empty()) out += "every scored attempt is read the same by all of them\n";
        else out += wrapped("", fmt::format("{} of {} scored attempts are not read the same by all of them ('-': no answer)", thousands(std::ssize(cells)),
                                            thousands(c.scored)), look.width, 0) + disagreeing(report, cells).text(look);
    }
    std::string notes;
    for (const std::string& note : report.header.notes) notes += wrapped("note: ", visible(note), look.width, 6);
    return notes.empty() ? out : out + "\n" + notes;
}

}  // namespace assay::reports
