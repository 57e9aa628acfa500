// The case file: one text a line with what each harness reads from it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "scorers/multichoice/judge.hpp"

using namespace assay::multichoice;
using nlohmann::json;

namespace {

const std::vector<std::string> kFour{"one", "two", "three", "four"};

std::vector<json> cases() {
    std::ifstream file(ASSAY_TEST_DATA "/multichoice_extraction_cases.jsonl");
    std::vector<json> out;
    for (std::string line; std::getline(file, line);) out.push_back(json::parse(line));
    return out;
}

struct Column {
    const char* field;
    const char* extractor;
};

class CaseFile : public ::testing::TestWithParam<Column> {};

}  // namespace

TEST_P(CaseFile, EveryCaseIsReadAsExpected) {
    const Extractor& extractor = extractor_named(GetParam().extractor);
    const auto lines = cases();
    ASSERT_EQ(lines.size(), 90U);
    for (const json& line : lines) {
        const auto text = line["text"].get<std::string>();
        const json& expected = line[GetParam().field];
        const Verdict verdict = judge(extractor, text, Options{kFour}, 'B');
        const json read = verdict.prediction ? json(*verdict.prediction) : json(nullptr);
        EXPECT_EQ(read, expected) << "case " << line["id"] << ": " << line["why"];
        EXPECT_EQ(verdict.correct, expected == "B");
    }
}

INSTANTIATE_TEST_SUITE_P(Columns, CaseFile, 
                         ::testing::Values(Column{"nemo_expected", "nemo-v3"}, Column{"nemo_main_2026", "nemo-v4"},
                                           Column{"nemo_2025_07", "nemo-v1"}, Column{"simple_evals", "simple-evals"},
                                           Column{"aa_cascade", "aa-cascade"}),
                         [](const auto& instance) { return std::string(instance.param.field); });
