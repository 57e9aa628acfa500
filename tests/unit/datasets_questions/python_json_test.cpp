#include "datasets/questions/python_json.hpp"

#include <gtest/gtest.h>

namespace assay::questions {
namespace {

TEST(PythonJson, EscapesAsJsonDumpsDoes) {
    EXPECT_EQ(python_json_string("a\"b\\c/d\n\r\t\b\f'"), R"("a\"b\\c/d\n\r\t\b\f'")");
    EXPECT_EQ(python_json_string(std::string_view("\0\x1f\x7f~", 4)), R"("\u0000\u001f\u007f~")");
    EXPECT_EQ(python_json_string("\u00e9\u2028\uffff"), R"("\u00e9\u2028\uffff")");
    EXPECT_EQ(python_json_string("\U0001d538\U0010ffff"), R"("\ud835\udd38\udbff\udfff")");
    EXPECT_EQ(python_json_string(""), "\"\"");
}

}  // namespace
}  // namespace assay::questions
