// A verdict as JUnit's XML, which build servers show: a suite of test cases that passed, failed, or could not be decided.
//
// The form is the one that Jenkins, GitLab and GitHub's actions read (testsuites / testsuite / testcase with failure, error or
// system-out); there is no schema of JUnit's own. Without times, so that the same inputs give the same bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace assay::reports {

enum class CaseEnd : unsigned char {
    passed,
    failed,     // <failure>: what makes the command end 1
    undecided,  // <error>: what makes it end 3
};

struct TestCase {
    std::string name;
    CaseEnd end = CaseEnd::passed;
    std::string message;              // one line: what was found
    std::vector<std::string> detail;  // further lines
};

struct TestSuite {
    std::string command;  // "assay audit": the class of every case
    std::string subject;  // what was looked at
    std::string simulated;  // parameters of a simulated endpoint; the suite's name then starts with SIMULATED
    std::vector<std::pair<std::string, std::string>> properties;
    std::vector<TestCase> cases;
};

// All text may come from outside: it is visible() and escaped. Ends with LF.
[[nodiscard]] std::string junit(const std::vector<TestSuite>& suites);

}  // namespace assay::reports
