#include "harness/chat/secrets.hpp"

#include <algorithm>
#include <string_view>

namespace assay::chat {

Secrets::Secrets(const std::string& api_key, const std::vector<std::string>& headers) {
    const auto keep = [this](std::string_view secret) {
        if (secret.size() >= 4) secrets_.emplace_back(secret);
    };
    keep(api_key);
    for (const std::string& header : headers) {
        const auto colon = header.find(':');
        if (colon == std::string::npos) continue;
        std::string_view value = std::string_view(header).substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
        keep(value);
        if (value.starts_with("Bearer ")) keep(value.substr(7));
    }
    std::sort(secrets_.begin(), secrets_.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
}

std::string Secrets::scrubbed(std::string text) const {
    constexpr std::string_view mark = "[key]";
    for (const std::string& secret : secrets_) {
        for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + mark.size())) {
            text.replace(at, secret.size(), mark);
        }
    }
    return text;
}

}  // namespace assay::chat
