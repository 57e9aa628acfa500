#include <fmt/format.h>

#include "reports/compare/compare_parts.hpp"
#include "reports/junit/test_suite.hpp"

namespace assay::reports {
namespace {

CaseEnd end_of(statistics::GateVerdict verdict) {
    switch (verdict) {
        case statistics::GateVerdict::pass: return CaseEnd::passed;
        case statistics::GateVerdict::fail: return CaseEnd::failed;
        case statistics::GateVerdict::inconclusive: break;
    }
    return CaseEnd::undecided;
}

std::string of_gate(const statistics::Gate& gate, std::int64_t questions, bool published, TestSuite suite, const std::vector<std::string>& more) {
    TestCase one{fmt::format("not worse by {:.2f} points or more", 100 * gate.margin), end_of(gate.verdict), {}, {}};
    for (const Fact& fact : gate_facts(gate, questions, published)) {
        const std::string line = fact.label + " " + fact.value + (fact.words.empty() ? "" : "   " + fact.words);
        if (one.message.empty()) one.message = line;
        else one.detail.push_back(line);
    }
    one.detail.insert(one.detail.end(), more.begin(), more.end());
    suite.cases = {one};
    return junit({suite});
}

}  // namespace

std::string gate_junit(const ComparisonReport& report) {
    const std::string& simulated = report.a.plan.simulated.empty() ? report.b.plan.simulated : report.a.plan.simulated;
    std::vector<std::string> more = report.differences;
    for (const std::string& note : report.notes) more.push_back("note: " + note);
    return of_gate(*report.gate, static_cast<std::int64_t>(report.table_a.rows()), false,
                   {"assay compare", report.a.run + " " + report.b.run, simulated, {}, {}}, more);
}

std::string gate_junit(const PublishedReport& report) {
    std::vector<std::string> more;
    for (const std::string& note : report.notes) more.push_back("note: " + note);
    return of_gate(*report.gate, report.questions, true, {"assay compare", report.run.run + " published counts of " + report.source, report.run.plan.simulated, {}, {}},
                   more);
}

}  // namespace assay::reports
