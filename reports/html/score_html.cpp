#include "reports/html/score_html.hpp"

#include <fmt/format.h>

#include "reports/html/charts.hpp"
#include "reports/html/escape.hpp"
#include "reports/score/score_content.hpp"

namespace assay::reports {
namespace {

std::string element(const std::string& tag, const std::string& attributes, const std::string& text) {
    return "<" + tag + (attributes.empty() ? "" : " " + attributes) + ">" + html_escaped(text) + "</" + tag + ">";
}

const char* tint_class(Tint tint) {
    return tint == Tint::yellow ? " warn" : tint == Tint::red ? " bad" : "";
}

std::string head(const ScoreContent& content) {
    const std::string mark = content.simulated.empty() ? "" : "SIMULATED: ";
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "base-uri 'none'; "
        "form-action 'none'\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += element("title", "", mark + content.title + ", score report") + "\n<style>" + style_sheet() +
           "</style>\n</head>\n<body>\n";
    if (!content.simulated.empty())
        out += element("p", "class=\"simulated\"",
                       mark + "a simulated endpoint answered, not a model: " + content.simulated) +
               "\n";
    out += element("h1", "", content.title) + "\n" + element("p", "", content.coverage) + "\n";
    for (const std::vector<std::string>& line : content.identity)
        out += element("p", "class=\"identity\"", fmt::to_string(fmt::join(line, " \u00B7 "))) + "\n";
    return out;
}

std::string facts_table(const std::vector<Fact>& facts, std::size_t first) {
    if (facts.size() <= first) return "";
    std::string out = "<table class=\"facts\"><tbody>\n";
    for (std::size_t i = first; i < facts.size(); ++i) {
        const Fact& fact = facts[i];
        out += "<tr>" +
               element("th", std::string("scope=\"row\" class=\"") + (fact.detail ? "detail" : "main") + "\"",
                       fact.label) +
               element("td", std::string("class=\"value") + tint_class(fact.tint) + "\"", fact.value) +
               element("td", "class=\"words\"", fact.words) + "</tr>\n";
    }
    return out + "</tbody></table>\n";
}

// The first fact is the score itself.
std::string headline(const std::vector<Fact>& facts) {
    const Fact& score = facts.front();
    return "<p class=\"score\">" + html_escaped(score.value) + " <small>" + html_escaped(score.label) +
           "</small></p>\n" + element("p", "", score.words) + "\n" + facts_table(facts, 1);
}

std::string section(const char* title, const std::string& body) {
    return body.empty() ? "" : element("h2", "", title) + "\n" + body;
}

std::string data_table(const Table& table) {
    if (table.empty()) return "";
    const auto kind = [&](std::size_t i) { return table.columns()[i].align == Align::left ? "class=\"text\"" : ""; };
    std::string out = "<div class=\"wide\"><table><thead><tr>";
    for (std::size_t i = 0; i < table.columns().size(); ++i) out += element("th", kind(i), table.columns()[i].header);
    out += "</tr></thead><tbody>\n";
    for (const Table::Row& row : table.rows()) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.cells.size(); ++i) out += element("td", kind(i), row.cells[i]);
        out += "</tr>\n";
    }
    return out + "</tbody></table></div>\n";
}

std::string notes(const std::vector<std::string>& lines) {
    if (lines.empty()) return "";
    std::string out = "<ul class=\"notes\">\n";
    for (const std::string& line : lines) out += element("li", "", line) + "\n";
    return out + "</ul>\n";
}

}  // namespace

std::string score_html(const RunHeader& header, const statistics::Summary& summary, const statistics::SeedTable& table,
                       const std::vector<std::string>& record_ids, const Detail& detail) {
    const ScoreContent content = score_content(header, summary, detail);
    return head(content) + headline(content.headline) +
           section("Seeds", seed_chart(summary, header.plan.sampling.greedy_seed) + data_table(content.seeds)) +
           section("What was lost, and what it took", facts_table(content.losses, 0)) +
           section("Some of the seeds", content.curve.empty() ? "" : element("p", "", content.curve_words) + "\n" + data_table(content.curve)) +
           section("Domains", data_table(content.domains)) + section("Subdomains", data_table(content.subdomains)) +
           section("Questions by seeds", heat_map(table, record_ids)) + section("Notes", notes(content.notes)) +
           "</body>\n</html>\n";
}

}  // namespace assay::reports
