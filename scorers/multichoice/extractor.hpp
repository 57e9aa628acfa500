// Extractor: how one harness reads the chosen letter out of a reply. One small file each under extractors/,
// one line each in the table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "datasets/questions/answer_form.hpp"
#include "scorers/multichoice/options.hpp"
#include "scorers/multichoice/utf8.hpp"

namespace assay::multichoice {

// What was read. An extractor that reproduces another harness may read any text, not only a letter on offer.
struct Extraction {
    std::optional<std::string> prediction;  // absent: no answer
    std::string_view why;                   // why there is none, where the extractor says so; text of the program's lifetime
};

// Pure, and safe to call from any number of threads at once. Time is linear in the text.
using Extract = Extraction (*)(Utf8View text, const Options& options);

// Which endings an extractor is made to read.
struct Reads {
    std::string_view words;  // for people: "reads boxes and lines 'Answer: B'"
    unsigned forms;          // bit 1 << AnswerForm for each

    [[nodiscard]] bool fits(questions::AnswerForm form) const noexcept { return (forms >> static_cast<unsigned>(form) & 1U) != 0; }
};

struct Extractor {
    std::string_view name;    // as a flag takes it: "nemo-v3"
    std::string_view source;  // whose behaviour this is, and of when
    Extract extract;
    Reads reads;
};

// The table, in the order in which names are listed to users.
[[nodiscard]] std::span<const Extractor> extractors() noexcept;

// The row of that name. Throws assay::Error with the known names where there is none.
[[nodiscard]] const Extractor& extractor_named(std::string_view name);

inline constexpr std::string_view kDefaultExtractor = "nemo-v3";

}  // namespace assay::multichoice
