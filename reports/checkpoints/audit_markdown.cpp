#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/checkpoints/audit_report.hpp"
#include "reports/checkpoints/exact_percent.hpp"
#include "reports/markdown/escape.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports {
namespace {

using rules::Severity;

constexpr std::size_t most_findings = 10;  // a card is short; counts are whole

std::string number(std::uint64_t value) { return thousands(static_cast<std::int64_t>(value)); }
std::string escaped(const std::string& text) { return markdown_escaped(visible(text)); }
std::string counted_of(std::uint64_t part, std::uint64_t whole) {
    return fmt::format("{} / {} ({})", number(part), number(whole), exact_percent(part, whole));
}

// The last part of a path: a card is read elsewhere.
std::string name_of(const std::string& folder) {
    const std::filesystem::path path(folder);
    const std::string name = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
    return escaped(name.empty() ? folder : name);
}

std::string layouts_of(const std::string& layouts) { return layouts.empty() ? "not quantized" : escaped(layouts); }

class Card {
public:
    explicit Card(const AuditReport& report) : report_(report) {}

    std::string text() {
        row("checkpoint", fmt::format("{}, {}", name_of(report_.target), layouts_of(report_.target_layouts)));
        if (report_.fingerprint) fingerprint("fingerprint", *report_.fingerprint);
        if (report_.pair) pair(*report_.pair);
        if (report_.rebuilt) rebuilt(*report_.rebuilt);
        row("findings",
            fmt::format("{}, {}, {}", counted(static_cast<std::int64_t>(report_.count(Severity::error)), "error"),
                        counted(static_cast<std::int64_t>(report_.count(Severity::warning)), "warning"),
                        counted(static_cast<std::int64_t>(report_.count(Severity::note)), "note")));
        return "| audit | |\n|:--|:--|\n" + rows_ + findings();
    }

private:
    // A row of a sampled result, copied alone, must not pass for one of the whole.
    void row(const char* what, const std::string& value) {
        const std::string mark = sampled() ? fmt::format("sample {:g} %: ", 100 * report_.pair->sample->fraction) : "";
        rows_ += fmt::format("| {}{} | {} |\n", mark, what, value);
    }
    [[nodiscard]] bool sampled() const { return report_.pair && report_.pair->sample; }
    void fingerprint(const char* what, const std::string& hex) { row(what, fmt::format("`{}`", hex)); }

    void pair(const bit_exact::PairAudit& audit) {
        row("source", fmt::format("{}, {}", name_of(report_.source), layouts_of(report_.source_layouts)));
        const bit_exact::BlockTally& blocks = audit.blocks;
        if (audit.cancelled) row("interrupted", "what follows is of the part that was compared");
        // Of a sample the whole is what was read, and what it was drawn from is said beside it.
        const std::uint64_t whole = sampled() ? blocks.blocks : report_.source_blocks;
        if (sampled()) row("blocks read", counted_of(blocks.blocks, report_.source_blocks));
        if (report_.source_blocks > 0) {
            row("**blocks bit-exact**", fmt::format("**{}**", counted_of(blocks.exact, whole)));
            row("max_abs_err", fmt::format("{}", blocks.max_abs_err));
            row("payload bytes equal", exact_percent(blocks.payload_equal, whole));
        }
        for (std::size_t i = 0; i < bit_exact::difference_count; ++i) {
            if (blocks.differences[i] == 0) continue;
            const auto kind = static_cast<bit_exact::Difference>(i);
            row("blocks that differ", fmt::format("{}: {}, {} values", markdown_escaped(to_string(kind)),
                                                  number(blocks.differences[i]),
                                                  i < bit_exact::value_equal_count ? "equal" : "other"));
        }
        if (audit.unread_blocks > 0) row("blocks that could not be read", number(audit.unread_blocks));
        row("quantized weights", counted_of(audit.weights_exact, audit.weights) + " bit-exact");
        row("other tensors",
            counted_of(audit.tensors_identical, sampled() ? audit.tensors : report_.source_tensors) + " identical");
        fingerprints(audit);
    }

    void fingerprints(const bit_exact::PairAudit& audit) {
        if (audit.target_fingerprint) fingerprint("fingerprint", checkpoints::to_hex(*audit.target_fingerprint));
        if (audit.source_fingerprint) fingerprint("source fingerprint", checkpoints::to_hex(*audit.source_fingerprint));
    }

    void rebuilt(const RebuiltReport& one) {
        const checkpoints::RebuiltDigests& made = one.digests;
        row("source rebuilt from it", counted_of(made.undone, made.weights) + " NVFP4 weights undone");
        if (!made.list.fingerprint.empty() && !report_.pair) {
            fingerprint("fingerprint", made.cast_fingerprint);
            fingerprint("source fingerprint, rebuilt", made.list.fingerprint);
        }
        if (!one.against) return;
        if (one.against->files > 0)
            row("source files as published (sha256)", counted_of(one.against->files_same, one.against->files));
        if (one.against->tensors > 0)
            row("source tensors as published (sha256)", counted_of(one.against->tensors_same, one.against->tensors));
    }

    [[nodiscard]] std::string findings() const {
        std::string out;
        std::size_t shown = 0;
        for (const Severity severity : {Severity::error, Severity::warning}) {
            for (const rules::Finding& finding : report_.findings) {
                if (finding.severity != severity || ++shown > most_findings) continue;
                const std::string& place = finding.tensor.empty() ? finding.shard : finding.tensor;
                out += fmt::format("* {} {}{}{}: {}\n", to_string(severity), markdown_escaped(finding.rule),
                                   place.empty() ? "" : " ", escaped(place), escaped(finding.message));
            }
        }
        if (shown > most_findings) out += fmt::format("* and {} more\n", number(shown - most_findings));
        return out.empty() ? out : "\n" + out;
    }

    const AuditReport& report_;
    std::string rows_;
};

}  // namespace

std::string audit_markdown(const AuditReport& report) { return Card(report).text(); }

}  // namespace assay::reports
