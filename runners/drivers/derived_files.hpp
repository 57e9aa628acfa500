// The files of a run that are made anew from its journal: summary.json, metrics.json, output-rsN.jsonl.
#pragma once

#include <string>

#include "runners/drivers/judged_run.hpp"

namespace assay::runners {

// Each is written to a sibling and renamed; files that are there and would come out the same are left alone. Throws assay::Error where one cannot be written.
void write_derived_files(const std::string& run, const JudgedRun& judged);

}  // namespace assay::runners
