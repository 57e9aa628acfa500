// assay::Error: the one exception type, for what ends a run.
//
// Thrown for bad flags, unreadable files, refused keys and the like; never for what befell one item
// (a cut stream, a missing letter, a NaN scale), which is data and is counted by name.
// The message is one line: what was expected, what was found, where, and what to do; lower case,
// no trailing full stop. It may hold text from outside; whoever prints it neutralises control characters.
#pragma once

#include <stdexcept>
#include <string>

namespace assay {

class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace assay
