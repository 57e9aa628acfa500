// Generated texts with what each harness's own code reads from them (300 of the 120,000 on which both were compared).
// lm-evaluation-harness's values are as its metric compares them: without case and punctuation.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "scorers/multichoice/judge.hpp"

using namespace assay::multichoice;
using nlohmann::json;

namespace {

std::vector<json> rows() {
    std::ifstream file(ASSAY_TEST_DATA "/multichoice_extractor_golden.jsonl");
    std::vector<json> out;
    for (std::string line; std::getline(file, line);) out.push_back(json::parse(line));
    return out;
}

}  // namespace

TEST(ExtractorGolden, EveryExtractorReadsWhatItsHarnessReads) {
    const auto all = rows();
    ASSERT_EQ(all.size(), 300U);
    std::map<std::string, int> with_value;
    for (const json& row : all) {
        const auto text = row["text"].get<std::string>();
        const auto options = row["options"].get<std::vector<std::string>>();
        for (const auto& [name, expected] : row["values"].items()) {
            const Verdict verdict = judge(extractor_named(name), text, Options{options}, 'B');
            const json read = verdict.prediction ? json(*verdict.prediction) : json(nullptr);
            EXPECT_EQ(read, expected) << name << " of " << row["text"];
            with_value[name] += expected.is_null() ? 0 : 1;
        }
    }
    // assay is this project's own; no other code gives its values.
    for (const Extractor& extractor : extractors()) {
        if (extractor.name == "assay") continue;
        EXPECT_GE(with_value[std::string(extractor.name)], 20) << extractor.name;
    }
}
