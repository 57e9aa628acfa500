#include "datasets/runs/plan.hpp"

#include <map>

#include "datasets/runs/plan_json.hpp"
#include "harness/files/digest.hpp"
#include "harness/files/python_json.hpp"

namespace assay::runs {
namespace {

using Members = std::map<std::string, std::string>;  // key -> JSON text

void add(Members& members, const std::string& key, const std::string& value) {
    if (!value.empty()) members[key] = files::python_json_string(value);
}

void add(Members& members, const std::string& key, const std::optional<std::string>& value) {
    if (value) members[key] = files::python_json_string(*value);
}

void add(Members& members, const std::string& key, const std::optional<double>& value) {
    if (value) members[key] = files::python_json_float(*value == 0 ? 0.0 : *value);  // no minus zero
}

template <class Integer>
void add_integer(Members& members, const std::string& key, const std::optional<Integer>& value) {
    if (value) members[key] = std::to_string(*value);
}

std::string object_of(const Members& members) {
    std::string text = "{";
    for (const auto& [key, value] : members) {
        if (text.size() > 1) text += ',';
        text.append(files::python_json_string(key)).append(":").append(value);
    }
    return text + "}";
}

Members sampling_members(const Sampling& sampling) {
    Members members;
    add(members, "temperature", sampling.temperature);
    add(members, "top_p", sampling.top_p);
    add_integer(members, "greedy_seed", sampling.greedy_seed);
    add(members, "reasoning_effort", sampling.reasoning_effort);
    add(members, "extra_body", sampling.extra_body);
    return members;
}

Members plan_members(const Plan& plan) {
    Members members;
    add(members, "dataset_name", plan.dataset_name);
    add_integer(members, "dataset_rows", std::optional<int>(plan.dataset_rows));
    add(members, "dataset_sha256", plan.dataset_sha256);
    add(members, "protocol", plan.protocol);
    add(members, "prompts_sha256", plan.prompts_sha256);
    add(members, "model", plan.model);
    add_integer(members, "budget", plan.budget);
    add(members, "budget_field", plan.budget_field);
    add(members, "simulated", plan.simulated);
    return members;
}

std::string shown(const Members& members, const std::string& key) {
    const auto found = members.find(key);
    if (found == members.end()) return "nothing";
    std::string text = found->second;
    if (text.front() == '"') text.front() = text.back() = '\'';
    return text;
}

}  // namespace

std::string plan_json(const Plan& plan) {
    Members members = plan_members(plan);
    members["sampling"] = object_of(sampling_members(plan.sampling));
    return object_of(members);
}

std::string plan_hash(const Plan& plan) { return files::sha256_hex(plan_json(plan)); }

std::vector<std::string> differences(const Plan& recorded, const Plan& wanted) {
    // In the order in which a reader would look: what is asked, of whom, how.
    Members before = plan_members(recorded);
    Members now = plan_members(wanted);
    before.merge(sampling_members(recorded.sampling));
    now.merge(sampling_members(wanted.sampling));
    std::vector<std::string> lines;
    for (const char* key : {"dataset_name", "dataset_rows", "dataset_sha256", "protocol", "prompts_sha256", "model",
                            "temperature", "top_p", "greedy_seed", "reasoning_effort", "extra_body", "budget",
                            "budget_field", "simulated"}) {
        const std::string was = shown(before, key);
        const std::string is = shown(now, key);
        if (was != is) lines.push_back(std::string(key) + ": this run was made with " + was + ", now " + is);
    }
    return lines;
}

}  // namespace assay::runs
