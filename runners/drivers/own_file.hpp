// A file that a flag names for what the program writes there.
#pragma once

#include <string>
#include <string_view>

namespace assay::runners {

// Throws assay::Error where `path` is a file that does not begin with `beginning`, as those written before do: one of the
// checkpoint, above all, must not be lost to a slip of the keyboard. `flag` and `what` are for the message: "--differences",
// "differences". An empty file may be written over.
void require_own_file(const std::string& path, std::string_view flag, std::string_view what, std::string_view beginning);

}  // namespace assay::runners
