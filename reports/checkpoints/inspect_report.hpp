// What `assay inspect` prints: a checkpoint as a whole, or one tensor of it.
//
// Text is for people: names from outside are made visible, numbers carry separators. JSON is one object,
// "format": "assay.inspect/1", with the same numbers, ended by LF.
#pragma once

#include <string>

#include "datasets/checkpoints/checkpoint.hpp"
#include "datasets/checkpoints/inventory.hpp"
#include "datasets/checkpoints/module.hpp"
#include "datasets/checkpoints/tensor_detail.hpp"
#include "reports/terminal/style.hpp"

namespace assay::reports {

// Refers to what it shows; none of it may die first.
struct InspectReport {
    const checkpoints::Checkpoint& checkpoint;
    const checkpoints::Recognition& recognition;
    const checkpoints::Inventory& inventory;
};

[[nodiscard]] std::string inspect_text(const InspectReport& report, const Look& look);
[[nodiscard]] std::string inspect_json(const InspectReport& report);

[[nodiscard]] std::string tensor_text(const checkpoints::TensorDetail& detail, const Look& look);
[[nodiscard]] std::string tensor_json(const checkpoints::TensorDetail& detail);

}  // namespace assay::reports
