#include <fmt/format.h>

#include <map>

#include "datasets/checkpoints/fused_name.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::rules {
namespace {

constexpr const char* in_experts =
    "vLLM, and SGLang with Marlin or CUTLASS, warn once and use the gate's for both; TensorRT-LLM took the larger and "
    "now keeps both, except for SiTU; SGLang with FlashInfer's TRT-LLM keeps both: elsewhere one half is off by their "
    "ratio";
constexpr const char* in_dense =
    "vLLM and SGLang fuse these weights, take the largest scale and leave the block scales as they are: the others are "
    "off by their ratio";

bool is_expert(const std::string& name) { return name.find(".experts.") != std::string::npos; }

}  // namespace

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
                            is_expert(modules[i].name) ? in_experts : in_dense});
    }
}

}  // namespace assay::rules
