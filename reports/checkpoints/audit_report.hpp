// What `assay audit` prints: findings, blocks that differ, and the two lines that sum it up.
//
//   blocks bit-exact  85,085,650,944 / 85,085,650,944 (100.0000 %)   max_abs_err 0   payload bytes equal 100.0000 %
//   tensors 247,296   passed through identical 2,628 / 2,628   findings 0 errors, 0 warnings, 0 notes
//
// A part never prints as 100.0000 % of a whole it is not. JSON is one object, "format": "assay.audit/1", with the same
// numbers, ended by LF.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/checkpoints/rebuilt_report.hpp"
#include "reports/terminal/style.hpp"
#include "scorers/bit_exact/pair_audit.hpp"
#include "scorers/rules/finding.hpp"

namespace assay::reports {

struct AuditReport {
    std::string target;  // folder
    std::string
        target_layouts;  // "compressed-tensors MXFP4"; several joined by " + "; empty where nothing is quantized
    std::optional<std::string> fingerprint;  // of a checkpoint alone, where every byte was read
    bool fingerprint_not_asked = false;      // of a checkpoint alone: text then says how to get it
    // Of a comparison:
    std::optional<bit_exact::PairAudit> pair;
    std::string source;
    std::string source_layouts;
    std::uint64_t source_blocks = 0;   // FP4 blocks of the source, compared or not
    std::uint64_t source_tensors = 0;  // tensors of the source outside its FP4 weights, compared or not
    std::optional<RebuiltReport> rebuilt;  // of the source that was rebuilt from the checkpoint
    // Findings in their order; all are counted, and text shows at most `most_findings` of each severity.
    std::vector<rules::Finding> findings;

    static constexpr std::size_t most_findings = 20;
    [[nodiscard]] std::uint64_t count(rules::Severity severity) const noexcept;
};

[[nodiscard]] std::string audit_text(const AuditReport& report, const Look& look);
[[nodiscard]] std::string audit_json(const AuditReport& report);
// A short table for a model card: names without their folders, counts, fingerprints, the first errors and warnings.
[[nodiscard]] std::string audit_markdown(const AuditReport& report);

// What an audit was asked for, which says what fails it.
struct AuditTerms {
    std::vector<std::string> rules;  // ids, in their order
    rules::Severity fail_on = rules::Severity::error;
    bool strict_bytes = false;
    bool holds_tensors = true;
};
// For build servers: a case a rule, one of the comparison's blocks, and one of whatever could not be decided.
[[nodiscard]] std::string audit_junit(const AuditReport& report, const AuditTerms& terms);

// One line of `--differences FILE.jsonl`, ended by LF: "format": "assay.difference/1".
[[nodiscard]] std::string difference_line(const bit_exact::LocatedDifference& difference);

}  // namespace assay::reports
