// Which rules `assay audit` asks: --rules and --ignore against the table of rules.
#pragma once

#include <string>
#include <vector>

#include "scorers/rules/rule.hpp"

namespace assay::runners {

// Lists name rules by id ("scale.shared") or family ("scale"), each entry one or several with commas between; an empty
// `only` is all of them. In the table's order. Throws assay::Error where a name is none, with those that come near.
[[nodiscard]] std::vector<rules::Rule> chosen_rules(const std::vector<std::string>& only,
                                                    const std::vector<std::string>& ignored);

// What of the tensors these rules look at.
struct RuleNeeds {
    bool scalars = false;       // global and input scales, A_log
    bool block_scales = false;
};
[[nodiscard]] RuleNeeds needs_of(const std::vector<rules::Rule>& chosen);

// What --list-rules prints of each rule: id, severities from the gravest to the mildest, and what the rule asks, broken at `width` columns
// (0: no limit); as JSON "format": "assay.rules/1".
[[nodiscard]] std::string rule_list(const std::vector<rules::Rule>& rules, bool json, int width);

}  // namespace assay::runners
