// Fact: one figure of a report, with its name and what it means.
//
//   truncated            18 (0.57 %)   cut at the budget of 65,536 tokens; 12 without a letter
//   |<-    label     ->| |<- value ->|  |<- words, wrapped under themselves
#pragma once

#include <string>

#include "reports/terminal/style.hpp"

namespace assay::reports {

// Texts are visible() already.
struct Fact {
    std::string label;
    std::string value;
    std::string words;        // may be empty
    Tint tint = Tint::plain;  // of label and value
    bool detail = false;      // belongs to the fact before it
};

inline constexpr int fact_label_width = 21;
inline constexpr int fact_value_width = 14;

// For a terminal, ended by LF; a detail is indented by two. In a narrow window the words stand on lines of their own.
[[nodiscard]] std::string fact_text(const Fact& fact, const Look& look);

}  // namespace assay::reports
