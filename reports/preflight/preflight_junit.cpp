#include <fmt/format.h>

#include <algorithm>

#include "reports/junit/test_suite.hpp"
#include "reports/preflight/preflight_report.hpp"

namespace assay::reports {
namespace {

using preflight::Verdict;

TestCase case_of(const preflight::Check& check, bool accepted) {
    TestCase one{std::string(check.name), CaseEnd::passed, check.found, {}};
    if (!check.advice.empty()) one.detail.push_back(check.advice);
    if (check.verdict == Verdict::verified) return one;
    if (accepted) {
        one.message = fmt::format("{}, accepted: {}", to_string(check.verdict), check.found);
    } else if (check.verdict == Verdict::refuted) {
        one.end = CaseEnd::failed;
    } else if (check.needed) {
        one.end = CaseEnd::undecided;
    } else {
        one.message = fmt::format("{}, and not needed: {}", to_string(check.verdict), check.found);
    }
    return one;
}

}  // namespace

std::string preflight_junit(const PreflightReport& report) {
    std::vector<TestSuite> suites;
    for (const CheckedEndpoint& endpoint : report.endpoints) {
        TestSuite suite{"assay preflight", endpoint.base_url, endpoint.simulated, endpoint.facts, {}};
        suite.properties.insert(suite.properties.begin(), {{"model", report.model}, {"dataset", report.dataset}, {"protocol", report.protocol}});
        for (const preflight::Check& check : endpoint.checks) {
            const bool accepted = std::find(report.accepted.begin(), report.accepted.end(), check.name) != report.accepted.end();
            suite.cases.push_back(case_of(check, accepted));
        }
        suites.push_back(std::move(suite));
    }
    return junit(suites);
}

}  // namespace assay::reports
