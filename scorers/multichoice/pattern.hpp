// Pattern: a regular expression with the meaning Python's `re` gives it on str, run by PCRE2.
//
// The other harnesses are written in Python, so their patterns are kept here as Python text and translated:
//   \s \d \w \b   Python's Unicode sets: \s is its 29 code points, \w is letters, numbers and underscore
//   ignore case   i and I also match U+0130 and U+0131, as Python's case folding has them
//   $             end of text or before one final newline; with `multi_line` also before every newline
//   ^             with `multi_line` also after every newline, a final one included
//   .             anything but "\n"; with `dot_all` anything
// Understood syntax is what those patterns use: groups, lookaround, classes, repeats, alternatives, \uXXXX; a leading
// "(?i)" is a flag. Besides, two things that Python lacks: \p{Lu} and \x{1F130}. Anything else in the pattern is the
// programmer's error.
// Positions and lengths are in bytes. Matching is by PCRE2's JIT where the machine has it.
//
// Threads: a Pattern is immutable once made; any number of threads may use one at the same time (match data is kept
// one a thread). At most 15 groups.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scorers/multichoice/utf8.hpp"

namespace assay::multichoice {

struct PatternFlags {
    bool ignore_case = false;
    bool dot_all = false;
    bool multi_line = false;
};

// Group 0 is the whole match. A group that took no part is absent.
struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<std::optional<Utf8View>> groups;
};

class Pattern {
public:
    explicit Pattern(std::string_view python, PatternFlags flags = {});
    ~Pattern();
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    // First match that begins at or after `from`; like Python's search(text, from).
    [[nodiscard]] std::optional<Match> first(Utf8View text, std::size_t from = 0) const;
    // A match that begins exactly at `at`; like Python's match(text, at).
    [[nodiscard]] std::optional<Match> at(Utf8View text, std::size_t at) const;
    // All matches, not overlapping, left to right; like Python's finditer.
    [[nodiscard]] std::vector<Match> all(Utf8View text) const;
    // The last of all(), without keeping the others.
    [[nodiscard]] std::optional<Match> last(Utf8View text) const;

    // The text with every match replaced; `replacement` is PCRE2's extended form ($0 the match, \L and \U its case).
    [[nodiscard]] std::string replaced(Utf8View text, std::string_view replacement) const;

private:
    struct Code;
    std::unique_ptr<Code> code_;
};

// The translation alone: PCRE2 pattern text (for the tests).
[[nodiscard]] std::string pcre2_from_python(std::string_view python, PatternFlags flags);

}  // namespace assay::multichoice
