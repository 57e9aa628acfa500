#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/compare/compare_parts.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/table.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

constexpr std::size_t moved_shown = 10;

std::string first_line(const ComparisonReport& report) {
    const statistics::RunComparison& c = report.comparison;
    const std::string seeds = c.seeds_a == c.seeds_b
                                  ? fmt::format("{} each", counted(c.seeds_a, "seed"))
                                  : fmt::format("A has {}, B has {}: each question's share of right answers is compared", counted(c.seeds_a, "seed"),
                                                counted(c.seeds_b, "seed"));
    const std::string name = report.a.plan.dataset_name.empty() ? "comparison" : visible(report.a.plan.dataset_name);
    return fmt::format("{}   {}, {}", name, counted(static_cast<std::int64_t>(c.rows.size()), "question"), seeds);
}

std::string left_out(const ComparisonReport& report) {
    const auto& rows = report.comparison.left_out;
    if (rows.empty()) return "";
    std::string text = fmt::format("{} left out, since an attempt of theirs has no score in A or B:", counted(std::ssize(rows), "question"));
    for (const std::size_t row : rows) text += fmt::format(" {}", report.table_a.questions[row]);
    return text;
}

std::string side(const char* letter, const RunHeader& header, double score, std::int64_t seeds) {
    std::string text = fmt::format("{}   {} %   {}   {}", letter, percent(score), counted(seeds, "seed"), visible(header.run));
    if (!header.plan.model.empty()) text += "   model " + visible(header.plan.model);
    if (header.plan.budget) text += "   budget " + thousands(*header.plan.budget);
    return text + "   extractor " + visible(header.extractor);
}

Table moved(const ComparisonReport& report) {
    const statistics::RunComparison& c = report.comparison;
    Table table;
    table.column("question").column("domain", Align::left).column("A").column("B").column("points").column("cut A").column("cut B");
    for (std::size_t i = 0; i < std::min(moved_shown, c.moved.size()); ++i) {
        const statistics::MovedQuestion& m = c.moved[i];
        const std::string& domain = report.table_a.domains[m.row];
        table.row({fmt::format("{}", report.table_a.questions[m.row]), domain.empty() ? "-" : domain,
                   fmt::format("{} / {}", m.correct_a, c.seeds_a), fmt::format("{} / {}", m.correct_b, c.seeds_b),
                   fmt::format("{:+.1f}", 100 * m.change), thousands(m.cut_a), thousands(m.cut_b)});
    }
    return table;
}

}  // namespace

std::string points(double fraction) {
    const std::string text = fmt::format("{:+.2f}", 100 * fraction);
    return text == "-0.00" ? "+0.00" : text;
}

statistics::Interval within_scores(const statistics::Interval& interval) { return {std::max(interval.low, -1.0), std::min(interval.high, 1.0)}; }

std::string points_range(const statistics::Interval& interval) {
    const statistics::Interval range = within_scores(interval);
    return points(range.low) + " to " + points(range.high);
}

std::string facts_and_notes(const std::vector<Fact>& facts, const std::vector<std::string>& notes, const Look& look) {
    std::string out;
    for (const Fact& fact : facts) out += fact_text(fact, look);
    if (!notes.empty()) out += "\n";
    for (const std::string& note : notes) out += wrapped("note: ", visible(note), look.width, 6);
    return out;
}

std::string simulated_line(bool simulated, const Look& look) {
    return simulated ? wrapped("SIMULATED", "   a simulated endpoint answered, not a model", look.width, 4) : "";
}

std::string comparison_text(const ComparisonReport& report, const Look& look) {
    const statistics::RunComparison& c = report.comparison;
    std::string out = simulated_line(!report.a.plan.simulated.empty() || !report.b.plan.simulated.empty(), look);
    out += wrapped("", first_line(report), look.width, 4);
    if (const std::string text = left_out(report); !text.empty()) out += wrapped("", text, look.width, 4);
    for (const std::string& line : report.differences) out += wrapped("compared anyway: ", visible(line), look.width, 4);
    out += wrapped("", side("A", report.a, c.score_a, c.seeds_a), look.width, 4);
    out += wrapped("", side("B", report.b, c.score_b, c.seeds_b), look.width, 4) + "\n";
    std::vector<Fact> facts;
    if (report.gate) facts = gate_facts(*report.gate, static_cast<std::int64_t>(report.table_a.rows()), false);
    const std::vector<Fact> figures = comparison_facts(report);
    facts.insert(facts.end(), figures.begin(), figures.end());
    out += facts_and_notes(facts, {}, look) + "\n";
    if (c.moved.empty()) {
        out += "no question moved\n";
    } else {
        out += wrapped("", c.moved.size() > moved_shown ? fmt::format("the {} of {} changed questions that moved most", moved_shown, c.moved.size())
                                                        : std::string("the questions that moved, most first"), look.width, 0);
        out += moved(report).text(look);
    }
    return out + facts_and_notes({}, report.notes, look);
}

}  // namespace assay::reports
