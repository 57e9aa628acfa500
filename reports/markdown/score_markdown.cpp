#include "reports/markdown/score_markdown.hpp"

#include <fmt/format.h>

#include "reports/markdown/escape.hpp"
#include "reports/score/score_content.hpp"

namespace assay::reports {
namespace {

std::string facts_table(const std::vector<Fact>& facts) {
    if (facts.empty()) return "";
    std::string out = "\n| | | |\n|:--|--:|:--|\n";
    for (const Fact& fact : facts) {
        const char* strong = fact.tint == Tint::bold ? "**" : "";
        out += "| ";
        if (fact.detail) out += "&nbsp;&nbsp;";
        out += strong + markdown_escaped(fact.label) + strong + " | " + strong + markdown_escaped(fact.value) + strong +
               " | " + markdown_escaped(fact.words) + " |\n";
    }
    return out;
}

std::string table(const Table& table) {
    if (table.empty()) return "";
    std::string out = "\n|";
    for (const Table::Column& column : table.columns()) out += " " + markdown_escaped(column.header) + " |";
    out += "\n|";
    for (const Table::Column& column : table.columns()) out += column.align == Align::right ? "--:|" : ":--|";
    out += "\n";
    for (const Table::Row& row : table.rows()) {
        out += "|";
        for (const std::string& cell : row.cells) out += " " + markdown_escaped(cell) + " |";
        out += "\n";
    }
    return out;
}

}  // namespace

std::string score_markdown(const RunHeader& header, const statistics::Summary& summary, const Detail& detail) {
    const ScoreContent content = score_content(header, summary, detail);
    std::string out = "## ";
    if (!content.simulated.empty()) out += "SIMULATED: ";
    out += markdown_escaped(content.title) + "\n\n";
    if (!content.simulated.empty())
        out += "A simulated endpoint answered, not a model: " + markdown_escaped(content.simulated) + "\n\n";
    out += markdown_escaped(content.coverage) + "  \n";
    for (const std::vector<std::string>& line : content.identity)
        out += markdown_escaped(fmt::to_string(fmt::join(line, ", "))) + "  \n";
    out += facts_table(content.headline) + facts_table(content.losses);
    if (!content.curve.empty()) out += "\n" + markdown_escaped(content.curve_words) + "\n" + table(content.curve);
    out += table(content.seeds) + table(content.domains) + table(content.subdomains);
    if (!content.notes.empty()) out += "\n";
    for (const std::string& note : content.notes) out += "* note: " + markdown_escaped(note) + "\n";
    return out;
}

}  // namespace assay::reports
