// A flag that a command would pass over is refused: whoever gave it believes that it does something.
#pragma once

#include <initializer_list>
#include <string_view>

namespace assay::runners {

struct MaybeGiven {
    bool given = false;
    std::string_view flag;
};

// Throws assay::Error where any is given, naming those. `why`: what it is here that leaves them without effect.
void refuse_passed_over(std::string_view why, std::initializer_list<MaybeGiven> flags);

}  // namespace assay::runners
