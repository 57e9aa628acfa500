#include "reports/score/score_report.hpp"

#include <fmt/format.h>

#include "reports/score/sections.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

std::string coverage(const statistics::Summary& s) {
    if (s.full) return "all scored";
    std::string text = thousands(s.total.scored) + " scored";
    if (s.total.unscored > 0) text += ", " + thousands(s.total.unscored) + " unscored";
    if (s.total.missing > 0) text += ", " + thousands(s.total.missing) + " not tried";
    return text;
}

// "plan 5f0c12ab34cd", or nothing where the value is unknown.
void add_named(std::string& line, const char* name, const std::string& value) {
    if (value.empty()) return;
    if (!line.empty()) line += "   ";
    line += fmt::format("{} {}", name, visible(value));
}

std::string sampling(const RunHeader& header) {
    const runs::Plan& plan = header.plan;
    std::string text;
    const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : ", ") + piece; };
    if (plan.sampling.temperature) add(fmt::format("temperature {}", *plan.sampling.temperature));
    if (plan.sampling.top_p) add(fmt::format("top_p {}", *plan.sampling.top_p));
    if (plan.sampling.greedy_seed) add(fmt::format("seed {} greedy", *plan.sampling.greedy_seed));
    if (plan.sampling.reasoning_effort) add("reasoning effort " + visible(*plan.sampling.reasoning_effort));
    if (plan.budget) add(fmt::format("{} {}", visible(plan.budget_field), thousands(*plan.budget)));
    if (!plan.sampling.extra_body.empty()) add("extra body " + visible(plan.sampling.extra_body));
    return text;
}

}  // namespace

namespace sections {

std::string head(const RunHeader& header, const statistics::Summary& s, const Look& look) {
    std::string out;
    if (!header.plan.simulated.empty()) {
        const std::string line = wrapped("SIMULATED", "   a simulated endpoint answered, not a model: " + visible(header.plan.simulated),
                                         look.width, 4);
        constexpr std::string_view mark = "SIMULATED";
        out += tinted(mark, Tint::yellow, look) + line.substr(mark.size());
    }
    const std::string name = header.plan.dataset_name.empty() ? header.run : header.plan.dataset_name;
    out += wrapped(visible(name), fmt::format("   {} x {} = {}, {}", counted(s.questions, "question"), counted(s.seeds, "seed"),
                                              counted(s.total.attempts, "attempt"), coverage(s)),
                   look.width, 4);

    std::string identity;
    add_named(identity, "plan", header.plan_hash.substr(0, 12));
    add_named(identity, "protocol", header.plan.protocol);
    add_named(identity, "extractor", header.extractor);
    add_named(identity, "model", header.plan.model);
    if (!identity.empty()) out += wrapped("", identity, look.width, 4);
    const std::string how = sampling(header);
    if (!how.empty()) out += wrapped("", how, look.width, 4);
    std::string where;
    add_named(where, "run", header.run);
    add_named(where, "from", header.source);
    add_named(where, "endpoint", header.endpoint);
    if (!where.empty()) out += wrapped("", where, look.width, 4);
    return out;
}

}  // namespace sections

std::string score_text(const RunHeader& header, const statistics::Summary& summary, const Look& look, const Detail& detail) {
    std::string out = sections::head(header, summary, look);
    const auto add = [&](const std::string& section) {
        if (!section.empty()) out += "\n" + section;
    };
    add(sections::headline(header, summary, look) + sections::questions(summary, look, detail.questions));
    add(sections::losses(header, summary, look) + sections::effort(header, summary, look));
    if (detail.seeds) add(sections::seeds(summary, look));
    if (detail.domains) add(sections::groups("domain", summary.per_domain, look));
    if (detail.subdomains) add(sections::groups("subdomain", summary.per_subdomain, look));
    std::string notes;
    for (const std::string& note : header.notes) notes += wrapped("note: ", visible(note), look.width, 6);
    add(notes);
    return out;
}

}  // namespace assay::reports
