// Secrets: byte strings that must not be kept or shown, taken out of text that a server may have echoed them in.
#pragma once

#include <string>
#include <vector>

namespace assay::chat {

class Secrets {
public:
    // The key, and the values of header lines ("Name: value"); what is shorter than 4 bytes is not looked for.
    Secrets(const std::string& api_key, const std::vector<std::string>& headers);

    // `text` with each of them replaced by "[key]".
    [[nodiscard]] std::string scrubbed(std::string text) const;

private:
    std::vector<std::string> secrets_;  // longest first
};

}  // namespace assay::chat
