// JSON text: a string between quotes, escaped where it has to be.
#pragma once

#include <string>
#include <string_view>

namespace assay::checkpoints {

// UTF-8 stays UTF-8; ill-formed sequences become U+FFFD.
[[nodiscard]] std::string json_text(std::string_view text);

}  // namespace assay::checkpoints
