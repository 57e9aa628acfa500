// Reading one letter where a declaration leads up to it: through emphasis, quotes, brackets and LaTeX wrappers,
// and looking at what follows, which tells a choice from an article, a pronoun or a symbol in a formula.
#pragma once

#include <cstddef>
#include <optional>

#include "scorers/multichoice/options.hpp"
#include "scorers/multichoice/utf8.hpp"

namespace assay::multichoice::own {

struct Label {
    char letter = 'A';      // capital; on offer
    bool several = false;   // others are named beside it ("B or C"): which one is meant is not clear
    std::size_t end = 0;    // byte after it and what closes it
};

enum class Lead {
    colon,   // "Answer: B", where words may follow
    phrase,  // "the answer is B", where a word after the letter makes it part of that word's phrase
};

// The label that begins at `at` (white space and openers may come first); absent where there is none on offer.
[[nodiscard]] std::optional<Label> label_at(Utf8View text, std::size_t at, Lead lead, const Options& options);

// The label that `content` (the inside of a box, or one line) consists of: a letter alone, or one that a sign divides from
// the text after it ("B) 5 eV", "C: ..."), or one wrapped by itself ("\text{A} 2.08").
[[nodiscard]] std::optional<Label> label_of(Utf8View content, const Options& options);

}  // namespace assay::multichoice::own
