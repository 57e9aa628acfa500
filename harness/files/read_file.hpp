// Reading a file whole.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace assay::files {

// The bytes of the file at `path`, untouched. Pipes and other streams are read to their end.
// Throws assay::Error, naming the path and the cause, where it does not exist or may not be read (an OpenError), is a
// directory, fails while it is read, or holds more than `limit` bytes.
[[nodiscard]] std::string read_file(const std::string& path,
                                    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max());

}  // namespace assay::files
