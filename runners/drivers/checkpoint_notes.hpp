// What the report of a run says of the weights behind it, where `assay score --checkpoint` named a report of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/runs/run_reader.hpp"

namespace assay::runners {

// Of the last session that named one.
[[nodiscard]] std::optional<runs::AuditedCheckpoint> checkpoint_of(const runs::RunContents& contents);

// One line each: what speaks against the weights, what the server says that does not fit them, sessions that named none.
[[nodiscard]] std::vector<std::string> checkpoint_notes(const runs::RunContents& contents);

// Whether two runs were asked of the same weights, in one line; "" where neither names any.
[[nodiscard]] std::string weights_note(const std::optional<runs::AuditedCheckpoint>& a, const std::optional<runs::AuditedCheckpoint>& b);

}  // namespace assay::runners
