#include "reports/checkpoints/cast_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/checkpoints/exact_percent.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

std::string number(std::uint64_t value) { return thousands(static_cast<std::int64_t>(value)); }

std::string noun(std::uint64_t count, const char* word) { return counted(static_cast<std::int64_t>(count), word); }

std::string interrupted_text(const Look& look) {
    return wrapped("", "interrupted: the same command goes on with the shard that was stopped", look.width, 4);
}

std::string exponents_text(const cast::ShardCounts& counts) {
    std::string text;
    for (const auto& [m, weights] : counts.exponents) text += fmt::format("   2^{}: {}", m, number(weights));
    return text;
}

std::string blocks_text(const cast::CastSummary& summary, const Look& look) {
    const cast::ShardCounts& counts = summary.counts;
    const std::uint64_t changed = counts.zeros + counts.rescued + counts.rounded + counts.nan;
    std::string text = fmt::format("{} of {} under their own scale", number(counts.blocks - changed), noun(counts.blocks, "block"));
    if (counts.rescued != 0) text += fmt::format(", {} rescued by moving elements, every value the same", number(counts.rescued));
    if (counts.zeros != 0) text += fmt::format(", {} of zeros under another scale", number(counts.zeros));
    if (counts.rounded != 0) text += fmt::format(", {} rounded: values changed", number(counts.rounded));
    if (counts.nan != 0) text += fmt::format(", {} whose scale is NaN", number(counts.nan));
    std::string out = wrapped("", text, look.width, 4);
    for (const std::string& line : summary.listed) out += wrapped("    ", visible(line), look.width, 8);
    const std::uint64_t listable = counts.rescued + counts.rounded + counts.nan;
    if (listable > summary.listed.size())
        out += wrapped("    ", fmt::format("and {} more, in assay-cast.json", number(listable - summary.listed.size())),
                       look.width, 8);
    return out;
}

std::string verified_text(const cast::CastSummary& summary, const Look& look) {
    if (!summary.verified)
        return wrapped("", fmt::format("not verified: assay audit {} --source {} compares every block", visible(summary.target),
                                       visible(summary.source)),
                       look.width, 4);
    const cast::Verified& v = *summary.verified;
    return wrapped("", fmt::format("blocks bit-exact  {} / {} ({})   max_abs_err {}   payload bytes equal {}", number(v.exact),
                                   number(v.blocks), exact_percent(v.exact, v.blocks), v.max_abs_err,
                                   exact_percent(v.payload_equal, v.blocks)),
                   look.width, 4) +
           wrapped("", fmt::format("tensors {}   passed through identical {} / {}   findings {}, {}, {}", number(v.weights),
                                   number(v.tensors_identical), number(v.tensors), noun(summary.errors, "error"),
                                   noun(summary.warnings, "warning"), noun(summary.findings_noted, "note")),
                   look.width, 4);
}

}  // namespace

std::string cast_text(const cast::CastSummary& summary, bool planned, const Look& look) {
    std::string out = wrapped(visible(summary.source), "   " + summary.source_layouts, look.width, 4);
    out += wrapped((planned ? "would become " : "became ") + visible(summary.target),
                   fmt::format("   NVFP4, dialect {}, global scale shared by {}", to_string(summary.options.dialect),
                               to_string(summary.options.sharing)),
                   look.width, 4);
    const cast::CastTotals& totals = summary.totals;
    out += wrapped("", fmt::format("{}   tensors {}   total_size {}   bytes of files {}", noun(summary.shards, "shard"),
                                   number(totals.tensors), number(totals.total_size), number(totals.file_bytes)),
                   look.width, 4);
    out += wrapped("", fmt::format("weights {}   blocks {}", number(totals.modules), number(totals.blocks)), look.width, 4);
    if (summary.cancelled) return out + interrupted_text(look);
    if (!planned) {
        if (summary.shards_kept != 0) out += fmt::format("{} of an earlier start kept\n", noun(summary.shards_kept, "shard"));
        for (const std::string& shard : summary.taken_up)
            out += wrapped("begun anew ", visible(shard) + " when an earlier start ended", look.width, 4);
        out += "\n" + blocks_text(summary, look);
        out += wrapped("global scales", exponents_text(summary.counts), look.width, 4);
        out += wrapped("", fmt::format("fingerprint {}   source {}", summary.target_fingerprint, summary.source_fingerprint),
                       look.width, 4);
    }
    for (const std::string& note : summary.notes) out += wrapped("note     ", visible(note), look.width, 9);
    for (const std::string& finding : summary.findings) out += wrapped("finding  ", visible(finding), look.width, 9);
    if (!summary.modeling_diff.empty()) out += "\n" + visible_lines(summary.modeling_diff);
    if (!planned) out += "\n" + verified_text(summary, look);
    return out;
}

std::string cast_json(const cast::CastSummary& summary) { return "{\n" + summary_members(summary) + "\n}\n"; }

std::string reverse_text(const cast::ReverseSummary& summary, const Look& look) {
    std::string out = wrapped(visible(summary.source), "   went back to " + visible(summary.target), look.width, 4);
    out += wrapped("", fmt::format("{}   tensors {}   total_size {}", noun(summary.shards, "shard"), number(summary.tensors),
                                   number(summary.total_size)),
                   look.width, 4);
    if (summary.cancelled) return out + interrupted_text(look);
    if (summary.shards_kept != 0) out += fmt::format("{} of an earlier start kept\n", noun(summary.shards_kept, "shard"));
    if (summary.changed_blocks != 0)
        out += fmt::format("{} put back from the record\n", noun(summary.changed_blocks, "block"));
    for (const std::string& note : summary.notes) out += wrapped("note     ", visible(note), look.width, 9);
    return out + wrapped("", summary.recorded ? "headers and every tensor are those of the source, byte for byte"
                                              : "values are those of the cast; bytes of the source are not known",
                         look.width, 4);
}

std::string reverse_json(const cast::ReverseSummary& summary) {
    const nlohmann::ordered_json json{{"format", "assay.cast_reverse/1"},
                                      {"shards", summary.shards},
                                      {"shards_kept", summary.shards_kept},
                                      {"tensors", summary.tensors},
                                      {"total_size", summary.total_size},
                                      {"changed_blocks", summary.changed_blocks},
                                      {"as_recorded", summary.recorded},
                                      {"notes", summary.notes}};
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
