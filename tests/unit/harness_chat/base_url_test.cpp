#include <gtest/gtest.h>

#include "harness/chat/client.hpp"
#include "harness/error.hpp"

namespace assay::chat {
namespace {

TEST(CheckedBaseUrl, TakesOffTrailingSlashes) {
    EXPECT_EQ(checked_base_url("http://127.0.0.1:8000/v1"), "http://127.0.0.1:8000/v1");
    EXPECT_EQ(checked_base_url("https://api.example.com/v1//"), "https://api.example.com/v1");
    EXPECT_EQ(checked_base_url("http://[::1]:8000"), "http://[::1]:8000");
}

TEST(CheckedBaseUrl, RefusesWhatCannotBeCompletedToTheApisPaths) {
    for (const char* url : {"", "localhost:8000/v1", "ftp://h/v1", "http://", "http:///v1", "file:///etc/passwd", "http://h/v1/chat/completions",
                            "http://h/v1/chat/completions/", "http://h/v1/models", "http://h/v1?key=1", "http://h/v1#a", "http://h:99999/v1", "http://a b/"}) {
        EXPECT_THROW(static_cast<void>(checked_base_url(url)), Error) << url;
    }
}

TEST(CheckedBaseUrl, RefusesAUserAndDoesNotShowThePassword) {
    try {
        static_cast<void>(checked_base_url("http://me:hunter2@h/v1"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("--base-url"), std::string::npos);
    }
}

TEST(CheckedBaseUrl, RefusesADoubledV1) {
    EXPECT_THROW((void)checked_base_url("http://h/v1/v1"), Error);
    EXPECT_THROW((void)checked_base_url("http://h/v1/v1/"), Error);
    EXPECT_EQ(checked_base_url("http://h/v1/team/v1"), "http://h/v1/team/v1");
}

bool in_clear(const std::string& url, const std::string& key, std::vector<std::string> headers = {}) {
    Endpoint endpoint;
    endpoint.base_url = url;
    endpoint.api_key = key;
    endpoint.headers = std::move(headers);
    return sends_key_in_clear(endpoint);
}

TEST(SendsKeyInClear, OnlyAKeyOverPlainHttpToAHostThatMayBePublic) {
    EXPECT_TRUE(in_clear("http://api.example.com/v1", "sk-1"));
    EXPECT_TRUE(in_clear("http://8.8.8.8/v1", "sk-1"));
    EXPECT_TRUE(in_clear("http://[2001:4860:4860::8888]/v1", "sk-1"));
    EXPECT_FALSE(in_clear("https://api.example.com/v1", "sk-1"));
    EXPECT_FALSE(in_clear("http://api.example.com/v1", ""));
    for (const char* inside : {"127.0.0.1", "10.1.2.3", "192.168.0.9", "[::1]", "localhost", "gpu-node7", "gpu7.internal", "box.local"})
        EXPECT_FALSE(in_clear(std::string("http://") + inside + ":8000/v1", "sk-1")) << inside;
}

TEST(SendsKeyInClear, AHeaderWhoseNameSpeaksOfAKeyIsOne) {
    EXPECT_TRUE(in_clear("http://api.example.com/v1", "", {"X-API-Key: 1"}));
    EXPECT_TRUE(in_clear("http://api.example.com/v1", "", {"authorization: Basic eA=="}));
    EXPECT_FALSE(in_clear("http://api.example.com/v1", "", {"X-Trace: 1"}));
}

TEST(CheckHeaders, RefusesLineBreaksAndShowsNoValue) {
    EXPECT_NO_THROW(check_headers({"X-Trace: 1", "X-Empty:"}));
    for (const std::string& bad : {std::string("X-Key: se\ncret"), std::string("X-Key: se\rcret"), std::string("X-Key: se\0cret", 14), std::string("secret")}) {
        try {
            check_headers({bad});
            ADD_FAILURE() << bad;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find("cret"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace assay::chat
