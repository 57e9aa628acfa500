#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/checkpoints/audit_report.hpp"
#include "reports/checkpoints/exact_percent.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/table.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {
namespace {

using bit_exact::Difference;
using rules::Severity;

std::string number(std::uint64_t value) { return thousands(static_cast<std::int64_t>(value)); }

std::string place(const rules::Finding& finding) {
    std::string text = finding.tensor.empty() ? finding.shard : finding.tensor;
    if (finding.row) text += fmt::format(" row {}", *finding.row);
    if (finding.block) text += fmt::format(" block {}", *finding.block);
    if (!finding.tensor.empty() && !finding.shard.empty()) text += " in " + finding.shard;
    return text;
}

std::string findings_text(const AuditReport& report, const Look& look) {
    std::string out;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
        const Tint tint = severity == Severity::error     ? Tint::red
                          : severity == Severity::warning ? Tint::yellow
                                                          : Tint::dim;
        std::size_t shown = 0;
        for (const rules::Finding& finding : report.findings) {
            if (finding.severity != severity || ++shown > AuditReport::most_findings) continue;
            const std::string label = fmt::format("{:<9}", to_string(severity));
            std::string words = fmt::format("{}  {}{}{}", finding.rule, visible(place(finding)),
                                            place(finding).empty() ? "" : ": ", visible(finding.message));
            if (!finding.consequence.empty()) words += "; " + visible(finding.consequence);
            out += tinted(label, tint, look) + wrapped(label, words, look.width, 9).substr(label.size());
        }
        if (shown > AuditReport::most_findings)
            out += fmt::format("{:<9}{} more\n", to_string(severity), number(shown - AuditReport::most_findings));
    }
    return out;
}

std::string classes_text(const bit_exact::PairAudit& pair, const Look& look) {
    Table table;
    table.column("blocks that differ", Align::left).column("count").column("values", Align::left);
    for (std::size_t i = 0; i < bit_exact::difference_count; ++i) {
        if (pair.blocks.differences[i] == 0) continue;
        table.row({std::string(to_string(static_cast<Difference>(i))), number(pair.blocks.differences[i]),
                   i < bit_exact::value_equal_count ? "equal" : "other"});
    }
    return table.text(look);
}

// In a window too narrow for the table: a name cut short would not say where.
std::string difference_list(const std::vector<bit_exact::LocatedDifference>& differences, const Look& look) {
    std::string out = tinted("weights and their blocks that differ", Tint::dim, look) + "\n";
    const std::string* before = nullptr;
    for (const bit_exact::LocatedDifference& one : differences) {
        const bit_exact::BlockDifference& b = one.block;
        if (before == nullptr || *before != one.weight) out += visible(one.weight) + "\n";
        before = &one.weight;
        out += wrapped("    ",
                       fmt::format("row {}, block {}, column {}: {}, codes {:x} {:x}, scales {:02x} {:02x}, source {}, target {}",
                                   number(b.row), number(b.block), number(b.element), to_string(b.kind), b.source_code, b.target_code,
                                   b.source_scale, b.target_scale, b.source_value, b.target_value),
                       look.width, 8);
    }
    return out;
}

std::string differences_text(const bit_exact::PairAudit& pair, const Look& look) {
    Table table;
    table.column("weight", Align::left)
        .column("row")
        .column("block")
        .column("column")
        .column("class", Align::left)
        .column("codes")
        .column("scales")
        .column("source")
        .column("target");
    for (const bit_exact::LocatedDifference& one : pair.differences) {
        const bit_exact::BlockDifference& b = one.block;
        table.row({one.weight, number(b.row), number(b.block), number(b.element), std::string(to_string(b.kind)),
                   fmt::format("{:x} {:x}", b.source_code, b.target_code),
                   fmt::format("{:02x} {:02x}", b.source_scale, b.target_scale), fmt::format("{}", b.source_value),
                   fmt::format("{}", b.target_value)});
    }
    std::string out = table.fits(look) ? table.text(look) : difference_list(pair.differences, look);
    std::uint64_t all = 0;
    for (const std::uint64_t count : pair.blocks.differences) all += count;
    if (!pair.differences.empty() && all > pair.differences.size())
        out += fmt::format("and {} more; --differences FILE writes all\n", number(all - pair.differences.size()));
    return out;
}

std::string errors_text(const bit_exact::BlockTally& blocks, const Look& look) {
    Table table;
    table.column("error of a block", Align::left).column("blocks");
    for (std::size_t i = 0; i < bit_exact::error_bins; ++i) {
        if (blocks.errors[i] == 0) continue;
        const std::string range = i == 0                           ? "1/2 of its largest value and above"
                                  : i + 1 == bit_exact::error_bins ? fmt::format("below 2^-{}", i)
                                                                   : fmt::format("2^-{} to 2^-{}", i + 1, i);
        table.row({range, number(blocks.errors[i])});
    }
    return table.text(look);
}

std::string sample_text(const bit_exact::SampledPart& sample) {
    const std::string part = sample.bytes_all < 1'000'000'000
                                 ? fmt::format("{} of {} bytes", number(sample.bytes), number(sample.bytes_all))
                                 : fmt::format("{:.3f} of {:.3f} GB", static_cast<double>(sample.bytes) / 1e9,
                                               static_cast<double>(sample.bytes_all) / 1e9);
    return fmt::format("{} were read, drawn by seed {}: not decided for the rest\n", part, sample.seed);
}

