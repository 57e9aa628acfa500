#include "runners/drivers/checkpoint_notes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/terminal/numbers.hpp"

namespace assay::runners {
namespace {

// "/models/kimi-nvfp4/" and "nvidia/kimi-nvfp4" both end in "kimi-nvfp4": folders are mounted under other names.
std::string last_part(std::string path) {
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path.substr(path.rfind('/') + 1);
}

std::string against_words(const runs::AuditedCheckpoint& one) {
    std::string words;
    const auto add = [&words](const std::string& text) { words += (words.empty() ? "" : ", ") + text; };
    const auto of = [](std::int64_t part, std::int64_t whole) { return fmt::format("{} of {}", reports::thousands(part), reports::thousands(whole)); };
    if (one.errors > 0) add(reports::counted(one.errors, "error"));
    if (one.blocks_exact < one.blocks) add(fmt::format("{} blocks bit-exact", of(one.blocks_exact, one.blocks)));
    if (one.tensors_identical < one.tensors) add(fmt::format("{} other tensors identical", of(one.tensors_identical, one.tensors)));
    return words;
}

void add_served(const runs::RunContents& contents, const runs::AuditedCheckpoint& one, std::vector<std::string>& lines) {
    if (one.checkpoint.empty()) return;
    const std::vector<std::string> served = runs::paths_served(contents.info.server, contents.plan.model);
    const bool fits = std::any_of(served.begin(), served.end(), [&](const std::string& path) { return last_part(path) == last_part(one.checkpoint); });
    if (served.empty() || fits) return;
    lines.push_back(fmt::format("the server says it loaded '{}', and the report of the weights is of '{}': make sure that these are the same files",
                                served.front(), one.checkpoint));
}

}  // namespace

std::optional<runs::AuditedCheckpoint> checkpoint_of(const runs::RunContents& contents) {
    std::optional<runs::AuditedCheckpoint> found;
    for (const runs::Session& session : contents.totals.sessions) {
        if (session.info.checkpoint) found = session.info.checkpoint;
    }
    return found;
}

std::vector<std::string> checkpoint_notes(const runs::RunContents& contents) {
    const auto one = checkpoint_of(contents);
    if (!one) return {};
    std::vector<std::string> lines;
    const auto& sessions = contents.totals.sessions;
    const auto silent = std::count_if(sessions.begin(), sessions.end(), [](const runs::Session& session) { return !session.info.checkpoint; });
    if (silent > 0) {
        lines.push_back(fmt::format("{} of {} starts of this run named no --checkpoint: what weights answered then is not on record", silent, sessions.size()));
    }
    if (!one->clean()) lines.push_back(fmt::format("the report of the weights ({}) says they are not as they should be: {}", one->report, against_words(*one)));
    else if (!one->compared()) lines.push_back(fmt::format("the report of the weights ({}) did not compare them with a source", one->report));
    add_served(contents, *one, lines);
    return lines;
}

std::string weights_note(const std::optional<runs::AuditedCheckpoint>& a, const std::optional<runs::AuditedCheckpoint>& b) {
    if (!a && !b) return {};
    if (!a || !b) return fmt::format("{} names no --checkpoint: whether both were asked of the same weights is not on record", a ? "B" : "A");
    if (a->fingerprint == b->fingerprint) return fmt::format("A and B were asked of the same weights, by --checkpoint: fingerprint {}", a->fingerprint);
    const auto same_values = [](const runs::AuditedCheckpoint& made, const std::string& of) {
        return made.compared() && made.clean() && made.source_fingerprint == of;
    };
    const bool equal = same_values(*b, a->fingerprint) || same_values(*a, b->fingerprint) ||
                       (a->compared() && same_values(*a, a->source_fingerprint) && same_values(*b, a->source_fingerprint));
    return fmt::format("by --checkpoint, A was asked of weights {} and B of weights {}{}", a->fingerprint, b->fingerprint,
                       equal ? ": other files of equal values, as their reports say" : "");
}

}  // namespace assay::runners
