#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/checkpoints/audit_report.hpp"
#include "reports/junit/test_suite.hpp"

namespace assay::reports {
namespace {

// Findings of a part that could not be read: they decide nothing by themselves.
bool is_of_reading(const std::string& rule) { return rule == "read.scalar" || rule == "pair.unreadable"; }

std::string line_of(const rules::Finding& finding) {
    std::string line = fmt::format("{}: ", to_string(finding.severity));
    if (!finding.tensor.empty()) line += finding.tensor + " ";
    if (!finding.shard.empty()) line += fmt::format("in {} ", finding.shard);
    return line + finding.message + "; " + finding.consequence;
}

TestCase case_of(const std::string& rule, const std::vector<const rules::Finding*>& findings, rules::Severity fail_on) {
    TestCase one{rule, CaseEnd::passed, {}, {}};
    const auto fails = [&](const rules::Finding* finding) { return finding->severity >= fail_on; };
    const auto gravest = std::find_if(findings.begin(), findings.end(), fails);
    if (gravest != findings.end()) {
        one.end = is_of_reading(rule) ? CaseEnd::undecided : CaseEnd::failed;
        one.message = line_of(**gravest);
    }
    for (std::size_t i = 0; i < std::min(findings.size(), AuditReport::most_findings); ++i) one.detail.push_back(line_of(*findings[i]));
    if (findings.size() > AuditReport::most_findings) one.detail.push_back(fmt::format("{} more", findings.size() - AuditReport::most_findings));
    return one;
}

TestCase blocks_case(const bit_exact::PairAudit& pair, bool strict_bytes) {
    const bit_exact::BlockTally& blocks = pair.blocks;
    TestCase one{"blocks", CaseEnd::passed, {}, {}};
    one.message = fmt::format("{} of {} compared blocks bit-exact, {} with equal payload bytes; max_abs_err {}", blocks.exact, blocks.blocks,
                              blocks.payload_equal, blocks.max_abs_err);
    if (blocks.exact < blocks.blocks || (strict_bytes && blocks.payload_equal < blocks.blocks)) one.end = CaseEnd::failed;
    return one;
}

}  // namespace

std::string audit_junit(const AuditReport& report, const AuditTerms& terms) {
    std::vector<std::string> order = terms.rules;
    std::map<std::string, std::vector<const rules::Finding*>> by_rule;
    for (const rules::Finding& finding : report.findings) {
        if (std::find(order.begin(), order.end(), finding.rule) == order.end()) order.push_back(finding.rule);
        by_rule[finding.rule].push_back(&finding);
    }
    TestSuite suite{"assay audit", report.target, {}, {{"layouts", report.target_layouts}}, {}};
    if (report.fingerprint) suite.properties.emplace_back("fingerprint", *report.fingerprint);
    for (const std::string& rule : order) suite.cases.push_back(case_of(rule, by_rule[rule], terms.fail_on));
    const auto undecided = [&](const char* name, const char* why) { suite.cases.push_back({name, CaseEnd::undecided, why, {}}); };
    if (report.pair) {
        suite.properties.emplace_back("source", report.source);
        if (report.pair->target_fingerprint) suite.properties.emplace_back("fingerprint", checkpoints::to_hex(*report.pair->target_fingerprint));
        suite.cases.push_back(blocks_case(*report.pair, terms.strict_bytes));
        if (report.pair->sample) undecided("whole", "a sample was read, not all of it");
        if (report.pair->cancelled) undecided("whole", "interrupted before all of it was read");
    }
    if (report.rebuilt && !report.rebuilt->digests.refused.empty()) undecided("rebuilt", "tensors of the source could not be rebuilt");
    if (!terms.holds_tensors) undecided("whole", "there is no tensor to audit");
    return junit({suite});
}

}  // namespace assay::reports
