#include "harness/http/url.hpp"

#include <gtest/gtest.h>

namespace assay::http {
namespace {

TEST(Url, HasItsParts) {
    const auto url = parse_url("HTTPS://api.Example.com/v1");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->scheme, "https");
    EXPECT_EQ(url->port, 443);
    EXPECT_EQ(url->path, "/v1");
    EXPECT_FALSE(url->has_user || url->has_query || url->has_fragment);
    EXPECT_EQ(parse_url("http://[::1]:8000")->origin(), "http://[::1]:8000");
    EXPECT_EQ(parse_url("http://h")->origin(), "http://h:80");
    EXPECT_TRUE(parse_url("http://a:b@h")->has_user);
    EXPECT_TRUE(parse_url("http://h/?")->has_query);
}

TEST(Url, IsNothingForOtherSchemesAndNonsense) {
    for (const char* text : {"", "h:80", "ftp://h", "file:///x", "http://", "http:///v1", "http://h:0x50", "javascript:alert(1)"}) {
        EXPECT_FALSE(parse_url(text)) << text;
    }
    EXPECT_FALSE(parse_url(std::string("http://h\0.evil", 13)));
}

TEST(PrivateHost, KnowsTheRangesThatStayInside) {
    for (const char* host : {"localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.1.1",
                             "100.64.0.1", "0.0.0.0", "::1", "::", "fd00::1", "fc00::1", "fe80::1", "::ffff:10.0.0.1"}) {
        EXPECT_TRUE(is_private_host(host)) << host;
    }
    for (const char* host : {"example.com", "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "100.128.0.1", "2001:db8::1", "::2", "::ffff:8.8.8.8", "localhost.com",
                             "10.evil.com", ""}) {
        EXPECT_FALSE(is_private_host(host)) << host;
    }
}

}  // namespace
}  // namespace assay::http
