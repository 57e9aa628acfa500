#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

using checkpoints::QuantizationConfig;

constexpr std::string_view hf_file = "hf_quant_config.json";

std::string first_of(const std::vector<std::string>& names) {
    return names.empty() ? std::string{} : fmt::format(" ('{}'{})", names[0], names.size() > 1 ? " .." : "");
}

std::vector<std::string> minus(const std::set<std::string>& a, const std::set<std::string>& b) {
    std::vector<std::string> left;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
    return left;
}

}  // namespace

void check_config_copies(const RuleInput& input, std::vector<Finding>& findings) {
    const auto& configs = input.opened.checkpoint.configs;
    const auto hf = std::find_if(configs.begin(), configs.end(), [](const auto& one) { return one.where == hf_file; });
    if (hf == configs.end() || hf == configs.begin()) return;
    const QuantizationConfig& flat = configs.front();
    const auto say = [&](std::string message) {
        findings.push_back({"config.copies",
                            Severity::warning,
                            flat.where,
                            {},
                            {},
                            {},
                            std::move(message),
                            "vLLM and SGLang take config.json, TensorRT-LLM and older servers hf_quant_config.json: "
                            "they load different models"});
    };
    if (flat.quant_algo != hf->quant_algo)
        say(fmt::format("quant_algo is '{}' here and '{}' in {}", flat.quant_algo, hf->quant_algo, hf_file));
    const std::set<std::string> here(flat.ignore.begin(), flat.ignore.end());
    const std::set<std::string> there(hf->exclude_modules.begin(), hf->exclude_modules.end());
    const auto only_here = minus(here, there);
    const auto only_there = minus(there, here);
    if (!only_here.empty() || !only_there.empty())
        say(fmt::format("{} excluded here alone{}, {} in {} alone{}", only_here.size(), first_of(only_here),
                        only_there.size(), hf_file, first_of(only_there)));
}

}  // namespace assay::rules
