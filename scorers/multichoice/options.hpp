// Options: what a question offered, as an extractor needs it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace assay::multichoice {

struct Options {
    std::span<const std::string> texts;  // in the order asked; letters from 'A' on; owned by the question

    [[nodiscard]] std::size_t size() const noexcept { return texts.size(); }
    // One capital ASCII letter that stands for a choice.
    [[nodiscard]] bool has_letter(std::string_view letter) const noexcept {
        return letter.size() == 1 && letter[0] >= 'A' && static_cast<std::size_t>(letter[0] - 'A') < size();
    }
};

}  // namespace assay::multichoice