// A line of a sampled result, copied alone, must not pass for one of the whole.
std::string marked(const std::string& text, const bit_exact::SampledPart& sample) {
    const std::string mark = fmt::format("sample {:g} %  ", 100 * sample.fraction);
    std::string out;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin) + 1;
        const std::string line = text.substr(begin, end - begin);
        out += line == "\n" ? line : mark + line;
        begin = end;
    }
    return out;
}

// Beside the headline: what a server computes may be alike where values are not, and the reverse.
std::string served_line(const bit_exact::PairAudit& pair) {
    return fmt::format("as served, blocks equal  FP32 {} ({})   BF16 {} ({})\n", number(pair.blocks.served_fp32),
                       exact_percent(pair.blocks.served_fp32, pair.blocks.blocks), number(pair.blocks.served_bf16),
                       exact_percent(pair.blocks.served_bf16, pair.blocks.blocks));
}

std::string last_lines(const AuditReport& report) {
    std::string out;
    if (report.rebuilt) out += rebuilt_last_line(*report.rebuilt);
    if (report.pair) {
        const bit_exact::PairAudit& pair = *report.pair;
        if (report.source_blocks == 0) {
            out += "blocks bit-exact  none: the source has no FP4 weight\n";
        } else {
            // Of a sample the whole is what was read, and what it was drawn from is said beside it.
            const std::uint64_t whole = pair.sample ? pair.blocks.blocks : report.source_blocks;
            out += served_line(pair);
            const std::string drawn = pair.sample ? fmt::format(", of {}", number(report.source_blocks)) : "";
            out += fmt::format("blocks bit-exact  {} / {} ({}{})   max_abs_err {}   payload bytes equal {}\n",
                               number(pair.blocks.exact), number(whole), exact_percent(pair.blocks.exact, whole), drawn,
                               pair.blocks.max_abs_err, exact_percent(pair.blocks.payload_equal, whole));
        }
        out += fmt::format("tensors {}   passed through identical {} / {}   ", number(pair.weights),
                           number(pair.tensors_identical), number(pair.sample ? pair.tensors : report.source_tensors));
    }
    return out + fmt::format("findings {}, {}, {}\n",
                             counted(static_cast<std::int64_t>(report.count(Severity::error)), "error"),
                             counted(static_cast<std::int64_t>(report.count(Severity::warning)), "warning"),
                             counted(static_cast<std::int64_t>(report.count(Severity::note)), "note"));
}

// Of what is known whole: of a part it would name nothing.
std::string fingerprints_text(const bit_exact::PairAudit& audit) {
    std::vector<std::string> parts;
    if (audit.target_fingerprint) parts.push_back(fmt::format("fingerprint {}", checkpoints::to_hex(*audit.target_fingerprint)));
    if (audit.source_fingerprint) parts.push_back(fmt::format("source {}", checkpoints::to_hex(*audit.source_fingerprint)));
    if (parts.empty()) return {};
    if (!audit.target_fingerprint) parts.front().insert(0, "fingerprint of the ");
    return fmt::format("{}\n", fmt::join(parts, "   "));
}

}  // namespace

std::uint64_t AuditReport::count(Severity severity) const noexcept {
    return static_cast<std::uint64_t>(std::count_if(
        findings.begin(), findings.end(), [&](const rules::Finding& finding) { return finding.severity == severity; }));
}

std::string audit_text(const AuditReport& report, const Look& look) {
    const auto layouts = [](const std::string& text) { return text.empty() ? std::string("not quantized") : text; };
    std::string out = wrapped(visible(report.target), "   " + layouts(report.target_layouts), look.width, 4);
    if (report.pair) {
        out += wrapped("against " + visible(report.source), "   " + layouts(report.source_layouts), look.width, 4);
        if (report.pair->sample)
            out += sample_text(*report.pair->sample);
        out += fingerprints_text(*report.pair);
        if (report.pair->cancelled) out += "interrupted: what follows is of the part that was compared\n";
        if (!report.pair->unreadable.empty())
            out += fmt::format("{} could not be read, {} of them FP4: not decided\n",
                               counted(static_cast<std::int64_t>(report.pair->unreadable.size()), "tensor"),
                               counted(static_cast<std::int64_t>(report.pair->unread_blocks), "block"));
    }
    if (report.fingerprint)
        out += fmt::format("fingerprint {}\n", *report.fingerprint);
    else if (!report.pair && !report.rebuilt && report.fingerprint_not_asked)
        out += "fingerprint not computed: --fingerprint reads every byte for it\n";
    std::vector<std::string> parts{findings_text(report, look)};
    if (report.rebuilt) parts.push_back(rebuilt_text(*report.rebuilt));
    if (report.pair) {
        parts.push_back(differences_text(*report.pair, look));
        parts.push_back(classes_text(*report.pair, look));
        parts.push_back(errors_text(report.pair->blocks, look));
    }
    for (const std::string& part : parts) {
        if (!part.empty()) out += "\n" + part;
    }
    out += "\n" + last_lines(report);
    return report.pair && report.pair->sample ? marked(out, *report.pair->sample) : out;
}

}  // namespace assay::reports
