// Private to the mappings: which ranges of memory a SIGBUS is caught in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace assay::files {

// Watches [begin, end), whole pages, until unwatch(). Nothing where all places are taken. Installs the handler with the
// first call. Threads: any.
[[nodiscard]] std::optional<std::size_t> watch_for_bus_errors(std::uintptr_t begin, std::uintptr_t end);
void unwatch(std::size_t slot) noexcept;
// Where the first fault was, or 0.
[[nodiscard]] std::uintptr_t bus_fault(std::size_t slot) noexcept;

}  // namespace assay::files
