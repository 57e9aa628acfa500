#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/compare/compare_parts.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

std::string side(const char* name, double mean, const std::optional<double>& sd, const std::vector<std::int64_t>& counts, std::int64_t questions) {
    std::string text = fmt::format("{}   {} %   {}", name, percent(mean), counted(std::ssize(counts), "seed"));
    if (sd) text += ", sd " + percent(*sd);
    return text + fmt::format("   right: {} of {}", fmt::join(counts, " "), questions);
}

}  // namespace

std::string published_text(const PublishedReport& report, const Look& look) {
    const statistics::PublishedComparison& c = report.comparison;
    std::string out = simulated_line(!report.run.plan.simulated.empty(), look);
    out += wrapped("", fmt::format("{} against published counts from {}   this test only", visible(report.run.run), visible(report.source)), look.width, 4);
    out += wrapped("", side("run      ", c.mean_run, c.sd_run, report.run_counts, report.questions), look.width, 4);
    out += wrapped("", side("published", c.mean_published, c.sd_published, report.published_counts, report.questions), look.width, 4) + "\n";
    std::vector<Fact> facts;
    if (report.gate) facts = gate_facts(*report.gate, report.questions, true);
    const bool both = c.sd_run && c.sd_published;
    std::string words = "run - published; no spread of seeds to judge it by";
    if (c.interval) {
        words = fmt::format("95 % CI {}, p {}: would these very questions come out the same way again ({}, {:.1f} degrees of freedom)",
                            points_range(*c.interval), p_value(*c.p_two_sided), both ? "Welch's t" : "one seed in the other's prediction interval",
                            c.estimate->degrees);
    }
    facts.push_back({"difference", points(c.difference) + " points", words, Tint::bold});
    std::vector<std::string> notes{"right answers a seed say nothing of how far other questions would differ: this test only"};
    notes.insert(notes.end(), report.notes.begin(), report.notes.end());
    return out + facts_and_notes(facts, notes, look);
}

}  // namespace assay::reports
