// What a cast prints on a narrow terminal.
#include <gtest/gtest.h>

#include <sstream>

#include "reports/checkpoints/cast_report.hpp"

namespace assay {
namespace {

// The first line wider than that which could have been broken, its indent and its first word aside.
std::string too_wide(const std::string& text, std::size_t width) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() > width && line.find(' ', line.find_first_not_of(' ')) != std::string::npos) return line;
    }
    return {};
}

cast::CastSummary full_summary() {
    cast::CastSummary summary;
    summary.source = "/models/Kimi-K3";
    summary.target = "/models/Kimi-K3-NVFP4";
    summary.source_layouts = "compressed-tensors MXFP4";
    summary.shards = 96;
    summary.shards_kept = 40;
    summary.totals = {744'516, 1'645'946'964'992, 1'646'063'000'000, 247'296, 85'085'650'944};
    summary.counts.blocks = 85'085'650'944;
    summary.counts.rescued = 1'220;
    summary.counts.rounded = 3;
    for (int m = -20; m < 0; ++m) summary.counts.exponents[m] = 12'000;
    summary.verified = cast::Verified{85'085'650'944, 85'085'650'944, 85'085'650'944, 0, 247'296, 2'628, 2'628};
    summary.listed = {"model.layers.1.w1 row 65 block 0: scale 2^-27, rounded"};
    summary.notes = {"a note that is longer than the forty columns of the narrowest terminal"};
    summary.findings = {"note: config.weight_only config.json: a finding that is longer than that, too"};
    summary.source_fingerprint = summary.target_fingerprint = std::string(32, 'f');
    summary.taken_up = {"model-00002-of-000096.safetensors, which rank 1 of 4 (process 42 on node-1) had in hand"};
    return summary;
}

TEST(CastReport, FitsANarrowTerminal) {
    cast::CastSummary summary = full_summary();
    cast::ReverseSummary reverse;
    reverse.source = "/models/Kimi-K3-NVFP4";
    reverse.target = "/models/Kimi-K3";
    reverse.notes = summary.notes;
    for (const int width : {60, 40}) {
        const reports::Look look{.width = width};
        const auto limit = static_cast<std::size_t>(width);
        EXPECT_EQ(too_wide(reports::cast_text(summary, false, look), limit), "");
        EXPECT_EQ(too_wide(reports::cast_text(summary, true, look), limit), "");
        for (const bool recorded : {false, true}) {
            reverse.recorded = recorded;
            EXPECT_EQ(too_wide(reports::reverse_text(reverse, look), limit), "");
        }
        auto stopped = summary;
        stopped.cancelled = reverse.cancelled = true;
        stopped.verified.reset();
        EXPECT_EQ(too_wide(reports::cast_text(stopped, false, look), limit), "");
        EXPECT_EQ(too_wide(reports::reverse_text(reverse, look), limit), "");
        reverse.cancelled = false;
        stopped.cancelled = false;
        EXPECT_EQ(too_wide(reports::cast_text(stopped, false, look), limit), "");
    }
}

}  // namespace
}  // namespace assay
