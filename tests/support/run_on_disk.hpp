// What a run's folder says, for tests that compare runs.
#pragma once

#include <map>
#include <string>
#include <utility>

namespace assay::support {

// By (seed, question): the row of output-rs<seed>.jsonl without what a clock decides, as text.
[[nodiscard]] std::map<std::pair<int, int>, std::string> rows_without_times(const std::string& run);

// How many payloads of that type ("begin", "try") are in the journal, whole lines only; 0 where there is none yet.
[[nodiscard]] int records(const std::string& run, const std::string& type);

// The most tries with a scored outcome that any attempt has on record.
[[nodiscard]] int most_scored_tries(const std::string& run);

}  // namespace assay::support
