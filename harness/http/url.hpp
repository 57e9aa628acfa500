// Url: the parts of an http(s) URL, as libcurl reads it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace assay::http {

struct Url {
    std::string scheme;  // "http" or "https", lower case
    std::string host;    // IPv6 literals without brackets
    int port = 0;        // the scheme's own where none is written
    std::string path;    // at least "/"
    bool has_user = false;
    bool has_query = false;
    bool has_fragment = false;

    [[nodiscard]] std::string origin() const;  // scheme://host:port, IPv6 literals in brackets
};

// Nothing for what is no absolute http or https URL.
[[nodiscard]] std::optional<Url> parse_url(const std::string& text);

// True for an IPv4 or IPv6 literal.
[[nodiscard]] bool is_address_literal(const std::string& host);

// True for localhost, *.localhost, and literals of loopback, private (RFC 1918, RFC 4193), link-local
// or carrier-shared (RFC 6598) ranges: hosts that a proxy must not see and that plain http may reach.
[[nodiscard]] bool is_private_host(const std::string& host);

}  // namespace assay::http
