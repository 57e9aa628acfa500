#include "datasets/questions/file_kind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/datasets_questions/thrown.hpp"

namespace assay::questions {
namespace {

using namespace std::string_view_literals;
using ::testing::HasSubstr;

std::string refusal(std::string_view bytes) {
    return thrown([&] { (void)text_of_file(bytes, "f"); });
}

TEST(FileKind, TellsCsvFromJsonLinesByContent) {
    EXPECT_EQ(text_of_file("Question,Correct Answer\n", "f.jsonl").kind, FileKind::csv);
    EXPECT_EQ(text_of_file("\n {\"problem\": 1}\n", "f.csv").kind, FileKind::json_lines);
}

TEST(FileKind, TakesTheByteOrderMarkOff) {
    EXPECT_EQ(text_of_file("\xef\xbb\xbfQuestion", "f").text, "Question");
    EXPECT_EQ(text_of_file("\xef\xbb\xbf{}", "f").kind, FileKind::json_lines);
}

TEST(FileKind, SaysWhatElseAFileIs) {
    EXPECT_THAT(refusal("version https://git-lfs.github.com/spec/v1\noid sha256:00\n"), HasSubstr("f: this is a Git LFS pointer"));
    EXPECT_THAT(refusal("<!doctype html>"), HasSubstr("HTML"));
    EXPECT_THAT(refusal("PK\x03\x04\x14\0"sv), HasSubstr("zip archive"));
    EXPECT_THAT(refusal("\x1f\x8b\x08\0"sv), HasSubstr("gzip"));
    EXPECT_THAT(refusal("PAR1\x15\0"sv), HasSubstr("Parquet"));
    EXPECT_THAT(refusal("\xff\xfeQ\0"sv), HasSubstr("UTF-16"));
    EXPECT_THAT(refusal("[{}]"), HasSubstr("JSON array"));
    EXPECT_THAT(refusal(""), HasSubstr("the file is empty"));
    EXPECT_THAT(refusal("\xef\xbb\xbf \r\n"), HasSubstr("the file is empty"));
}

TEST(FileKind, NamesTheLineOfBytesThatAreNotText) {
    EXPECT_THAT(refusal("a\nb\nc\0d"sv), HasSubstr("f: a NUL byte on line 3 (offset 5)"));
    EXPECT_THAT(refusal("a\n\xe9t\xe9\n"), HasSubstr("f: byte 0xe9 on line 2 (offset 2) is not valid UTF-8"));
}

}  // namespace
}  // namespace assay::questions
