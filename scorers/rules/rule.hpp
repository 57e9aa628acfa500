// Rule: one question asked of a checkpoint alone. Each is a function in a file of its own; the table is in rules.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"
#include "datasets/readers/readers.hpp"
#include "scorers/rules/finding.hpp"
#include "scorers/rules/scale_survey.hpp"

namespace assay::rules {

// Small values that were read from the tensors, for the rules that need them.
struct ScalarFacts {
    std::vector<std::vector<float>> global;       // of each module, as stored; empty where it has none or is unread
    std::vector<std::vector<float>> input_scale;  // the same
    struct Head {
        std::uint32_t tensor = 0;   // an A_log
        std::vector<float> values;  // all of them
    };
    std::vector<Head> a_log;
    std::vector<ScaleSurvey> surveys;     // of each module; empty surveys where block scales were not asked for
    std::vector<std::string> unreadable;  // "tensor in file: why", for each that could not be read
};

// What each reader makes of each config, and the modules as their tensors are.
struct ReaderFacts {
    std::vector<readers::ModuleFact> modules;
    std::vector<std::vector<readers::ReaderView>> views;  // of each config of the checkpoint
};

struct RuleInput {
    const checkpoints::Opened& opened;
    const ScalarFacts& scalars;
    const ReaderFacts& readers;
};

struct Rule {
    std::string_view id;       // "index.total_size"
    Severity severity{};       // the gravest it gives
    Severity least{};          // the mildest; where it is another one, the summary says when
    std::string_view summary;  // one line for --list-rules
    void (*check)(const RuleInput& input, std::vector<Finding>& findings);
};

[[nodiscard]] std::span<const Rule> all_rules() noexcept;

// Asks these rules, in their order. Readers are emulated only where one of them needs it.
void ask(std::span<const Rule> rules, const checkpoints::Opened& opened, const ScalarFacts& scalars,
         std::vector<Finding>& findings);

void check_header_faults(const RuleInput&, std::vector<Finding>&);
void check_shards(const RuleInput&, std::vector<Finding>&);
void check_index_entries(const RuleInput&, std::vector<Finding>&);
void check_total_size(const RuleInput&, std::vector<Finding>&);
void check_shadowed(const RuleInput&, std::vector<Finding>&);
void check_modules(const RuleInput&, std::vector<Finding>&);
void check_config_presence(const RuleInput&, std::vector<Finding>&);
void check_config_nesting(const RuleInput&, std::vector<Finding>&);
void check_config_copies(const RuleInput&, std::vector<Finding>&);
void check_config_groups(const RuleInput&, std::vector<Finding>&);
void check_weight_only(const RuleInput&, std::vector<Finding>&);
void check_tied_head(const RuleInput&, std::vector<Finding>&);
void check_config_format(const RuleInput&, std::vector<Finding>&);
void check_config_refused(const RuleInput&, std::vector<Finding>&);
void check_config_hidden(const RuleInput&, std::vector<Finding>&);
void check_config_exposed(const RuleInput&, std::vector<Finding>&);
void check_config_split(const RuleInput&, std::vector<Finding>&);
void check_config_entries(const RuleInput&, std::vector<Finding>&);
void check_global_scales(const RuleInput&, std::vector<Finding>&);
void check_scale_one(const RuleInput&, std::vector<Finding>&);
void check_scale_reciprocal(const RuleInput&, std::vector<Finding>&);
void check_scale_power(const RuleInput&, std::vector<Finding>&);
void check_shared_scales(const RuleInput&, std::vector<Finding>&);
void check_input_scales(const RuleInput&, std::vector<Finding>&);
void check_input_scale_some(const RuleInput&, std::vector<Finding>&);
void check_input_scale_one(const RuleInput&, std::vector<Finding>&);
void check_nan_scales(const RuleInput&, std::vector<Finding>&);
void check_negative_scales(const RuleInput&, std::vector<Finding>&);
void check_zero_scales(const RuleInput&, std::vector<Finding>&);
void check_subnormal_scales(const RuleInput&, std::vector<Finding>&);
void check_unpaired_scales(const RuleInput&, std::vector<Finding>&);
void check_closed_form(const RuleInput&, std::vector<Finding>&);
void check_a_log_heads(const RuleInput&, std::vector<Finding>&);
void check_a_log(const RuleInput&, std::vector<Finding>&);

}  // namespace assay::rules
