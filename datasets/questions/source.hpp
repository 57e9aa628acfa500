// Source: the bytes behind what a user gave as a question set.
#pragma once

#include <string>

namespace assay::questions {

struct Source {
    std::string name;   // how the set is recorded: "sample", "gpqa:diamond", or the file's name without its folders
    std::string place;  // for messages: the path that was read, or "sample"
    std::string bytes;
};

// `given` is one of the names "sample" (embedded in the program), "gpqa:diamond", "gpqa:main", "gpqa:extended" (the local Hugging
// Face cache), and otherwise a path; a file called sample is "./sample".
// Throws assay::Error for a name that is not known, a set that is not in the cache, and a file that cannot be read or holds
// more than 1 GiB.
[[nodiscard]] Source find_source(const std::string& given);

}  // namespace assay::questions
