// All rules asked of a small checkpoint on disk.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "runners/drivers/walk_scalars.hpp"
#include "scorers/rules/rule.hpp"
#include "tests/support/checkpoints/small_model.hpp"

namespace assay::rules {

using support::CheckpointFiles;
using support::CheckpointFolder;
using support::Dialect;

using Counts = std::map<std::string, int>;

inline std::vector<Finding> findings_of(const CheckpointFolder& folder) {
    const checkpoints::Opened opened = checkpoints::open_and_recognise(folder.path());
    ScalarFacts scalars = runners::read_scalars(opened);
    runners::survey_scales(opened, 2, nullptr, scalars);
    std::vector<Finding> findings;
    ask(all_rules(), opened, scalars, findings);
    return findings;
}

// Rules that say more than a note, with how often.
inline Counts tripped(const CheckpointFolder& folder) {
    Counts counts;
    for (const Finding& finding : findings_of(folder))
        counts[finding.rule] += finding.severity == Severity::note ? 0 : 1;
    std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
    return counts;
}

// In config.json, once; the test fails where it is not there.
inline void replace(CheckpointFiles& files, const std::string& from, const std::string& to) {
    std::string& config = files.others["config.json"];
    const auto at = config.find(from);
    if (at == std::string::npos) {
        ADD_FAILURE() << "no " << from << " in " << config;
        return;
    }
    config.replace(at, from.size(), to);
}

}  // namespace assay::rules
