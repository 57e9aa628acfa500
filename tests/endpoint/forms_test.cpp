// Every server's form, with every line ending, in every kind of pieces: always the same reply.
#include <gtest/gtest.h>

#include <tuple>

#include "harness/simulated/wire.hpp"
#include "tests/endpoint/asked.hpp"

namespace assay::endpoint_tests {
namespace {

using chat::Reply;

auto substance(const Reply& reply) {
    return std::make_tuple(std::string(chat::to_string(reply.outcome)), reply.content, reply.reasoning, reply.reasoning_field, reply.finish_reason,
                           reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.reasoning_tokens, reply.events, reply.done_marker,
                           reply.repaired, reply.model);
}

class Forms : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Forms, ComeToTheSameReplyInAnyPieces) {
    const auto& [wire, ending] = GetParam();
    const Reply plain = ask_once(serve({"text=multibyte"}, wire)->base_url());
    ASSERT_EQ(chat::to_string(plain.outcome), "complete") << plain.error;
    for (const char* pieces : {"split=1", "split=2", "split=7", "split=1000", "split=characters", "split=cr", "coalesce", "comments", "framing=length", "framing=close"}) {
        const auto endpoint = serve({"text=multibyte", "line-ending=" + ending, pieces}, wire);
        const Reply reply = ask_once(endpoint->base_url());
        EXPECT_EQ(substance(reply), substance(plain)) << pieces << ": " << reply.error;
    }
    const auto both = serve({"text=multibyte", "line-ending=" + ending, "coalesce", "split=1", "comments", "data-lines"}, wire);
    EXPECT_EQ(substance(ask_once(both->base_url())), substance(plain));
}

TEST_P(Forms, InterleaveChoicesThatNobodyAskedForAndAreMalformedInAnyPieces) {
    const auto& [wire, ending] = GetParam();
    for (const char* pieces : {"split=1", "split=7", "split=characters", "split=cr", "coalesce"}) {
        const Reply reply = ask_once(serve({"text=multibyte", "choices=4", "line-ending=" + ending, pieces}, wire)->base_url());
        EXPECT_EQ(chat::to_string(reply.outcome), "malformed") << pieces;
        EXPECT_EQ(reply.error, "a choice that was not asked for") << pieces;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Forms, testing::Combine(testing::ValuesIn(simulated::wire_names()), testing::Values("lf", "crlf", "cr")), [](const auto& one) {
    std::string name = std::get<0>(one.param) + "_" + std::get<1>(one.param);
    for (char& c : name)
        if (c == '-' || c == '.') c = '_';
    return name;
});

struct Expected {
    std::string field;
    bool shows_thinking;
    std::optional<std::int64_t> reasoning_tokens;
};

TEST(Forms, EachCarriesItsThinkingInItsOwnField) {
    const std::vector<std::pair<std::string, Expected>> forms{{"sglang", {"reasoning_content", true, 3}},     {"vllm", {"reasoning", true, 3}},
                                                              {"vllm-old", {"reasoning_content", true, {}}}, {"openrouter", {"reasoning", true, 3}},
                                                              {"openai", {"", false, 3}},                    {"llama.cpp", {"<think>", true, {}}}};
    ASSERT_EQ(forms.size(), simulated::wire_names().size());
    const std::string thought = quick_script().reasoning.all();
    for (const auto& [wire, expected] : forms) {
        for (const char* form : {"split=1000", "no-stream"}) {
            const Reply reply = ask_once(serve({form}, wire)->base_url());
            EXPECT_EQ(chat::to_string(reply.outcome), "complete") << wire << ": " << reply.error;
            EXPECT_EQ(reply.content, plain_answer) << wire;
            EXPECT_EQ(reply.reasoning, expected.shows_thinking ? thought : "") << wire;
            EXPECT_EQ(reply.reasoning_field, expected.field) << wire;
            EXPECT_EQ(reply.usage.completion_tokens, 7) << wire;
            EXPECT_EQ(reply.usage.reasoning_tokens, expected.reasoning_tokens) << wire;
        }
    }
}

TEST(Forms, EachRefusesInWordsThatAreFound) {
    for (const std::string& wire : simulated::wire_names()) {
        const Reply reply = ask_once(serve({"rate-limit=0"}, wire)->base_url());
        EXPECT_EQ(reply.http_status, 429) << wire;
        EXPECT_TRUE(reply.error.starts_with("More than 0 requests at once")) << wire << ": " << reply.error;
    }
}

}  // namespace
}  // namespace assay::endpoint_tests
