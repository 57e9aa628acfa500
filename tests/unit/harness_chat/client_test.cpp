#include "harness/chat/client.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "tests/unit/harness_chat/endpoint_fixture.hpp"

namespace assay::chat {
namespace {

using namespace tests;

TEST(Client, PutsTheDeltasOfAStreamTogether) {
    ScriptedServer server(streamed(sglang_events()));
    const Reply reply = ask(server);
    EXPECT_EQ(to_string(reply.outcome), "complete") << reply.error;
    EXPECT_EQ(reply.content, "The final answer is B");
    EXPECT_EQ(reply.reasoning, "Let me see. 6 times 7");
    EXPECT_EQ(reply.reasoning_field, "reasoning_content");
    EXPECT_EQ(reply.finish_reason, "stop");
    EXPECT_EQ(reply.http_status, 200);
    EXPECT_EQ(reply.curl_code, 0);
    EXPECT_EQ(reply.usage.completion_tokens, 12);
    EXPECT_EQ(reply.usage.reasoning_tokens, 7);
    EXPECT_TRUE(reply.done_marker);
    EXPECT_TRUE(reply.new_connection);
    ASSERT_TRUE(reply.times.sent_ms && reply.times.connected_ms && reply.times.first_byte_ms && reply.times.first_token_ms && reply.times.end_ms);
    EXPECT_LE(*reply.times.sent_ms, *reply.times.connected_ms);
    EXPECT_LE(*reply.times.connected_ms, *reply.times.first_byte_ms);
    EXPECT_LE(*reply.times.first_byte_ms, *reply.times.first_token_ms);
    EXPECT_LE(*reply.times.first_token_ms, *reply.times.end_ms);
}

TEST(Client, HandsBackWhatTheServerSaidOfAnError) {
    ScriptedServer server(plain("400 Bad Request", R"({"object":"error","message":"The input (70000 tokens) is too long","type":"BadRequestError","param":null,"code":400})"));
    const Reply reply = ask(server);
    EXPECT_EQ(to_string(reply.outcome), "refused");
    EXPECT_EQ(reply.http_status, 400);
    EXPECT_EQ(reply.error, "The input (70000 tokens) is too long (BadRequestError, 400)");
}

}  // namespace
}  // namespace assay::chat
