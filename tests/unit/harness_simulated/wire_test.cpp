#include "harness/simulated/wire.hpp"

#include <gtest/gtest.h>

#include "harness/error.hpp"
#include "harness/simulated/chat_reply.hpp"
#include "tests/support/golden_file.hpp"

namespace assay::simulated {
namespace {

Script script() {
    Script made;
    made.reasoning = Text::of("so \"x\"\n");
    made.content = Text::of("Answer: B");
    return made;
}

ChatReply reply(const Wire& wire, Script made) {
    ChatReply out;
    out.wire = &wire;
    out.head = {"id-1", 1'700'000'000, "model \"m\""};
    out.tokens = {7, made.reasoning.tokens(), made.content.tokens()};
    out.script = std::move(made);
    out.sends_usage = true;
    return out;
}

std::string produced(std::unique_ptr<Exchange> exchange) {
    std::string out;
    EXPECT_EQ(exchange->produce(loop::Clock::time_point::max(), 1 << 20, out).state, Progress::State::finished);
    return out;
}

class WireForms : public testing::TestWithParam<std::string> {};

TEST_P(WireForms, StreamsTheseBytes) {
    const auto wire = make_wire(GetParam());
    Counters counters;
    ChatReply made = reply(*wire, script());
    made.ticket = std::make_unique<Ticket>(counters);
    support::expect_golden("simulated/" + GetParam() + "_stream.http", produced(stream_reply(std::move(made))));
}

TEST_P(WireForms, AnswersWithoutAStreamInTheseBytes) {
    const auto wire = make_wire(GetParam());
    Counters counters;
    ChatReply made = reply(*wire, script());
    made.ticket = std::make_unique<Ticket>(counters);
    support::expect_golden("simulated/" + GetParam() + "_whole.http", produced(whole_reply(std::move(made))));
}

TEST_P(WireForms, EndsWithoutContentWhereTheBudgetEndsInTheThinking) {
    const auto wire = make_wire(GetParam());
    Script made = script();
    stop_at_budget(made, 1);
    EXPECT_EQ(made.finish, Finish::length);
    support::expect_golden("simulated/" + GetParam() + "_length.json", wire->whole({"id-1", 1'700'000'000, "m"}, made, {7, 1, 0}) + "\n");
}

INSTANTIATE_TEST_SUITE_P(Each, WireForms, testing::Values("sglang", "vllm", "vllm-old", "openrouter", "openai", "llama.cpp"),
                         [](const auto& form) {
                             std::string name = form.param;
                             std::erase_if(name, [](char c) { return c == '-' || c == '.'; });
                             return name;
                         });

TEST(Wire, RefusesAFormItDoesNotKnow) {
    EXPECT_THROW((void)make_wire("tgi"), Error);
}

TEST(Wire, SglangWritesFlatErrorsAndVllmNestedOnes) {
    const Fault fault{400, "bad \"x\"", "seed"};
    EXPECT_EQ(make_wire("sglang")->error(fault), R"({"object":"error","message":"bad \"x\"","type":"BadRequestError","param":"seed","code":400})");
    EXPECT_EQ(make_wire("vllm")->error(fault), R"({"error":{"message":"bad \"x\"","type":"BadRequestError","param":"seed","code":400}})");
}

TEST(Wire, OnlySglangRefusesABudgetThatFitsExactly) {
    ChatCall call;
    call.messages = {{"user", "four"}};  // 5 tokens
    call.max_tokens = 95;
    const Identity identity{"m", 100, 0};
    EXPECT_EQ(make_wire("vllm")->check(call, identity), std::nullopt);
    ASSERT_TRUE(make_wire("sglang")->check(call, identity));
    call.max_tokens = 94;
    EXPECT_EQ(make_wire("sglang")->check(call, identity), std::nullopt);
    call.max_tokens = 96;
    ASSERT_TRUE(make_wire("vllm")->check(call, identity));
    EXPECT_EQ(make_wire("vllm")->check(call, identity)->status, 400);
    call.max_tokens = INT64_MAX;
    EXPECT_TRUE(make_wire("sglang")->check(call, identity));
    EXPECT_TRUE(make_wire("vllm")->check(call, identity));
}

TEST(Wire, TakesTheBudgetFromMaxCompletionTokensFirst) {
    ChatCall call;
    call.max_tokens = 5;
    call.max_completion_tokens = 0;
    EXPECT_EQ(make_wire("sglang")->budget(call), 5);  // 0 falls through there
    EXPECT_EQ(make_wire("vllm")->budget(call), 0);
    call.max_completion_tokens = 3;
    EXPECT_EQ(make_wire("sglang")->budget(call), 3);
}

TEST(Wire, OnlyVllmSendsUsageForEmptyStreamOptionsAndRefusesThemWithoutAStream) {
    ChatCall call;
    call.messages = {{"user", "q"}};
    call.has_stream_options = true;
    EXPECT_TRUE(make_wire("vllm")->sends_usage(call));
    EXPECT_FALSE(make_wire("sglang")->sends_usage(call));
    EXPECT_TRUE(make_wire("vllm")->check(call, {"m", 100, 0}));
    EXPECT_FALSE(make_wire("sglang")->check(call, {"m", 100, 0}));
}

TEST(Wire, EachAnswersItsOwnPaths) {
    const Identity identity{"m", 100, 7};
    EXPECT_TRUE(make_wire("sglang")->page("/get_server_info", identity));
    EXPECT_FALSE(make_wire("sglang")->page("/version", identity));
    EXPECT_TRUE(make_wire("vllm")->page("/version", identity));
    EXPECT_FALSE(make_wire("vllm")->page("/server_info", identity));
}

}  // namespace
}  // namespace assay::simulated
