#include "harness/files/python_json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

using assay::files::python_json_float;
using assay::files::python_json_string;

namespace {

std::string unhex(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

TEST(PythonJson, WritesEveryGoldenValueAsCPythonDid) {
    std::ifstream file(ASSAY_TEST_DATA "/python_json_golden.txt");
    ASSERT_TRUE(file);
    int floats = 0;
    int strings = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t space = line.find(' ', 2);
        const std::string input = line.substr(2, space - 2);
        const std::string expected = line.substr(space + 1);
        if (line[0] == 'f') {
            EXPECT_EQ(python_json_float(std::bit_cast<double>(std::stoull(input, nullptr, 16))), expected) << line;
            ++floats;
        } else {
            EXPECT_EQ(python_json_string(unhex(input)), expected) << line;
            ++strings;
        }
    }
    EXPECT_GT(floats, 2000);
    EXPECT_GT(strings, 400);
}

TEST(PythonJson, WritesWhatIsNoNumberAsPythonPrintsIt) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(python_json_float(infinity), "Infinity");
    EXPECT_EQ(python_json_float(-infinity), "-Infinity");
    EXPECT_EQ(python_json_float(std::numeric_limits<double>::quiet_NaN()), "NaN");
    EXPECT_EQ(python_json_float(-0.0), "-0.0");
}

TEST(PythonJson, ReplacesEachIllFormedPartOnce) {
    EXPECT_EQ(python_json_string("a\xff" "b"), R"("a\ufffdb")");
    EXPECT_EQ(python_json_string("\xe2\x82"), R"("\ufffd")");            // cut short: one part
    EXPECT_EQ(python_json_string("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")");  // a surrogate
    EXPECT_EQ(python_json_string("\xc0\xaf"), R"("\ufffd\ufffd")");      // overlong
    EXPECT_EQ(python_json_string("\xf4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");
}

}  // namespace
