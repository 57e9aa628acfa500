#include "harness/http/headers.hpp"

#include <gtest/gtest.h>

#include "harness/http/retry_after.hpp"

namespace assay::http {
namespace {

constexpr std::int64_t now = 1'700'000'000;  // Tue, 14 Nov 2023 22:13:20 GMT

std::optional<double> asked(std::initializer_list<const char*> lines) {
    Headers headers;
    for (const char* line : lines) headers.add(std::string(line) + "\r\n");
    return retry_after_s(headers, now);
}

TEST(Headers, KeepsWhatIsReadHereWhateverTheCase) {
    Headers headers;
    EXPECT_TRUE(headers.add("HTTP/1.1 200 OK\r\n"));
    EXPECT_TRUE(headers.add("CONTENT-Type:  text/event-stream \r\n"));
    EXPECT_TRUE(headers.add("Set-Cookie: a=b\r\n"));
    EXPECT_EQ(headers.get("content-type"), "text/event-stream");
    EXPECT_EQ(headers.get("set-cookie"), "");
}

TEST(Headers, AStatusLineForgetsTheResponseBefore) {
    Headers headers;
    headers.add("HTTP/1.1 103 Early Hints\r\n");
    headers.add("Location: /a\r\n");
    headers.add("HTTP/1.1 200 OK\r\n");
    EXPECT_EQ(headers.get("location"), "");
}

TEST(Headers, AreBounded) {
    Headers headers;
    const std::string line = "X: " + std::string(1000, 'x') + "\r\n";
    int taken = 0;
    while (headers.add(line)) ++taken;
    EXPECT_EQ(taken, Headers::most_bytes / static_cast<std::int64_t>(line.size()));
}

TEST(RetryAfter, IsSecondsWithOrWithoutAFraction) {
    EXPECT_EQ(asked({"Retry-After: 120"}), 120.0);
    EXPECT_EQ(asked({"Retry-After: 1.5"}), 1.5);
    EXPECT_EQ(asked({"Retry-After: -3"}), -3.0);
    EXPECT_EQ(asked({"Retry-After: 0"}), 0.0);
}

TEST(RetryAfter, IsADateInEachOfItsForms) {
    EXPECT_EQ(asked({"Retry-After: Tue, 14 Nov 2023 22:14:20 GMT"}), 60.0);
    EXPECT_EQ(asked({"Retry-After: Tuesday, 14-Nov-23 22:14:20 GMT"}), 60.0);
    EXPECT_EQ(asked({"Retry-After: Tue Nov 14 22:14:20 2023"}), 60.0);
    EXPECT_EQ(asked({"Retry-After: Tue, 14 Nov 2023 22:12:20 GMT"}), -60.0);
}

TEST(RetryAfter, NonsenseSaysNothing) {
    for (const char* line : {"Retry-After: soon", "Retry-After:", "Retry-After: 12 s", "Retry-After: 1e5", "Retry-After: inf", "Retry-After: nan", "Retry-After: 2023"
                             "-11-14x"}) {
        EXPECT_FALSE(asked({line})) << line;
    }
    EXPECT_FALSE(asked({}));
}

TEST(RetryAfter, MillisecondsGoFirst) {
    EXPECT_EQ(asked({"Retry-After: 7", "Retry-After-Ms: 250"}), 0.25);
}

TEST(RetryAfter, ReadsTheResetOfALimitThatIsUsedUp) {
    EXPECT_EQ(asked({"X-RateLimit-Remaining-Requests: 0", "X-RateLimit-Reset-Requests: 6m0s"}), 360.0);
    EXPECT_EQ(asked({"X-RateLimit-Remaining-Requests: 3", "X-RateLimit-Reset-Requests: 6m0s"}), std::nullopt);
    EXPECT_EQ(asked({"X-RateLimit-Remaining-Requests: 0", "X-RateLimit-Reset-Requests: 20ms", "X-RateLimit-Remaining-Tokens: 0", "X-RateLimit-Reset-Tokens: 1.5s"}), 1.5);
    EXPECT_EQ(asked({"X-RateLimit-Remaining-Tokens: 0", "X-RateLimit-Reset-Tokens: 1700000030"}), 30.0);
    EXPECT_EQ(asked({"X-RateLimit-Remaining-Tokens: 0", "X-RateLimit-Reset-Tokens: 6x"}), std::nullopt);
}

}  // namespace
}  // namespace assay::http
