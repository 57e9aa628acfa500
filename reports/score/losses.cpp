#include <fmt/format.h>

#include <cmath>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports {
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

void add_scored(std::vector<Fact>& out, const RunHeader& header, const statistics::Summary& s) {
    const statistics::Counts& c = s.total;
    if (c.scored == 0) return;
    out.push_back({"correct", thousands(c.correct), fmt::format("of {} scored attempts", thousands(c.scored))});
    add_truncation(out, header, s);
    out.push_back({"no answer", count_and_share(c.no_answer, c.scored),
                   c.no_answer == 0 ? "a letter was read from every scored reply"
                                    : "scored as wrong, since no letter could be read; truncated ones included"});
    out.push_back({"empty", thousands(c.empty), "finished without any text", c.empty > 0 ? Tint::yellow : Tint::plain});
    // Kinds that most runs have none of are shown where there was one.
    if (c.answer_in_reasoning > 0) {
        out.push_back({"answer_in_reasoning", count_and_share(c.answer_in_reasoning, c.scored),
                       "finished with reasoning only and an empty answer", Tint::yellow});
    }
    if (c.filtered > 0) {
        out.push_back({"filtered", count_and_share(c.filtered, c.scored), "stopped by the server's content filter",
                       Tint::yellow});
    }
}

void add_unscored(std::vector<Fact>& out, const statistics::Summary& s) {
    const statistics::Counts& c = s.total;
    if (c.unscored > 0) {
        const std::string why = listed(s.unscored_by_reason);
        out.push_back({"unscored", count_and_share(c.unscored, c.attempts),
                       "given up without a reply to judge" + (why.empty() ? "" : ": " + why), Tint::red});
    }
    if (c.missing > 0) {
        out.push_back({"not tried", count_and_share(c.missing, c.attempts), "attempts of the plan that were never sent",
                       Tint::red});
    }
}

void add_tokens(std::vector<Fact>& out, const statistics::Counts& c) {
    if (c.tokens_known == 0) return;
    const double mean = static_cast<double>(c.completion_tokens) / static_cast<double>(c.tokens_known);
    std::string words = fmt::format("completion tokens, {} a reply", thousands(std::llround(mean)));
    if (c.tokens_known < c.scored)
        words += fmt::format("; known for {} of {} replies", thousands(c.tokens_known), thousands(c.scored));
    out.push_back({"tokens", thousands(c.completion_tokens), words});
}

void add_effort(std::vector<Fact>& out, const Effort& e) {
    std::string words = "requests sent, ";
    words += e.retries == 0 ? "no retries"
                            : fmt::format("{} {} for {}", thousands(e.retries), e.retries == 1 ? "retry" : "retries",
                                          counted(e.attempts_retried, "attempt"));
    const std::string failed = listed(e.failed_tries);
    if (!failed.empty()) words += "; failed: " + failed;
    out.push_back({"tries", thousands(e.tries), words});

    add_own_work(out, e.work);
    if (!e.first_unix_s || !e.last_unix_s) return;
    std::string when = fmt::format("from {} to {}", utc_time(*e.first_unix_s), utc_time(*e.last_unix_s));
    if (e.processes > 1) when += fmt::format(", in {} sessions", e.processes);
    out.push_back({"time", duration(*e.last_unix_s - *e.first_unix_s), when});
}

}  // namespace

std::vector<Fact> loss_facts(const RunHeader& header, const statistics::Summary& s) {
    std::vector<Fact> out;
    add_scored(out, header, s);
    add_unscored(out, s);
    add_tokens(out, s.total);
    if (header.effort) add_effort(out, *header.effort);
    return out;
}

}  // namespace assay::reports
