#include "harness/chat/request.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"

namespace assay::chat {
namespace {

Request small() {
    Request request;
    request.model = "m";
    request.messages.push_back({"user", "2+2?"});
    return request;
}

TEST(RequestBody, SendsOnlyWhatIsSet) {
    Request request = small();
    EXPECT_EQ(request_body(request), R"({"model":"m","messages":[{"role":"user","content":"2+2?"}],"stream":true,"stream_options":{"include_usage":true}})");
    request.stream = false;
    EXPECT_EQ(request_body(request), R"({"model":"m","messages":[{"role":"user","content":"2+2?"}],"stream":false})");
}

TEST(RequestBody, WritesItsFieldsInAFixedOrder) {
    Request request = small();
    request.budget = 65536;
    request.temperature = 0.6;
    request.top_p = 0.95;
    request.seed = 3;
    request.reasoning_effort = "high";
    EXPECT_EQ(request_body(request),
              R"({"model":"m","messages":[{"role":"user","content":"2+2?"}],"max_tokens":65536,"temperature":0.6,"top_p":0.95,"seed":3,)"
              R"("reasoning_effort":"high","stream":true,"stream_options":{"include_usage":true}})");
}

TEST(RequestBody, SendsTheBudgetUnderTheNameThatWasChosen) {
    Request request = small();
    request.budget = 1;
    request.budget_field = BudgetField::max_completion_tokens;
    const std::string body = request_body(request);
    EXPECT_NE(body.find(R"("max_completion_tokens":1)"), std::string::npos);
    EXPECT_EQ(body.find(R"("max_tokens")"), std::string::npos);
}

TEST(RequestBody, ZeroTemperatureIsSent) {
    Request request = small();
    request.temperature = 0;
    EXPECT_NE(request_body(request).find(R"("temperature":0.0)"), std::string::npos);
}

TEST(RequestBody, ExtraKeysComeLastAndWin) {
    Request request = small();
    request.seed = 3;
    request.extra_body = R"({"top_k":20,"seed":9,"chat_template_kwargs":{"thinking":true}})";
    EXPECT_TRUE(request_body(request).ends_with(R"("stream":true,"stream_options":{"include_usage":true},"top_k":20,"seed":9,"chat_template_kwargs":{"thinking":true}})"));
    EXPECT_EQ(request_body(request).find(R"("seed":3)"), std::string::npos);
}

TEST(RequestBody, RefusesExtraKeysThatAreNoObjectOrNameTheBudgetTwice) {
    Request request = small();
    for (const char* extra : {"[1]", "7", "{", "null"}) {
        request.extra_body = extra;
        EXPECT_THROW(static_cast<void>(request_body(request)), Error) << extra;
    }
    request.budget = 5;
    request.extra_body = R"({"max_completion_tokens":5})";
    EXPECT_THROW(static_cast<void>(request_body(request)), Error);
}

TEST(RequestBody, AsksForOneChoiceWhateverElseIsAdded) {
    Request request = small();
    for (const char* several : {R"({"n":2})", R"({"n":0})", R"({"n":"4"})"}) {
        request.extra_body = several;
        EXPECT_THROW(static_cast<void>(request_body(request)), Error) << several;
    }
    for (const char* one : {R"({"n":1})", R"({"n":null})"}) {
        request.extra_body = one;
        EXPECT_NO_THROW(static_cast<void>(request_body(request))) << one;
    }
}

TEST(RequestBody, EscapesWhatJsonNeedsAndKeepsUtf8) {
    Request request = small();
    request.messages[0].content = "a\"\\\n\x01\xC3\xA9";
    EXPECT_NE(request_body(request).find("a\\\"\\\\\\n\\u0001\xC3\xA9"), std::string::npos);
    request.messages[0].content = "\xFF";
    EXPECT_THROW(static_cast<void>(request_body(request)), Error);
}

}  // namespace
}  // namespace assay::chat
