// A run's folder: the names of its files, and what a folder is.
#pragma once

#include <string>

#include "datasets/runs/run_json.hpp"

namespace assay::runs {

enum class FolderKind : unsigned char {
    missing,       // no such path
    file,          // something, but no folder
    empty,         // a folder without files (a lock or a half-written run.json do not count)
    run,           // holds run.json
    journal_only,  // holds journal.jsonl but no run.json
    nemo_results,  // holds output.jsonl or output-rs*.jsonl and no run.json
    other,
};

[[nodiscard]] FolderKind kind_of_folder(const std::string& path);

[[nodiscard]] std::string run_json_path(const std::string& run);
[[nodiscard]] std::string journal_path(const std::string& run);
[[nodiscard]] std::string lock_path(const std::string& run);

// run.json of a run. Throws assay::Error, one clear line, where the path is no run.
[[nodiscard]] RunDocument read_run_document(const std::string& run);

}  // namespace assay::runs
