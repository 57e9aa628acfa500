#include "datasets/readers/module_fact.hpp"

#include <algorithm>
#include <array>

namespace assay::readers {
namespace {

using namespace checkpoints;

constexpr std::string_view weight_suffix = ".weight";

Form form_of(LayoutId id) { return layout_of(id).fp4() ? Form::fp4 : Form::fp8; }

Form form_of(Dtype dtype) {
    return dtype == Dtype::F8_E4M3 || dtype == Dtype::F8_E5M2 || dtype == Dtype::F8_E4M3FNUZ ||
                   dtype == Dtype::F8_E5M2FNUZ
               ? Form::fp8
               : Form::plain;
}

ModuleKind kind_of(const Tensor& tensor) {
    const bool number = tensor.dtype == Dtype::BF16 || tensor.dtype == Dtype::F16 || tensor.dtype == Dtype::F32 ||
                        form_of(tensor.dtype) == Form::fp8;
    if (!number || tensor.shape.size() != 2) return ModuleKind::other;
    return tensor.name.find("embed") == std::string::npos ? ModuleKind::linear : ModuleKind::embedding;
}

}  // namespace

std::string_view to_string(Form form) noexcept {
    static constexpr std::array<std::string_view, 3> names{"plain", "FP4", "FP8"};
    return names[static_cast<std::size_t>(form)];
}

std::vector<ModuleFact> module_facts(const Checkpoint& checkpoint, const Recognition& recognition) {
    std::vector<ModuleFact> facts;
    facts.reserve(recognition.modules.size() + recognition.broken.size() + recognition.plain.size());
    for (const Module& module : recognition.modules)
        facts.push_back({module.name, form_of(module.layout), ModuleKind::linear});
    for (const BrokenModule& module : recognition.broken)
        facts.push_back({module.name, form_of(module.layout), ModuleKind::linear});
    for (const std::uint32_t index : recognition.plain) {
        const Tensor& tensor = checkpoint.tensors[index];
        std::string_view name = tensor.name;
        if (!name.ends_with(weight_suffix) || name.size() == weight_suffix.size()) continue;
        name.remove_suffix(weight_suffix.size());
        facts.push_back({name, form_of(tensor.dtype), kind_of(tensor)});
    }
    std::stable_sort(facts.begin(), facts.end(),
                     [](const ModuleFact& a, const ModuleFact& b) { return a.name < b.name; });
    return facts;
}

}  // namespace assay::readers
