// Replies that break off: at each byte, with RST and FIN, in each framing; and at a proxy's limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/endpoint/asked.hpp"
#include "tests/support/raw_client.hpp"
#include "tests/support/scripted_server.hpp"

namespace assay::endpoint_tests {
namespace {

using chat::Outcome;
using chat::Reply;
using testing::Contains;

// The body of the undisturbed stream, and how many of its bytes say all but usage and [DONE].
struct Body {
    std::string bytes;
    std::size_t finished = 0;
};
Body undisturbed() {
    const auto endpoint = serve({"framing=length"});
    support::RawClient client(endpoint->port());
    client.send(support::post("/v1/chat/completions", R"({"model":"simulated","messages":[{"role":"user","content":"What is 6 times 7?"}],"stream":true,"stream_options":{"include_usage":true}})"));
    Body body{client.response().body, 0};
    body.finished = body.bytes.find("\n\n", body.bytes.find(R"("finish_reason":"stop")")) + 2;
    return body;
}

struct Cut {
    std::string framing;
    std::string how;  // "cut" for RST, "close" for FIN
    std::vector<int> curl_codes;  // behind the first byte; one of them
};
// A reset is told by the next receive, or by a send where libcurl still looks whether there is more to send.
const std::vector<int> reset{56, 55};

class CutAtByte : public testing::TestWithParam<Cut> {};

TEST_P(CutAtByte, IsDroppedUpToFinishReasonAndCompleteBehindIt) {
    const Cut& cut = GetParam();
    const Body body = undisturbed();
    ASSERT_GT(body.bytes.size(), body.finished);
    std::vector<std::size_t> places{6, body.finished - 3, body.finished, body.bytes.size() - 1};
    for (std::size_t at = 17; at < body.bytes.size(); at += 41) places.push_back(at);
    for (const std::size_t at : places) {
        const auto endpoint = serve({"framing=" + cut.framing, cut.how + "-after-bytes=" + std::to_string(at)});
        const Reply reply = ask_once(endpoint->base_url());
        // The event with finish_reason is JSON as soon as its last brace is there: two line feeds before its end.
        const bool whole = at + 2 >= body.finished;
        ASSERT_EQ(chat::to_string(reply.outcome), whole ? "complete" : "dropped") << at << " of " << body.bytes.size() << ": " << reply.error;
        ASSERT_EQ(reply.body_bytes, static_cast<std::int64_t>(at));
        ASSERT_THAT(cut.curl_codes, Contains(reply.curl_code)) << at;
        if (whole) { ASSERT_EQ(reply.content, plain_answer); }
        ASSERT_EQ(reply.missing_done, whole && !reply.done_marker);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, CutAtByte,
                         testing::Values(Cut{"chunked", "cut", reset}, Cut{"length", "cut", reset}, Cut{"close", "cut", reset},
                                         Cut{"chunked", "close", {18}}, Cut{"length", "close", {18}}, Cut{"close", "close", {0}}),
                         [](const auto& one) { return one.param.framing + "_" + (one.param.how == "cut" ? "reset" : "closed"); });

TEST(CutAtByte, ZeroIsAResponseWithoutABody) {
    for (const char* framing : {"chunked", "length", "close"}) {
        const auto endpoint = serve({std::string("framing=") + framing, "close-after-bytes=0"});
        const Asked asked = ask(endpoint->base_url());
        EXPECT_EQ(chat::to_string(asked.attempt.reply.outcome), "dropped") << framing;
        EXPECT_EQ(asked.attempt.reply.http_status, 200);
        EXPECT_EQ(asked.tries, most_tries);
    }
}

TEST(Breaking, ADroppedReplyIsTriedAgainAndItsTextIsOnRecordUntilThen) {
    const auto always = serve({"drop-rate=1"});
    const Asked failed = ask(always->base_url());
    EXPECT_EQ(chat::to_string(failed.attempt.reply.outcome), "dropped");
    EXPECT_THAT(reset, Contains(failed.attempt.reply.curl_code));
    EXPECT_EQ(failed.tries, most_tries);
    const auto once = serve({"drop-rate=1", "times=1"});
    const Asked mended = ask(once->base_url());
    EXPECT_EQ(chat::to_string(mended.attempt.reply.outcome), "complete");
    EXPECT_EQ(mended.tries, 2);
    EXPECT_EQ(mended.attempt.reply.content, plain_answer);
}

TEST(Breaking, AnIdleLimitDropsASilentReplyAtItsAge) {
    simulated::Script slow = quick_script();
    slow.first_token = std::chrono::seconds(30);
    const auto endpoint = serve({"idle-limit-ms=120"}, "sglang", slow);
    const Asked asked = ask(endpoint->base_url());
    const Reply& reply = asked.attempt.reply;
    EXPECT_EQ(reply.outcome, Outcome::dropped);
    EXPECT_EQ(asked.tries, most_tries);
    // The role's event comes with the first token: nothing was sent, and the silence is the age.
    EXPECT_GE(reply.times.end_ms.value() - reply.times.connected_ms.value(), 119);
}

TEST(Breaking, AnIdleLimitDropsAReplyThatFallsSilentAndTheSilenceIsOnRecord) {
    simulated::Script slow = quick_script();
    slow.tokens_per_second = 1;
    const auto endpoint = serve({"idle-limit-ms=120"}, "sglang", slow);
    const Reply reply = ask_once(endpoint->base_url());
    EXPECT_EQ(reply.outcome, Outcome::dropped);
    EXPECT_NE(reply.reasoning, "");
    EXPECT_GE(reply.times.end_ms.value() - reply.times.last_byte_ms.value(), 100);
}

TEST(Breaking, AnAgeLimitDropsAReplyThatIsAlive) {
    simulated::Script slow = quick_script();
    slow.reasoning = simulated::Text(1, 100'000);
    slow.tokens_per_second = 1000;
    const auto endpoint = serve({"age-limit-ms=150"}, "sglang", slow);
    const Reply reply = ask_once(endpoint->base_url());
    EXPECT_EQ(reply.outcome, Outcome::dropped);
    EXPECT_GT(reply.events, 10);
    EXPECT_GE(reply.times.end_ms.value() - reply.times.connected_ms.value(), 149);
}

// The next handshake is left unanswered by the system: nobody refuses it.
TEST(Breaking, AFullListenQueuePassesTheConnectLimit) {
    const auto endpoint = serve({"full-backlog=always"});
    chat::Limits limits;
    limits.connect = std::chrono::milliseconds(250);
    const Reply reply = ask_once(endpoint->base_url(), limits);
    EXPECT_EQ(reply.outcome, Outcome::timeout);
    EXPECT_EQ(reply.error, "not connected within 0.25 s");
    EXPECT_EQ(reply.http_status, 0);
    EXPECT_EQ(reply.times.connected_ms, std::nullopt);
    EXPECT_EQ(endpoint->counters().connections.load(), 0);
}

TEST(Breaking, ARedirectIsNotFollowedAndItsTargetSeesNothing) {
    const assay::tests::ScriptedServer target(assay::tests::Script{});
    const auto endpoint = serve({"redirect=" + target.base_url() + "/chat/completions"});
    const Asked asked = ask(endpoint->base_url());
    EXPECT_EQ(asked.attempt.reply.outcome, Outcome::refused);
    EXPECT_EQ(asked.attempt.reply.http_status, 307);
    EXPECT_EQ(asked.tries, 1);
    EXPECT_THAT(asked.stopped.value_or(""), testing::HasSubstr("redirected to " + target.base_url()));
    EXPECT_EQ(target.connections(), 0);
}

TEST(Pages, AreWhatTheBehavioursSay) {
    const auto page = [](const std::vector<std::string>& behaviors, const char* path) {
        const auto endpoint = serve(behaviors);
        support::RawClient client(endpoint->port());
        client.send(support::get(path));
        return client.response();
    };
    EXPECT_EQ(page({"models=absent"}, "/v1/models").status, 404);
    EXPECT_EQ(page({"models=denied"}, "/v1/models").status, 401);
    EXPECT_THAT(page({"models=html"}, "/v1/models").body, testing::HasSubstr("nginx"));
    EXPECT_EQ(page({"models=empty"}, "/v1/models").body, R"({"object":"list","data":[]})");
    EXPECT_EQ(page({"models=null"}, "/v1/models").body, R"({"object":"list","data":null})");
    EXPECT_THAT(page({"models=other"}, "/v1/models").body, testing::HasSubstr("another-model"));
    EXPECT_THAT(page({"models=two"}, "/v1/models").body, testing::AllOf(testing::HasSubstr("another-model"), testing::HasSubstr("\"simulated\"")));
    EXPECT_THAT(page({"models=no-length"}, "/v1/models").body, testing::Not(testing::HasSubstr("max_model_len")));
    EXPECT_THAT(page({}, "/metrics").body, testing::HasSubstr("sglang:num_running_reqs 0"));
    EXPECT_EQ(page({"no-metrics"}, "/metrics").status, 404);
}

}  // namespace
}  // namespace assay::endpoint_tests
