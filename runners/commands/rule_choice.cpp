#include "runners/commands/rule_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/error.hpp"
#include "reports/terminal/wrap.hpp"
#include "runners/spelling.hpp"

namespace assay::runners {
namespace {

constexpr int summary_column = 24 + 1 + 17 + 1;

std::string_view family_of(std::string_view id) { return id.substr(0, id.find('.')); }

bool is_meant(const rules::Rule& rule, std::string_view wanted) {
    return rule.id == wanted || family_of(rule.id) == wanted;
}

// Rules of the family that was typed, or that hold what was typed, or else the nearest by spelling.
std::vector<std::string> near(const std::string& wanted) {
    std::vector<std::string> found;
    std::vector<std::string> names;
    for (const rules::Rule& rule : rules::all_rules()) {
        const std::string id(rule.id);
        names.push_back(id);
        names.emplace_back(family_of(id));
        if (id.find(wanted) != std::string::npos) found.push_back(id);
    }
    if (found.empty()) {
        const std::string nearest = nearest_name(wanted, names);
        if (!nearest.empty()) return {nearest};
        for (const rules::Rule& rule : rules::all_rules()) {
            if (family_of(rule.id) == family_of(wanted)) found.emplace_back(rule.id);
        }
    }
    return found;
}

std::vector<std::string> split(const std::vector<std::string>& lists) {
    std::vector<std::string> names;
    for (const std::string& list : lists) {
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(',', begin), list.size());
            std::string name = list.substr(begin, end - begin);
            name.erase(0, name.find_first_not_of(' '));
            name.erase(name.find_last_not_of(' ') + 1);
            if (!name.empty()) names.push_back(std::move(name));
            begin = end + 1;
        }
    }
    return names;
}

void refuse_unknown(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto all = rules::all_rules();
        if (std::any_of(all.begin(), all.end(), [&](const rules::Rule& rule) { return is_meant(rule, name); })) continue;
        const std::vector<std::string> others = near(name);
        throw Error(fmt::format("no rule {}{}; --list-rules prints them", name,
                                others.empty() ? "" : fmt::format(": did you mean {}?", fmt::join(others, ", "))));
    }
}

bool names_rule(const std::vector<std::string>& names, const rules::Rule& rule) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_meant(rule, name); });
}

}  // namespace

std::vector<rules::Rule> chosen_rules(const std::vector<std::string>& only, const std::vector<std::string>& ignored) {
    const std::vector<std::string> wanted = split(only);
    const std::vector<std::string> left_out = split(ignored);
    refuse_unknown(wanted);
    refuse_unknown(left_out);
    std::vector<rules::Rule> chosen;
    for (const rules::Rule& rule : rules::all_rules()) {
        if ((wanted.empty() || names_rule(wanted, rule)) && !names_rule(left_out, rule)) chosen.push_back(rule);
    }
    if (chosen.empty()) throw Error("--rules and --ignore leave no rule to ask; --list-rules prints them");
    return chosen;
}

RuleNeeds needs_of(const std::vector<rules::Rule>& chosen) {
    RuleNeeds needs;
    for (const rules::Rule& rule : chosen) {
        const std::string_view family = family_of(rule.id);
        if (family == "block_scale") needs.block_scales = true;
        // Whether a weight is a cast is asked of its global scale too.
        if (family == "scale" || family == "a_log" || rule.id == "block_scale.closed_form" || rule.id == "block_scale.unpaired")
            needs.scalars = true;
    }
    return needs;
}

std::string rule_list(const std::vector<rules::Rule>& rules, bool json, int width) {
    if (json) {
        nlohmann::ordered_json list{{"format", "assay.rules/1"}, {"rules", nlohmann::ordered_json::array()}};
        for (const rules::Rule& rule : rules)
            list["rules"].push_back({{"id", rule.id},
                                     {"severity", rules::to_string(rule.severity)},
                                     {"least_severity", rules::to_string(rule.least)},
                                     {"summary", rule.summary}});
        return list.dump(2) + "\n";
    }
    std::string text;
    for (const rules::Rule& rule : rules) {
        std::string severity(rules::to_string(rule.severity));
        if (rule.least != rule.severity) severity += fmt::format(" to {}", rules::to_string(rule.least));
        text += reports::wrapped(fmt::format("{:<24} {:<17} ", rule.id, severity), rule.summary, width, summary_column);
    }
    return text;
}

}  // namespace assay::runners
