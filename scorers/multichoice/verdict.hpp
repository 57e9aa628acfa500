// Verdict: what an extractor made of one reply.
#pragma once

#include <optional>
#include <string>

namespace assay::multichoice {

struct Verdict {
    // What the extractor read: usually one capital letter, but an extractor that reproduces another harness
    // may give any text ("7" from \boxed{7}); absent where it found nothing. It votes in majority@k as it is.
    std::optional<std::string> prediction;
    bool correct = false;  // prediction equals the correct letter, byte for byte
};

}  // namespace assay::multichoice
