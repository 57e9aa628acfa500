// Whatever happened to a file, reading it ends with questions or with a message that names it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "datasets/questions/file_kind.hpp"
#include "datasets/questions/gpqa_file.hpp"
#include "datasets/questions/prepared_file.hpp"
#include "harness/error.hpp"
#include "harness/files/read_file.hpp"

namespace assay::questions {
namespace {

enum class Ending { read, refused };

Ending read_anyway(const std::string& bytes) {
    try {
        const TextFile file = text_of_file(bytes, "f");
        if (file.kind == FileKind::csv) (void)read_gpqa_file(file.text, "f");
        else (void)read_prepared_file(file.text, "f");
        return Ending::read;
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("f: "));
        EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
        return Ending::refused;
    }
}

class DamagedFile : public testing::TestWithParam<const char*> {
protected:
    const std::string bytes_ = files::read_file(std::string(ASSAY_TEST_DATA "/questions/").append(GetParam()));
};

TEST_P(DamagedFile, IsReadOrRefusedWhereverItWasCut) {
    int refused = 0;
    for (std::size_t length = 0; length < bytes_.size(); length += 53) refused += read_anyway(bytes_.substr(0, length)) == Ending::refused ? 1 : 0;
    EXPECT_GT(refused, static_cast<int>(bytes_.size() / 53 / 2)) << "most cuts fall inside a row";
}

TEST_P(DamagedFile, IsReadOrRefusedWhateverByteChanged) {
    std::mt19937 random(1);
    int refused = 0;
    for (int i = 0; i < 400; ++i) {
        std::string damaged = bytes_;
        damaged[random() % damaged.size()] = "\"\",\n\r{}\\\0\xff[]:A"[random() % 15];
        refused += read_anyway(damaged) == Ending::refused ? 1 : 0;
    }
    EXPECT_GT(refused, 100);
}

INSTANTIATE_TEST_SUITE_P(Questions, DamagedFile, testing::Values("nasty.csv", "nasty.nemo.jsonl"),
                         [](const auto& test) { return std::string(test.index == 0 ? "Csv" : "JsonLines"); });

}  // namespace
}  // namespace assay::questions
