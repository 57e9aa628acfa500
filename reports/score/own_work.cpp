#include <fmt/format.h>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

constexpr std::size_t most_sessions = 3;  // shown, the last ones

// "; held back 12.5 % of it by the server, 3.0 % by limits a minute"
std::string held_back(const runs::ClientWork& work) {
    std::string words;
    const auto add = [&](double seconds, const char* by) {
        if (work.seconds <= 0 || seconds < 0.001 * work.seconds) return;
        words += fmt::format("{} {:.1f} % of it by {}", words.empty() ? "; held back" : ",", 100 * seconds / work.seconds, by);
    };
    add(work.held_by_server_s, "the server");
    add(work.held_by_rates_s, "the limits a minute");
    add(work.held_by_text_s, "the budget for text");
    return words;
}

void add_session(std::vector<Fact>& out, const runs::ClientWork& work) {
    const std::string wanted = work.automatic ? fmt::format("found by itself, {} at the end", thousands(work.target))
                                              : fmt::format("{:.1f} % of the time at {} or nearly", 100 * work.share_at_target, thousands(work.target));
    out.push_back({"in flight", fmt::format("{:.1f}", work.mean_in_flight),
                   fmt::format("requests on the wire on average over {} with work to send, at most {}; {}{}", duration(work.seconds),
                               thousands(work.max_in_flight), wanted, held_back(work))});
    out.push_back({"this client", fmt::format("{:.1f} % CPU", 100 * work.cpu_share),
                   fmt::format("of a core, {:.1f} % in its loop, which was late by {:.1f} ms (p50), {:.1f} ms (p99), {:.1f} ms at most",
                               100 * work.loop_cpu_share, work.delay_p50_ms, work.delay_p99_ms, work.delay_max_ms),
                   work.client_was_the_limit() ? Tint::yellow : Tint::plain});
}

}  // namespace

void add_own_work(std::vector<Fact>& out, const std::vector<runs::ClientWork>& sessions) {
    const std::size_t left_out = sessions.size() > most_sessions ? sessions.size() - most_sessions : 0;
    if (left_out > 0) out.push_back({"in flight", "", fmt::format("of the last {} sessions; that of {} earlier ones is in the JSON report", most_sessions, left_out)});
    for (std::size_t i = left_out; i < sessions.size(); ++i) add_session(out, sessions[i]);
}

}  // namespace assay::reports
