#include "harness/simulated/chat_call.hpp"

#include <gtest/gtest.h>

namespace assay::simulated {
namespace {

std::string fault_of(const std::string& body) {
    const auto decoded = decode_chat_call(body);
    const auto* fault = std::get_if<Fault>(&decoded);
    return fault == nullptr ? "none" : fault->param + "|" + fault->message;
}

const std::string messages = R"("messages":[{"role":"user","content":"q"}])";

TEST(ChatCall, IsDecodedFieldByField) {
    const auto decoded = decode_chat_call(R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"one"},
        {"role":"assistant","content":null},{"role":"user","content":[{"type":"text","text":"two "},{"type":"text","text":"parts"}]}],
        "max_tokens":5,"max_completion_tokens":null,"temperature":0.6,"top_p":0.95,"seed":-3,"reasoning_effort":"high","stream":true,
        "stream_options":{"include_usage":true},"unknown":[1]})");
    const auto& call = std::get<ChatCall>(decoded);
    EXPECT_EQ(call.model, "m");
    EXPECT_EQ(call.messages.size(), 4U);
    EXPECT_EQ(call.question(), "two parts");
    EXPECT_EQ(call.max_tokens, 5);
    EXPECT_FALSE(call.max_completion_tokens);
    EXPECT_EQ(call.temperature, 0.6);
    EXPECT_EQ(call.top_p, 0.95);
    EXPECT_EQ(call.seed, -3);
    EXPECT_EQ(call.reasoning_effort, "high");
    EXPECT_TRUE(call.stream);
    EXPECT_EQ(call.include_usage, true);
    EXPECT_EQ(call.prompt_tokens(), 4 * 4 + 1 + 1 + 0 + 3);
}

TEST(ChatCall, NamesTheFieldAtFault) {
    EXPECT_EQ(fault_of("{"), "|the body is not valid JSON");
    EXPECT_EQ(fault_of(std::string(100'000, '[') + std::string(100'000, ']')), "|a JSON object is expected as the body");
    EXPECT_EQ(fault_of("[]"), "|a JSON object is expected as the body");
    EXPECT_EQ(fault_of(R"({"model":"m"})"), "messages|messages: a list is expected");
    EXPECT_EQ(fault_of(R"({"messages":[]})"), "messages|Messages cannot be empty.");
    EXPECT_EQ(fault_of("{" + messages + R"(,"max_tokens":1.5})"), "max_tokens|max_tokens: a 64-bit integer is expected");
    EXPECT_EQ(fault_of("{" + messages + R"(,"seed":18446744073709551615})"), "seed|seed: a 64-bit integer is expected");
    EXPECT_EQ(fault_of("{" + messages + R"(,"temperature":"x"})"), "temperature|temperature: a number is expected");
    EXPECT_EQ(fault_of("{" + messages + R"(,"temperature":3})"), "temperature|temperature must lie in [0, 2], got 3");
    EXPECT_EQ(fault_of("{" + messages + R"(,"stream":1})"), "stream|stream: true or false is expected");
    EXPECT_EQ(fault_of("{" + messages + R"(,"n":0})"), "n|n: a whole number from 1 to 128 is expected");
    EXPECT_EQ(fault_of("{" + messages + R"(,"n":129})"), "n|n: a whole number from 1 to 128 is expected");
    EXPECT_EQ(fault_of("{" + messages + R"(,"n":1})"), "none");
    EXPECT_EQ(fault_of("{" + messages + ",\"model\":\"\xff\"}"), "|the body is not valid JSON");
}

}  // namespace
}  // namespace assay::simulated
