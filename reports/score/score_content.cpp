#include "reports/score/score_content.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports {
namespace {

std::string coverage(const statistics::Summary& s) {
    std::string text = fmt::format("{} x {} = {}, ", counted(s.questions, "question"), counted(s.seeds, "seed"),
                                   counted(s.total.attempts, "attempt"));
    if (s.full) return text + "all scored";
    text += thousands(s.total.scored) + " scored";
    if (s.total.unscored > 0) text += ", " + thousands(s.total.unscored) + " unscored";
    if (s.total.missing > 0) text += ", " + thousands(s.total.missing) + " not tried";
    return text;
}

// "plan 5f0c12ab34cd", "protocol nemo": what is known of these.
std::vector<std::string> named(const std::vector<std::pair<const char*, std::string>>& values) {
    std::vector<std::string> pieces;
    for (const auto& [name, value] : values)
        if (!value.empty()) pieces.push_back(fmt::format("{} {}", name, visible(value)));
    return pieces;
}

// "weights 5f0c..", what their report says of them, and what the server says it loaded.
std::vector<std::string> weights(const RunHeader& header) {
    if (!header.checkpoint) return {};
    const runs::AuditedCheckpoint& one = *header.checkpoint;
    std::vector<std::string> pieces = named({{"weights", one.fingerprint}, {"of", one.checkpoint}});
    std::string judged = one.compared() ? fmt::format("{}: {} of {} blocks bit-exact, {} of {} other tensors identical", one.judge, thousands(one.blocks_exact),
                                                      thousands(one.blocks), thousands(one.tensors_identical), thousands(one.tensors))
                                        : fmt::format("{}: not compared with a source", one.judge);
    pieces.push_back(fmt::format("{}, {}, {}", judged, counted(one.errors, "error"), counted(one.warnings, "warning")));
    for (const std::string& path : header.loaded) pieces.push_back(fmt::format("the server says it loaded {}", visible(path)));
    return pieces;
}

std::vector<std::string> sampling(const runs::Plan& plan) {
    std::vector<std::string> pieces;
    if (plan.sampling.temperature) pieces.push_back(fmt::format("temperature {}", *plan.sampling.temperature));
    if (plan.sampling.top_p) pieces.push_back(fmt::format("top_p {}", *plan.sampling.top_p));
    if (plan.sampling.greedy_seed) pieces.push_back(fmt::format("seed {} greedy", *plan.sampling.greedy_seed));
    if (plan.sampling.reasoning_effort)
        pieces.push_back("reasoning effort " + visible(*plan.sampling.reasoning_effort));
    if (plan.budget) pieces.push_back(fmt::format("{} {}", visible(plan.budget_field), thousands(*plan.budget)));
    if (!plan.sampling.extra_body.empty()) pieces.push_back("extra body " + visible(plan.sampling.extra_body));
    return pieces;
}

}  // namespace

namespace {

// By simulation, as scorers/statistics/question_interval.hpp has it.
constexpr double near_the_ceiling = 0.97;

// What the intervals rest on, where a reader would not expect it.
void add_method_notes(ScoreContent& out, const statistics::Summary& s) {
    const auto has_interval = [](const statistics::GroupRow& row) { return row.over_questions.has_value(); };
    if ((!out.domains.empty() && std::any_of(s.per_domain.begin(), s.per_domain.end(), has_interval)) ||
        (!out.subdomains.empty() && std::any_of(s.per_subdomain.begin(), s.per_subdomain.end(), has_interval))) {
        out.notes.push_back("the interval of a part of the test answers how good the model is on questions like that part's: Wilson, with the design effect of the whole test");
    }
    if (s.over_questions && s.pass_at_1 && *s.pass_at_1 > near_the_ceiling && *s.pass_at_1 < 1) {
        out.notes.push_back("above 97 % the interval over questions like these is a little short: it holds about 93 times in 100, not 95 (simulated, 198 questions)");
    }
}

}  // namespace

ScoreContent score_content(const RunHeader& header, const statistics::Summary& summary, const Detail& detail) {
    const runs::Plan& plan = header.plan;
    ScoreContent out;
    out.simulated = visible(plan.simulated);
    out.title = visible(plan.dataset_name.empty() ? header.run : plan.dataset_name);
    out.coverage = coverage(summary);
    const std::string short_hash = header.plan_hash.substr(0, 12);
    out.identity = {named({{"plan", short_hash},
                           {"protocol", plan.protocol},
                           {"extractor", header.extractor},
                           {"model", plan.model}}),
                    sampling(plan),
                    named({{"run", header.run}, {"from", header.source}, {"endpoint", header.endpoint}})};
    out.identity.push_back(weights(header));
    std::erase_if(out.identity, [](const std::vector<std::string>& line) { return line.empty(); });
    out.headline = headline_facts(header, summary, detail.questions);
    out.losses = loss_facts(header, summary);
    out.curve = curve_table(summary);
    if (!out.curve.empty()) out.curve_words = curve_table_words();
    if (detail.seeds) out.seeds = seed_table(summary);
    if (detail.domains) out.domains = group_table("domain", summary.per_domain);
    if (detail.subdomains) out.subdomains = group_table("subdomain", summary.per_subdomain);
    add_method_notes(out, summary);
    for (const std::string& note : header.notes) out.notes.push_back(visible(note));
    return out;
}

}  // namespace assay::reports
