#include "harness/http/url.hpp"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <memory>

namespace assay::http {
namespace {

using Handle = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, flags) != CURLUE_OK || text == nullptr) return {};
    std::string copy = text;
    curl_free(text);
    return copy;
}

std::string without_brackets(std::string host) {
    if (host.size() >= 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    return host;
}

bool in_ipv4(std::uint32_t address, std::uint32_t network, int bits) {
    return (address >> (32 - bits)) == (network >> (32 - bits));
}

bool is_private_ipv4(std::uint32_t address) {
    return in_ipv4(address, 0x7f000000, 8) || in_ipv4(address, 0x0a000000, 8) || in_ipv4(address, 0xac100000, 12) ||
           in_ipv4(address, 0xc0a80000, 16) || in_ipv4(address, 0xa9fe0000, 16) || in_ipv4(address, 0x64400000, 10) ||
           address == 0;
}

}  // namespace

std::string Url::origin() const {
    const bool six = host.find(':') != std::string::npos;
    return scheme + "://" + (six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::optional<Url> parse_url(const std::string& text) {
    if (text.find('\0') != std::string::npos || text.find(":///") != std::string::npos) return std::nullopt;  // libcurl takes a third slash for a slip
    const Handle handle(curl_url(), &curl_url_cleanup);
    if (!handle || curl_url_set(handle.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return std::nullopt;
    Url url;
    url.scheme = part(handle.get(), CURLUPART_SCHEME);
    if (url.scheme != "http" && url.scheme != "https") return std::nullopt;
    url.host = without_brackets(part(handle.get(), CURLUPART_HOST));
    if (url.host.empty()) return std::nullopt;
    const std::string port = part(handle.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
    std::from_chars(port.data(), port.data() + port.size(), url.port);
    url.path = part(handle.get(), CURLUPART_PATH);
    url.has_user = !part(handle.get(), CURLUPART_USER).empty() || !part(handle.get(), CURLUPART_PASSWORD).empty();
    url.has_query = text.find('?') != std::string::npos;
    url.has_fragment = text.find('#') != std::string::npos;
    return url;
}

bool is_address_literal(const std::string& host) {
    std::array<unsigned char, 16> bytes{};
    return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 || inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

bool is_private_host(const std::string& host) {
    if (host == "localhost" || host.ends_with(".localhost")) return true;
    std::array<unsigned char, 16> b{};
    const auto word = [&b](std::size_t at) {
        return std::uint32_t{b[at]} << 24 | std::uint32_t{b[at + 1]} << 16 | std::uint32_t{b[at + 2]} << 8 | b[at + 3];
    };
    if (inet_pton(AF_INET, host.c_str(), b.data()) == 1) return is_private_ipv4(word(0));
    if (inet_pton(AF_INET6, host.c_str(), b.data()) != 1) return false;
    const bool leading_zeros = word(0) == 0 && word(4) == 0;
    if (leading_zeros && word(8) == 0) return word(12) <= 1;              // :: and ::1
    if (leading_zeros && word(8) == 0xffff) return is_private_ipv4(word(12));  // ::ffff:a.b.c.d
    return (b[0] & 0xfe) == 0xfc || (b[0] == 0xfe && (b[1] & 0xc0) == 0x80);
}

}  // namespace assay::http
