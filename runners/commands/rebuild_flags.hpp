// The part of `assay audit` that rebuilds the MXFP4 source of a cast: its flags, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "datasets/checkpoints/pairing.hpp"
#include "reports/checkpoints/audit_report.hpp"
#include "runners/flags.hpp"

namespace assay::runners {

class RebuildFlags {
public:
    void declare(Flags& flags);

    // Reads --source-digests, so that a file that cannot be read ends the command before hours of hashing. Throws
    // assay::Error for flags that do not fit each other.
    void check();
    // Throws assay::Error where any of them was given: `why` says what passes them over.
    void refuse(std::string_view why) const;
    [[nodiscard]] bool asked() const { return reconstruct_ || given_file_ || write_; }

    // Rebuilds, compares, and writes --write-digests; fills report.rebuilt and adds to its findings.
    void run(const checkpoints::Opened& cast, unsigned threads, bool quiet, reports::AuditReport& report) const;

private:
    bool reconstruct_ = false;
    std::optional<std::string> given_file_;
    std::optional<std::string> write_;
    std::optional<std::string> layout_;
    std::optional<checkpoints::DigestList> given_;
};

}  // namespace assay::runners
