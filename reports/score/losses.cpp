#include <fmt/format.h>

#include <cmath>

#include "reports/score/sections.hpp"
#include "reports/terminal/fact.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports::sections {
namespace {

std::string count_and_share(std::int64_t part, std::int64_t whole) {
    return fmt::format("{} ({})", thousands(part), share(part, whole));
}

std::string listed(const std::vector<std::pair<std::string, std::int64_t>>& counts) {
    std::string text;
    for (const auto& [name, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", visible(name), thousands(count));
    return text;
}

std::string truncated(const RunHeader& header, const statistics::Summary& s, const Look& look) {
    const statistics::Counts& c = s.total;
    if (c.truncated == 0) return fact("truncated", "0", "no reply was cut at its budget", look);
    const std::string budget = header.plan.budget ? fmt::format(" of {} tokens", thousands(*header.plan.budget)) : "";
    std::string words = fmt::format("cut at the budget{}; {} without a letter", budget,
                                    thousands(c.truncated - c.truncated_answered));
    if (c.truncated_correct > 0) words += fmt::format(", {} right all the same", thousands(c.truncated_correct));
    if (s.truncation_ceiling) words += fmt::format("; cost at most {} points", percent(*s.truncation_ceiling));
    return fact("truncated", count_and_share(c.truncated, c.scored), words, look, Tint::yellow);
}

// A kind of reply that brings no answer, shown where there was one.
std::string rare(const char* label, std::int64_t count, std::int64_t scored, const char* words, const Look& look) {
    return count == 0 ? "" : fact(label, count_and_share(count, scored), words, look, Tint::yellow);
}

std::string times(const Effort& e) {
    if (!e.first_unix_s || !e.last_unix_s) return "";
    std::string text = fmt::format("from {} to {}", utc_time(*e.first_unix_s), utc_time(*e.last_unix_s));
    if (e.processes > 1) text += fmt::format(", in {} sessions", e.processes);
    return text;
}

}  // namespace

std::string losses(const RunHeader& header, const statistics::Summary& s, const Look& look) {
    const statistics::Counts& c = s.total;
    std::string out;
    if (c.scored > 0) {
        out += fact("correct", thousands(c.correct), fmt::format("of {} scored attempts", thousands(c.scored)), look);
        out += truncated(header, s, look);
        out += fact("no answer", count_and_share(c.no_answer, c.scored),
                    c.no_answer == 0 ? "a letter was read from every scored reply"
                                     : "scored as wrong, since no letter could be read; truncated ones included",
                    look);
        out += fact("empty", thousands(c.empty), "finished without any text", look, c.empty > 0 ? Tint::yellow : Tint::plain);
        out += rare("answer_in_reasoning", c.answer_in_reasoning, c.scored, "finished with reasoning only and an empty answer", look);
        out += rare("filtered", c.filtered, c.scored, "stopped by the server's content filter", look);
    }
    if (c.unscored > 0) {
        const std::string why = listed(s.unscored_by_reason);
        out += fact("unscored", count_and_share(c.unscored, c.attempts),
                    "given up without a reply to judge" + (why.empty() ? "" : ": " + why), look, Tint::red);
    }
    if (c.missing > 0) {
        out += fact("not tried", count_and_share(c.missing, c.attempts), "attempts of the plan that were never sent", look, Tint::red);
    }
    return out;
}

std::string effort(const RunHeader& header, const statistics::Summary& s, const Look& look) {
    std::string out;
    const statistics::Counts& c = s.total;
    if (c.tokens_known > 0) {
        const double mean = static_cast<double>(c.completion_tokens) / static_cast<double>(c.tokens_known);
        std::string words = fmt::format("completion tokens, {} a reply", thousands(std::llround(mean)));
        if (c.tokens_known < c.scored) words += fmt::format("; known for {} of {} replies", thousands(c.tokens_known), thousands(c.scored));
        out += fact("tokens", thousands(c.completion_tokens), words, look);
    }
    if (!header.effort) return out;
    const Effort& e = *header.effort;
    std::string words = "requests sent, ";
    words += e.retries == 0 ? "no retries"
                            : fmt::format("{} {} for {}", thousands(e.retries), e.retries == 1 ? "retry" : "retries",
                                          counted(e.attempts_retried, "attempt"));
    const std::string failed = listed(e.failed_tries);
    if (!failed.empty()) words += "; failed: " + failed;
    out += fact("tries", thousands(e.tries), words, look);
    const std::string when = times(e);
    if (!when.empty()) out += fact("time", duration(*e.last_unix_s - *e.first_unix_s), when, look);
    return out;
}

}  // namespace assay::reports::sections
