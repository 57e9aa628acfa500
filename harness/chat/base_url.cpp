#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "harness/chat/client.hpp"
#include "harness/error.hpp"
#include "harness/http/proxy.hpp"
#include "harness/http/url.hpp"

namespace assay::chat {
namespace {

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

// ".local" is of the own link (RFC 6762), ".internal" reserved for private use (ICANN, 2024).
bool stays_inside(const std::string& host) {
    const bool bare = host.find('.') == std::string::npos && host.find(':') == std::string::npos;
    return bare || http::is_private_host(host) || host.ends_with(".local") || host.ends_with(".internal");
}

bool names_a_secret(const std::string& header) {
    const std::string name = lower_case(header.substr(0, header.find(':')));
    constexpr std::array<std::string_view, 5> marks{"key", "auth", "token", "secret", "cookie"};
    return std::any_of(marks.begin(), marks.end(), [&name](std::string_view mark) { return name.find(mark) != std::string::npos; });
}

}  // namespace

std::string checked_base_url(const std::string& base_url) {
    std::string text = base_url;
    while (text.ends_with('/')) text.pop_back();
    const auto url = http::parse_url(text);
    if (!url) throw Error(fmt::format("expected an http or https URL for --base-url, as http://127.0.0.1:8000/v1; found \"{}\"", base_url));
    // None of these messages shows the URL: it may hold a password or a key.
    if (url->has_user) throw Error("--base-url carries a user name or password; give the key with OPENAI_API_KEY or --api-key-file");
    if (url->has_query || url->has_fragment) {
        throw Error("--base-url carries a query or a fragment (? or #), which the paths of the API cannot follow; take it off");
    }
    for (const char* ending : {"/chat/completions", "/completions", "/models"}) {
        if (url->path.ends_with(ending)) {
            throw Error(fmt::format("--base-url ends in {}, which is added by itself; end it at /v1", ending));
        }
    }
    if (url->path.ends_with("/v1/v1")) throw Error("--base-url ends in /v1/v1, which doubles the path; end it at one /v1");
    return text;
}

void check_headers(const std::vector<std::string>& headers) {
    for (const std::string& header : headers) {
        const auto colon = header.find(':');
        // The text itself may be a key and is not shown.
        if (colon == std::string::npos || colon == 0) throw Error("expected \"Name: value\" for --header, found no colon");
        if (header.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
            throw Error(fmt::format("--header {} holds a line break or NUL, which would begin another header; take it out", lower_case(header.substr(0, colon)).substr(0, 40)));
        }
    }
}

bool sends_key_in_clear(const Endpoint& endpoint) {
    const auto url = http::parse_url(endpoint.base_url);
    if (!url || url->scheme != "http" || stays_inside(url->host)) return false;
    return !endpoint.api_key.empty() || std::any_of(endpoint.headers.begin(), endpoint.headers.end(), names_a_secret);
}

std::string proxy_of(const Endpoint& endpoint) {
    const auto url = http::parse_url(endpoint.base_url);
    if (!url) return {};
    return http::proxy_shown(http::proxy_for(*url, endpoint.proxy, [](const char* name) -> const char* { return std::getenv(name); }));
}

}  // namespace assay::chat
