#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/nemo/nemo_metrics.hpp"
#include "tests/support/golden_file.hpp"

namespace assay::reports {
namespace {

using nlohmann::json;

template <typename Value>
std::optional<Value> optional_at(const json& row, std::size_t index) {
    const json& value = row.at(index);
    return value.is_null() ? std::nullopt : std::optional<Value>(value.get<Value>());
}

NemoRow row_of(const json& row) {
    NemoRow out;
    out.predicted_answer = optional_at<std::string>(row, 0);
    out.correct = row.at(1).get<bool>();
    out.generated_tokens = optional_at<std::int64_t>(row, 2);
    out.reasoning_tokens = optional_at<std::int64_t>(row, 3);
    out.answer_tokens = optional_at<std::int64_t>(row, 4);
    out.started_unix_s = optional_at<double>(row, 5);
    out.ended_unix_s = optional_at<double>(row, 6);
    out.subset = optional_at<std::string>(row, 7);
    return out;
}

class NemoGolden : public testing::TestWithParam<int> {
protected:
    [[nodiscard]] static std::string golden(const char* what) {
        return support::file_text(fmt::format("{}/nemo_metrics/case_{:02}.{}", ASSAY_TEST_DATA, GetParam(), what));
    }

    [[nodiscard]] static std::vector<NemoRun> runs() {
        std::vector<NemoRun> out;
        const json document = json::parse(golden("rows.json"));
        for (const json& run : document.at("runs")) {
            NemoRun& added = out.emplace_back();
            added.file = run.at("file");
            for (const json& row : run.at("rows")) added.rows.push_back(row_of(row));
        }
        return out;
    }
};

// Runs are handed over in reverse, since their order must not matter.
TEST_P(NemoGolden, MetricsAndTableAreThoseOfNemoSkillsByteForByte) {
    std::vector<NemoRun> reversed = runs();
    std::reverse(reversed.begin(), reversed.end());
    const std::vector<NemoGroup> groups = nemo_aggregate("gpqa", reversed);
    ASSERT_FALSE(golden("metrics.json").empty());
    EXPECT_EQ(nemo_metrics_json(groups), golden("metrics.json"));
    EXPECT_EQ(nemo_metrics_table(groups), golden("table.txt"));
}

INSTANTIATE_TEST_SUITE_P(Cases, NemoGolden, testing::Range(0, 21));

}  // namespace
}  // namespace assay::reports
