// Thinking that a server left inline in the content, between <think> tags.
#pragma once

#include <string>

namespace assay::chat {

// Splits `content` in place and returns the thinking. At the last "</think>": what precedes it is thinking (an opening
// tag at its start is dropped, and may be missing: some templates open it in the prompt). Without a closing tag a text
// that begins with "<think>", white space aside, is thinking to its end. Otherwise nothing is split.
struct Split {
    bool found = false;
    std::string reasoning;
};
[[nodiscard]] Split split_think_tags(std::string& content);

}  // namespace assay::chat
