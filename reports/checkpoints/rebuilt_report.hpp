// What `assay audit --reconstruct-source-digests` prints of the source it rebuilt.
//
//   rebuilt source  6 / 6 NVFP4 weights undone   files 2 / 2   fingerprint 88ef..
//   4d7a..  model-00001-of-000002.safetensors
//   source digests  files as given 2 / 2   tensors as given 27 / 27
#pragma once

#include <optional>
#include <string>

#include "datasets/checkpoints/rebuilt_digests.hpp"
#include "scorers/rules/digest_findings.hpp"

namespace assay::reports {

struct RebuiltReport {
    checkpoints::RebuiltDigests digests;
    std::optional<rules::DigestCounts> against;  // where digests of the source were given
    std::string given;                           // the file they stood in

    static constexpr std::size_t most_shown = 100;  // files, and tensors, of text; JSON holds ten times as many
};

// Lines for the report's body, ended by LF: digests of files (two of a name: without and with __metadata__), then of
// tensors, as sha256sum writes them; the first `most_shown` of each.
[[nodiscard]] std::string rebuilt_text(const RebuiltReport& report);
// The line that sums up the comparison, ended by LF; empty where nothing was given.
[[nodiscard]] std::string rebuilt_last_line(const RebuiltReport& report);

}  // namespace assay::reports
