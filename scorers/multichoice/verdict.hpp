// Verdict: what an extractor made of one reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::multichoice {

struct Verdict {
    // What the extractor read: usually one capital letter, but an extractor that reproduces another harness
    // may give any text ("7" from \boxed{7}); absent where it found nothing. It votes in majority@k as it is.
    std::optional<std::string> prediction;
    bool correct = false;  // prediction equals the correct letter, byte for byte
    std::string_view why;  // why there is no prediction, where the extractor says; text of the program's lifetime
};

}  // namespace assay::multichoice
