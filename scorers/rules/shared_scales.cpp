#include <fmt/format.h>

#include <map>

#include "datasets/checkpoints/fused_name.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::rules {

void check_shared_scales(const RuleInput& input, std::vector<Finding>& findings) {
    const auto& modules = input.opened.recognition.modules;
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const auto& value = input.scalars.global[i];
        if (value.empty()) continue;
        const std::string key = checkpoints::fused_name(modules[i].name);
        if (key.empty()) continue;
        const auto [place, added] = first.emplace(key, i);
        if (added || input.scalars.global[place->second] == value) continue;
        const checkpoints::Tensor& tensor = input.opened.checkpoint.tensors[*modules[i].global];
        findings.push_back({"scale.shared",
                            Severity::error,
                            input.opened.checkpoint.shards[tensor.shard].file,
                            tensor.name,
                            {},
                            {},
                            fmt::format("the global scale is {}, but {} has {}", value[0], modules[place->second].name,
                                        input.scalars.global[place->second][0]),
                            "vLLM uses the first for both and warns once, SGLang's Marlin path does the same, "
                            "TensorRT-LLM takes the larger: one half is off by their ratio"});
    }
}

}  // namespace assay::rules
