#include "reports/junit/test_suite.hpp"

#include <gtest/gtest.h>

namespace assay::reports {
namespace {

TEST(Junit, SaysOfEachCaseHowItEnded) {
    TestSuite suite{"assay audit", "models/K3", {}, {{"layouts", "MXFP4"}}, {}};
    suite.cases = {{"shards", CaseEnd::passed, {}, {}},
                   {"scales", CaseEnd::failed, "error: NaN", {"error: NaN", "error: 2 more"}},
                   {"reading", CaseEnd::undecided, "error: cut", {}},
                   {"notes", CaseEnd::passed, {}, {"note: a", "note: b"}}};
    EXPECT_EQ(junit({suite}), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="assay">
  <testsuite name="assay audit models/K3" tests="4" failures="1" errors="1" skipped="0">
    <properties>
      <property name="layouts" value="MXFP4"/>
    </properties>
    <testcase classname="assay audit" name="shards"/>
    <testcase classname="assay audit" name="scales">
      <failure message="error: NaN">error: NaN
error: 2 more
</failure>
    </testcase>
    <testcase classname="assay audit" name="reading">
      <error message="error: cut"></error>
    </testcase>
    <testcase classname="assay audit" name="notes">
      <system-out>note: a
note: b
</system-out>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(Junit, TextFromOutsideIsText) {
    TestSuite suite{"assay audit", "a\"><x>\x1b[2J", "p=1", {{"n&", "<v>"}}, {{"c<", CaseEnd::failed, "\"m\"", {"]]> </failure>\n&"}}}};
    const std::string text = junit({suite});
    EXPECT_NE(text.find(R"(<testsuite name="SIMULATED: assay audit a&quot;&gt;&lt;x&gt;\x1b[2J")"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(<property name="simulated" value="p=1"/>)"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(<property name="n&amp;" value="&lt;v&gt;"/>)"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(name="c&lt;">)"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(<failure message="&quot;m&quot;">]]&gt; &lt;/failure&gt;\n&amp;)"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay::reports
