// RUN/run.json: the plan of a run and its hash, and beside it what is not hashed. Format assay.run/1.
#pragma once

#include <string>

#include "datasets/runs/plan.hpp"
#include "datasets/runs/run_info.hpp"

namespace assay::runs {

struct RunDocument {
    Plan plan;
    std::string plan_hash;  // as recorded
    RunInfo info;           // of the process that wrote it last
    double created_unix_s = 0;
    double updated_unix_s = 0;
};

// The file's bytes: indented JSON with a line feed at the end. plan_hash is computed anew.
[[nodiscard]] std::string run_json(const RunDocument& document);

// Reads what run_json() wrote; keys it does not know are passed over. `path` is only named in messages.
// Throws assay::Error for text that is no such document, and for a newer format, by name.
[[nodiscard]] RunDocument parse_run_json(const std::string& text, const std::string& path);

}  // namespace assay::runs
