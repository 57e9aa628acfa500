// ModuleFact: what the tensors of a checkpoint say of one module, before any configuration is asked.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/module.hpp"

namespace assay::readers {

// How a module's weight is stored, or would be built.
enum class Form : std::uint8_t { plain, fp4, fp8 };

[[nodiscard]] std::string_view to_string(Form form) noexcept;

enum class ModuleKind : std::uint8_t {
    linear,     // two axes of real numbers, or quantized: what servers build as a linear layer or an expert
    embedding,  // two axes too, and looked up by row
    other,      // norms, convolutions, tables: no reader quantizes them
};

// `name` points into the checkpoint or recognition it was taken from, which must live as long.
struct ModuleFact {
    std::string_view name;  // the tensors' name without ".weight", ".weight_packed", "_blocks" ..
    Form form{};
    ModuleKind kind{};

    [[nodiscard]] bool quantized() const noexcept { return form != Form::plain; }
};

// Every module that has a weight, by name; quantized ones whose parts are broken too.
[[nodiscard]] std::vector<ModuleFact> module_facts(const checkpoints::Checkpoint& checkpoint,
                                                   const checkpoints::Recognition& recognition);

}  // namespace assay::readers
