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

}  // namespace
}  // namespace assay::chat
