// The question set of the project's own, in GPQA's columns, embedded in the program when it is built.
#pragma once

#include <string_view>

namespace assay::questions {

// The bytes of datasets/questions/sample/sample.csv. They live as long as the program.
[[nodiscard]] std::string_view sample_csv() noexcept;

}  // namespace assay::questions
