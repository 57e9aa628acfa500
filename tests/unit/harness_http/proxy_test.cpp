#include "harness/http/proxy.hpp"

#include <gtest/gtest.h>

#include <map>

namespace assay::http {
namespace {

std::string proxy(const std::string& url, const std::map<std::string, std::string>& variables, const std::string& setting = "env") {
    return proxy_for(*parse_url(url), setting, [&](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

TEST(Proxy, ComesFromTheEnvironmentByScheme) {
    EXPECT_EQ(proxy("http://h/v1", {{"http_proxy", "http://p:1"}}), "http://p:1");
    EXPECT_EQ(proxy("http://h/v1", {{"HTTP_PROXY", "http://p:1"}}), "");
    EXPECT_EQ(proxy("https://h/v1", {{"HTTPS_PROXY", "http://p:1"}, {"http_proxy", "http://q:1"}}), "http://p:1");
    EXPECT_EQ(proxy("https://h/v1", {{"ALL_PROXY", "http://p:1"}}), "http://p:1");
    EXPECT_EQ(proxy("https://h/v1", {}), "");
}

TEST(Proxy, IsNeverTheEnvironmentsForPrivateHosts) {
    for (const char* url : {"http://127.0.0.1:8000/v1", "http://localhost:8000/v1", "http://10.0.0.5/v1", "http://[::1]:8000/v1"}) {
        EXPECT_EQ(proxy(url, {{"http_proxy", "http://p:1"}, {"all_proxy", "http://p:1"}}), "") << url;
    }
}

TEST(Proxy, SparesTheHostsOfNoProxy) {
    const auto with = [](const std::string& rules) { return proxy("http://api.example.com", {{"http_proxy", "p"}, {"no_proxy", rules}}); };
    for (const char* rules : {"*", "example.com", ".example.com", "other.org, EXAMPLE.com", "api.example.com"}) EXPECT_EQ(with(rules), "") << rules;
    for (const char* rules : {"", "ample.com", "example.org", "api.example.com.evil"}) EXPECT_EQ(with(rules), "p") << rules;
}

TEST(Proxy, CanBeSetOrSwitchedOff) {
    EXPECT_EQ(proxy("http://h", {{"http_proxy", "p"}}, "none"), "");
    EXPECT_EQ(proxy("http://127.0.0.1", {}, "http://q:2"), "http://q:2");
}

TEST(Proxy, IsShownWithoutItsPassword) {
    EXPECT_EQ(proxy_shown("http://me:hunter2@p:1/"), "http://p:1/");
    EXPECT_EQ(proxy_shown("me:hunter2@p:1"), "p:1");
    EXPECT_EQ(proxy_shown("http://me:hun@ter2@p:1"), "http://p:1");
    EXPECT_EQ(proxy_shown("http://p:1"), "http://p:1");
}

}  // namespace
}  // namespace assay::http
