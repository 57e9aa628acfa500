#include "harness/http/proxy.hpp"

#include <string_view>

namespace assay::http {
namespace {

std::string first_set(const Environment& environment, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const char* value = environment(name);
        if (value != nullptr && *value != '\0') return value;
    }
    return {};
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view end) {
    if (end.size() > text.size()) return false;
    text.remove_prefix(text.size() - end.size());
    for (std::size_t i = 0; i < end.size(); ++i) {
        if (lower(text[i]) != lower(end[i])) return false;
    }
    return true;
}

bool exempts(std::string_view rule, std::string_view host) {
    if (rule == "*") return true;
    if (rule.starts_with('.')) rule.remove_prefix(1);
    if (rule.empty() || !ends_with_ignoring_case(host, rule)) return false;
    return host.size() == rule.size() || host[host.size() - rule.size() - 1] == '.';
}

bool is_exempt(std::string_view rules, std::string_view host) {
    while (!rules.empty()) {
        const auto end = rules.find_first_of(", \t");
        if (exempts(rules.substr(0, end), host)) return true;
        if (end == std::string_view::npos) break;
        rules.remove_prefix(end + 1);
    }
    return false;
}

}  // namespace

std::string proxy_for(const Url& url, const std::string& setting, const Environment& environment) {
    if (setting == "none") return {};
    if (setting != "env") return setting;
    if (is_private_host(url.host)) return {};
    if (is_exempt(first_set(environment, {"no_proxy", "NO_PROXY"}), url.host)) return {};
    const std::string own = url.scheme == "https" ? first_set(environment, {"https_proxy", "HTTPS_PROXY"})
                                                  : first_set(environment, {"http_proxy"});
    return own.empty() ? first_set(environment, {"all_proxy", "ALL_PROXY"}) : own;
}

std::string proxy_shown(const std::string& proxy) {
    const auto scheme_end = proxy.find("://");
    const std::size_t host_from = scheme_end == std::string::npos ? 0 : scheme_end + 3;
    const auto path = proxy.find('/', host_from);
    const auto at = proxy.rfind('@', path);
    if (at == std::string::npos || at < host_from) return proxy;
    return proxy.substr(0, host_from) + proxy.substr(at + 1);
}

}  // namespace assay::http
