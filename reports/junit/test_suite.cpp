#include "reports/junit/test_suite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/escape.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports {
namespace {

std::string xml(const std::string& text) { return html_escaped(visible(text)); }

std::string content(const TestCase& one) {
    std::string lines;
    for (const std::string& line : one.detail) lines += xml(line) + "\n";
    switch (one.end) {
        case CaseEnd::failed: return fmt::format("      <failure message=\"{}\">{}</failure>\n", xml(one.message), lines);
        case CaseEnd::undecided: return fmt::format("      <error message=\"{}\">{}</error>\n", xml(one.message), lines);
        case CaseEnd::passed: break;
    }
    if (one.message.empty() && lines.empty()) return {};
    return fmt::format("      <system-out>{}</system-out>\n", one.message.empty() ? lines : xml(one.message) + "\n" + lines);
}

std::string counts(const TestSuite& suite) {
    const auto count = [&](CaseEnd end) {
        return std::count_if(suite.cases.begin(), suite.cases.end(), [&](const TestCase& one) { return one.end == end; });
    };
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\"", suite.cases.size(), count(CaseEnd::failed),
                       count(CaseEnd::undecided));
}

std::string rendered(const TestSuite& suite) {
    std::string text = fmt::format("  <testsuite name=\"{}{} {}\" {}>\n", suite.simulated.empty() ? "" : "SIMULATED: ", xml(suite.command),
                                   xml(suite.subject), counts(suite));
    std::vector<std::pair<std::string, std::string>> properties = suite.properties;
    if (!suite.simulated.empty()) properties.insert(properties.begin(), {"simulated", suite.simulated});
    if (!properties.empty()) {
        text += "    <properties>\n";
        for (const auto& [name, value] : properties) text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", xml(name), xml(value));
        text += "    </properties>\n";
    }
    for (const TestCase& one : suite.cases) {
        const std::string inside = content(one);
        text += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(suite.command), xml(one.name));
        text += inside.empty() ? "/>\n" : ">\n" + inside + "    </testcase>\n";
    }
    return text + "  </testsuite>\n";
}

}  // namespace

std::string junit(const std::vector<TestSuite>& suites) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\">\n";
    for (const TestSuite& suite : suites) text += rendered(suite);
    return text + "</testsuites>\n";
}

}  // namespace assay::reports
