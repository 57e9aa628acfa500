#include "runners/drivers/run_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scorers/breaks/clusters.hpp"

namespace assay::runners {
namespace {

using Lines = std::vector<std::string>;

std::string replies(std::int64_t count) {
    return count == 1 ? "1 reply" : fmt::format("{} replies", count);
}

void add_transport(const runs::RunContents& contents, Lines& lines) {
    for (const runs::Session& session : contents.totals.sessions) {
        for (const auto& [name, value] : session.info.transport) {
            std::string line;
            if (name == "insecure") line = "TLS certificates were not checked (--insecure): who answered is not known for certain";
            if (name == "allow_plain_http") line = "the key travelled over plain http to a public host (--allow-plain-http): consider it known";
            if (name == "proxy") line = fmt::format("requests went through the proxy {}", value);
            if (!line.empty() && std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
        }
    }
}

// The silence says more than the age: a reply of many tokens is old when it falls silent.
void add_breaks(const std::vector<runs::Break>& breaks, Lines& lines) {
    std::vector<double> silences;
    std::vector<double> ages;
    for (const runs::Break& one : breaks) {
        silences.push_back(one.silence_s);
        ages.push_back(one.age_s);
    }
    if (const auto silent = breaks::cluster_of(silences)) {
        lines.push_back(fmt::format("{} of {} that broke off had been silent for {:.0f} s (+/- {:.0f} s): the idle limit of a proxy between here and the "
                                    "server is the likely cause; raise it there, or reach the server without it",
                                    silent->within, replies(silent->of), silent->seconds, breaks::half_width_s));
    } else if (const auto old = breaks::cluster_of(ages)) {
        lines.push_back(fmt::format("{} of {} that broke off did so {:.0f} s (+/- {:.0f} s) after the request: a proxy's limit on the length of a request "
                                    "is the likely cause; raise it there, or reach the server without it",
                                    old->within, replies(old->of), old->seconds, breaks::half_width_s));
    }
}

void add_client(const std::vector<runs::ClientWork>& sessions, Lines& lines) {
    for (const runs::ClientWork& work : sessions) {
        if (work.client_was_the_limit()) {
            lines.push_back(fmt::format("this client was the limit: its loop ran {:.1f} ms late (p99) and took {:.0f} % of a core, so that times and throughput "
                                        "say little of the server: lower --concurrency, or run it where nothing else does",
                                        work.delay_p99_ms, 100 * work.loop_cpu_share));
        }
        if (work.held_by_text_s > 0.1 * work.seconds) {
            lines.push_back(fmt::format("requests were held back {:.0f} % of the time, so that the text of replies stays within memory: raise --text-budget",
                                        100 * work.held_by_text_s / work.seconds));
        }
    }
}

void add_counts(const runs::Totals& totals, Lines& lines) {
    const auto add = [&lines](std::int64_t count, const char* what) {
        if (count > 0) lines.push_back(fmt::format("{} {}", replies(count), what));
    };
    add(totals.accepted_without_finish, "scored without a finish_reason, on the word of [DONE] alone (--accept-done-without-finish): some may have been cut");
    add(totals.missing_done, "had a finish_reason and no [DONE] behind it; scored as usual");
    add(totals.unterminated_events, "ended in an event without its blank line, which was read all the same");
    add(totals.with_ignored_chunks, "held events that say nothing (null, {}, pings), which were passed over");
}

}  // namespace

std::vector<std::string> run_notes(const runs::RunContents& contents) {
    Lines lines;
    add_transport(contents, lines);
    add_breaks(contents.totals.breaks, lines);
    lines.insert(lines.end(), contents.totals.notes.begin(), contents.totals.notes.end());
    add_client(contents.totals.work, lines);
    add_counts(contents.totals, lines);
    return lines;
}

}  // namespace assay::runners
