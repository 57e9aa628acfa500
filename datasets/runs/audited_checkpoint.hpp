// AuditedCheckpoint: what a report of `assay audit` or `assay cast` says of the weights that a server is said to serve.
//
// It joins the two questions that assay answers: the score was measured over HTTP, the weights were compared on disk, and the
// fingerprint is what both records hold. That the server has loaded these very files is nothing that can be seen from outside.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace assay::runs {

struct AuditedCheckpoint {
    std::string report;         // the file, as the user named it
    std::string report_sha256;  // of its bytes, lower-case hex
    std::string judge;          // "audit" or "cast"
    std::string checkpoint;     // folder, as the report names it; of a cast, where its report lies
    std::string fingerprint;    // of the whole checkpoint, 32 lower-case hex digits (datasets/checkpoints/fingerprint.hpp)
    std::string source;         // what it was compared with, as named there; empty where the report does not say
    std::string source_fingerprint;  // empty: not compared with a source

    // Where compared: 32-wide blocks of the source and its tensors to pass through, missing ones among them, and how many of each
    // came out equal.
    std::int64_t blocks = 0;
    std::int64_t blocks_exact = 0;
    std::int64_t tensors = 0;
    std::int64_t tensors_identical = 0;

    // Findings of the report.
    std::int64_t errors = 0;
    std::int64_t warnings = 0;

    [[nodiscard]] bool compared() const noexcept { return !source_fingerprint.empty(); }
    // Nothing in the report speaks against the weights: no error, and every value equal where they were compared.
    [[nodiscard]] bool clean() const noexcept { return errors == 0 && blocks == blocks_exact && tensors == tensors_identical; }

    friend bool operator==(const AuditedCheckpoint&, const AuditedCheckpoint&) = default;
};

// Reads the JSON of `assay audit --format json` (assay.audit/1) or assay-cast.json (assay.cast/1), which may be large: its shards
// are passed over. Throws assay::Error where the file is neither, is newer, or holds no fingerprint of a whole checkpoint (an audit
// that was sampled, interrupted, could not read everything, or was not asked for one), with what to do.
[[nodiscard]] AuditedCheckpoint read_checkpoint_report(const std::string& path);

// What a server says it loaded: of its facts (RunInfo::server) the values of "root" and "model_path", each once, in order. A root
// that is only the name of the model again (SGLang), and no path, says nothing of where it came from.
[[nodiscard]] std::vector<std::string> paths_served(const std::vector<std::pair<std::string, std::string>>& server, const std::string& model);

}  // namespace assay::runs
