// Published right answers a seed, as a user gives them: "190 185 182 / 198".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace assay::runners {

struct PublishedCounts {
    std::vector<std::int64_t> correct;  // by seed, each 0..questions; at least one
    std::int64_t questions = 0;         // at least one
    std::string source;                 // "the command line", or the file's name
};

// Whole numbers with spaces, commas or line ends between, then '/', then the number of questions. A text of other characters
// is the name of a file with such a text. Throws assay::Error, saying what was expected.
[[nodiscard]] PublishedCounts read_published_counts(const std::string& given);

}  // namespace assay::runners
