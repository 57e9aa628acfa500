// Each behaviour by its name: the outcome, the number of tries, and what the journal says of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/endpoint/asked.hpp"

namespace assay::endpoint_tests {
namespace {

using chat::Reply;
using testing::HasSubstr;
using testing::StartsWith;

using Check = std::function<void(const Reply&)>;

struct Case {
    std::vector<std::string> behaviors;
    std::string outcome;
    int tries = 1;
    Check check = [](const Reply&) {};
    chat::Limits limits = {};
    std::string stopped{};  // words in the line that ends the run; empty: it is not ended
};

std::string label(const Case& one) {
    std::string text;
    for (const auto& behavior : one.behaviors) text += (text.empty() ? "" : "_") + behavior;
    for (char& c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return text;
}
void PrintTo(const Case& one, std::ostream* out) { *out << label(one); }

Check status(long expected) {
    return [expected](const Reply& reply) { EXPECT_EQ(reply.http_status, expected); };
}
Check says(const std::string& words, long expected_status = 200) {
    return [=](const Reply& reply) {
        EXPECT_THAT(reply.error, HasSubstr(words));
        EXPECT_EQ(reply.http_status, expected_status);
    };
}
Check whole() {
    return [](const Reply& reply) {
        EXPECT_EQ(reply.content, plain_answer);
        EXPECT_NE(reply.reasoning, "");
        EXPECT_EQ(reply.finish_reason, "stop");
        EXPECT_TRUE(reply.done_marker);
        EXPECT_EQ(reply.usage.reasoning_tokens, 3);
        EXPECT_EQ(reply.error, "");
    };
}
Check whole_and(const std::function<void(const Reply&)>& more) {
    return [more](const Reply& reply) {
        EXPECT_EQ(reply.content, plain_answer);
        EXPECT_EQ(reply.finish_reason, "stop");
        more(reply);
    };
}
Check content(const std::string& part, std::int64_t repaired = 0) {
    return [=](const Reply& reply) {
        EXPECT_THAT(reply.content, HasSubstr(part));
        EXPECT_EQ(reply.repaired, repaired);
    };
}
Check thought_only() {
    return [](const Reply& reply) {
        EXPECT_EQ(reply.content, "");
        EXPECT_NE(reply.reasoning, "");
    };
}
Check ignored(std::int64_t events) {
    return whole_and([events](const Reply& reply) { EXPECT_EQ(reply.ignored_chunks, events); });
}
Check reasoning_tokens(std::optional<std::int64_t> expected) {
    return whole_and([expected](const Reply& reply) { EXPECT_EQ(reply.usage.reasoning_tokens, expected); });
}
chat::Limits small_response() {
    chat::Limits limits;
    limits.response_bytes = 200'000;
    return limits;
}
chat::Limits accepting() {
    chat::Limits limits;
    limits.accept_done_without_finish = true;
    return limits;
}

const std::string gateway = "<html><head><title>504 Gateway Time-out";

std::vector<Case> refusals() {
    return {
        {{"error-rate=1"}, "server_error", most_tries, says("simulated by error-rate", 500)},
        {{"error-rate=1", "times=1"}, "complete", 2, whole()},
        {{"rate-limit=0"}, "server_error", most_turned_away, says("simulated by rate-limit", 429)},
        {{"storm=2"}, "complete", 3, whole()},
        {{"storm=2", "drop-rate=0"}, "complete", 3, whole()},
        {{"retry-after=0", "times=1"}, "complete", 2, whole()},
        {{"retry-after=0.01", "times=2"}, "complete", 3, whole()},
        {{"retry-after=date", "times=1"}, "complete", 2, whole()},
        {{"retry-after=99999999999999", "times=1"}, "complete", 2, whole()},
        {{"retry-after=soon", "times=1"}, "complete", 2, whole()},
        {{"retry-after=1"}, "server_error", most_turned_away, [](const Reply& reply) { EXPECT_EQ(reply.retry_after_s, 1); }},
        {{"retry-after=0.5"}, "server_error", most_turned_away, [](const Reply& reply) { EXPECT_EQ(reply.retry_after_s, 0.5); }},
        {{"retry-after=soon"}, "server_error", most_turned_away, [](const Reply& reply) { EXPECT_EQ(reply.retry_after_s, std::nullopt); }},
        {{"answer-200-error"}, "server_error", most_tries, says("worker died")},
        {{"answer-200-html"}, "malformed", most_tries, says("Please log in")},
        {{"answer-400-flat"}, "refused", 1, says("bad sampling, simulated", 400)},
        {{"answer-400-nested"}, "refused", 1, says("bad sampling, simulated", 400)},
        {{"answer-400-plain"}, "refused", 1, says("bad sampling", 400)},
        {{"answer-422-detail"}, "refused", 1,
         [](const Reply& reply) {
             EXPECT_THAT(reply.error, HasSubstr("bad sampling, simulated"));
             EXPECT_THAT(reply.error, testing::Not(HasSubstr("the whole prompt"))) << "the request that is echoed is no news";
         }},
        {{"answer-401"}, "refused", 1, status(401), {}, "Incorrect API key provided"},
        {{"answer-404"}, "refused", 1, status(404), {}, "does not exist"},
        {{"answer-429-quota"}, "server_error", 1, status(429), {}, "quota or credit is used up"},
        {{"answer-500"}, "server_error", most_tries, says("Internal server error", 500)},
        {{"answer-500", "times=2"}, "complete", 3, whole()},
        {{"answer-503-loading"}, "server_error", most_turned_away, says("Loading model", 503)},
        {{"answer-503-loading", "times=3"}, "complete", 4, whole()},
        {{"answer-504-html"}, "server_error", most_tries, says(gateway, 504)},
        {{"gateway-timeout-ms=40"}, "server_error", most_tries, [](const Reply& reply) {
             EXPECT_EQ(reply.http_status, 504);
             EXPECT_GE(reply.times.first_byte_ms.value() - reply.times.connected_ms.value(), 39);
         }},
    };
}

std::vector<Case> silences() {
    return {
        {{"no-reply=hang"}, "timeout", most_tries, says("no byte of a response", 0), impatient()},
        {{"no-reply=close"}, "dropped", most_tries, [](const Reply& reply) { EXPECT_EQ(reply.curl_code, 52); }},
        {{"no-reply=reset"}, "dropped", most_tries, status(0)},
        {{"no-reply=reset", "times=1"}, "complete", 2, whole()},
        {{"full-backlog=300"}, "complete", 1, [](const Reply& reply) { EXPECT_GE(reply.times.connected_ms.value(), 300) << "the system asks again after a second"; }},
        {{"latency-ms=30"}, "complete", 1, [](const Reply& reply) { EXPECT_GE(reply.times.first_token_ms.value(), 29); }},
        {{"slow-loris=4000"}, "complete", 1, whole()},
        {{"slow-loris=1"}, "timeout", most_tries, says("no byte of a response", 0), impatient()},  // libcurl shows no header before its line is whole
        {{"hang-after-bytes=100"}, "timeout", most_tries, says("silent for"), impatient()},
        {{"hang-after-finish"}, "complete", 1, whole_and([](const Reply& reply) {
             EXPECT_TRUE(reply.missing_done);
             EXPECT_EQ(reply.usage.completion_tokens, std::nullopt) << "unknown is not 0";
         }), impatient()},
        {{"hang-after-done"}, "complete", 1, whole(), impatient()},
    };
}

std::vector<Case> texts() {
    return {
        {{"ignore-budget=max_tokens"}, "complete", 1, whole()},
        {{"no-stream"}, "complete", 1, [](const Reply& reply) {
             EXPECT_EQ(reply.content, plain_answer);
             EXPECT_EQ(reply.events, 0);
             EXPECT_FALSE(reply.missing_done);
         }},
        {{"thinking-stop"}, "answer_in_reasoning", 1, thought_only()},
        {{"thinking-length"}, "truncated", 1, thought_only()},
        {{"thinking-repeated"}, "truncated", 1, thought_only()},
        {{"nothing"}, "empty", 1, [](const Reply& reply) { EXPECT_EQ(reply.content + reply.reasoning, ""); }},
        {{"endless"}, "malformed", most_tries, says("the response exceeds 200000 bytes"), small_response()},
        {{"text=u2028"}, "complete", 1, content("a\xE2\x80\xA8" "b\xE2\x80\xA9" "c\xC2\x85" "d")},
        {{"text=lone-surrogate"}, "complete", 1, content("a\xEF\xBF\xBD b", 1)},
        {{"text=invalid-utf8"}, "complete", 1, content("a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD(b", 3)},
        {{"text=nul"}, "complete", 1, content(std::string("a\0b", 3))},
        {{"text=escape"}, "complete", 1, content("\x1b]52;c;aGk=\x07")},
        {{"text=script"}, "complete", 1, content("<script>alert(1)</script>")},
        {{"text=formula"}, "complete", 1, content("=cmd|' /C calc'!A0")},
        {{"text=bidi"}, "complete", 1, content("\xE2\x80\xAE")},
        {{"text=multibyte"}, "complete", 1, content("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")},
        {{"event-kib=300"}, "complete", 1, content(std::string(300 << 10, 'x'))},
        {{"event-kib=102400"}, "malformed", most_tries, says("an event exceeds 16777216 bytes")},
    };
}

std::vector<Case> events() {
    const Check died = says("worker died, simulated");
    return {
        {{"finish-with-content"}, "complete", 1, whole()},
        {{"finish-reason=abort"}, "aborted", most_tries, [](const Reply& reply) { EXPECT_EQ(reply.finish_reason, "abort"); }},
        {{"finish-reason=tired"}, "aborted", most_tries, says("finish_reason tired")},
        {{"finish-reason=content_filter"}, "filtered", 1},
        {{"finish-reason=STOP"}, "complete", 1, [](const Reply& reply) { EXPECT_EQ(reply.finish_reason, "STOP"); }},
        {{"usage=absent"}, "complete", 1, reasoning_tokens(std::nullopt)},
        {{"usage=null"}, "complete", 1, reasoning_tokens(std::nullopt)},
        {{"usage=flat"}, "complete", 1, reasoning_tokens(3)},
        {{"usage=details"}, "complete", 1, reasoning_tokens(3)},
        {{"usage=continuous"}, "complete", 1, whole_and([](const Reply& reply) { EXPECT_EQ(reply.usage.completion_tokens, 7) << "the last one counts"; })},
        {{"no-done"}, "complete", 1, whole_and([](const Reply& reply) {
             EXPECT_TRUE(reply.missing_done);
             EXPECT_FALSE(reply.done_marker);
         })},
        {{"done-without-finish"}, "dropped", most_tries, says("[DONE] and without a finish_reason")},
        {{"done-without-finish", "times=9"}, "complete", 1, [](const Reply& reply) {
             EXPECT_EQ(reply.content, plain_answer);
             EXPECT_TRUE(reply.accepted_without_finish);
         }, accepting()},
        {{"no-done", "done-without-finish"}, "dropped", most_tries, says("without a finish_reason"), accepting()},
        {{"error-first"}, "server_error", most_tries, died},
        {{"error-mid"}, "server_error", most_tries, died},
        {{"error-after-finish"}, "server_error", most_tries, died},
        {{"error-field"}, "server_error", most_tries, died},
        {{"error-mid", "times=1"}, "complete", 2, whole()},
        {{"choices=4"}, "malformed", most_tries, says("a choice that was not asked for")},
        {{"choices=2", "no-stream"}, "malformed", most_tries, says("a choice that was not asked for")},
        {{"choices-unfinished=2"}, "malformed", most_tries, says("a choice that was not asked for")},
        {{"choices=4", "times=1"}, "complete", 2, whole()},
        {{"empty-choices"}, "complete", 1, ignored(0)},
        {{"null-chunk"}, "complete", 1, ignored(2)},
        {{"empty-object"}, "complete", 1, ignored(2)},
        {{"ping-chunk"}, "complete", 1, ignored(4)},
        {{"data-lines"}, "complete", 1, whole()},
        {{"comments"}, "complete", 1, whole()},
        {{"unterminated"}, "complete", 1, whole_and([](const Reply& reply) { EXPECT_TRUE(reply.unterminated_event); })},
        {{"byte-order-mark"}, "complete", 1, whole()},
        {{"line-ending=lf"}, "complete", 1, whole()},
        {{"framing=chunked"}, "complete", 1, whole()},
        {{"framing=length"}, "complete", 1, whole()},
        {{"framing=close"}, "complete", 1, whole()},
        {{"coalesce"}, "complete", 1, whole()},
        {{"split=1"}, "complete", 1, whole()},
    };
}

class BehaviorCases : public testing::TestWithParam<Case> {};

TEST_P(BehaviorCases, EndsAsItMust) {
    const Case& one = GetParam();
    const auto endpoint = serve(one.behaviors);
    // The script has 7 tokens: a budget of 6 is heeded by all but the server that ignores it.
    const bool heeds_budget = one.behaviors.front() == "ignore-budget=max_tokens";
    const Asked asked = ask(endpoint->base_url(), one.limits, heeds_budget ? 6 : 1000);
    const Reply& reply = asked.attempt.reply;
    EXPECT_EQ(chat::to_string(reply.outcome), one.outcome) << reply.error;
    EXPECT_EQ(asked.tries, one.tries);
    EXPECT_EQ(asked.attempt.tries, one.tries) << "the number of the try that decides";
    EXPECT_EQ(chat::is_scored(reply.outcome), reply.error.empty()) << reply.error;
    one.check(reply);
    if (one.stopped.empty()) EXPECT_EQ(asked.stopped, std::nullopt);
    else EXPECT_THAT(asked.stopped.value_or("(not stopped)"), HasSubstr(one.stopped));
}

const auto by_label = [](const auto& one) { return label(one.param); };
INSTANTIATE_TEST_SUITE_P(Refusals, BehaviorCases, testing::ValuesIn(refusals()), by_label);
INSTANTIATE_TEST_SUITE_P(Silences, BehaviorCases, testing::ValuesIn(silences()), by_label);
INSTANTIATE_TEST_SUITE_P(Texts, BehaviorCases, testing::ValuesIn(texts()), by_label);
INSTANTIATE_TEST_SUITE_P(Events, BehaviorCases, testing::ValuesIn(events()), by_label);

TEST(BehaviorCases, ABudgetThatIsHeededTruncates) {
    const auto endpoint = serve({});
    EXPECT_EQ(chat::to_string(ask(endpoint->base_url(), {}, 6).attempt.reply.outcome), "truncated");
}

// Those that the tables above do not hold have tests of their own (those of preflight beside its checks); a new behaviour needs one too.
TEST(BehaviorCases, EveryBehaviourIsTested) {
    std::vector<std::string> elsewhere{"models", "no-metrics", "redirect", "keep-alive-race", "restart", "crash-on", "split", "cut-after-bytes",
                                       "close-after-bytes", "drop-rate", "idle-limit-ms", "age-limit-ms", "line-ending", "times", "context-limit", "effort", "seed", "wrong-sum", "thinking", "usage-zero",
                                       "server-pages", "knee"};
    for (const auto& group : {refusals(), silences(), texts(), events()})
        for (const auto& one : group)
            for (const auto& behavior : one.behaviors) elsewhere.push_back(behavior.substr(0, behavior.find('=')));
    for (const auto& row : simulated::behavior_list()) EXPECT_THAT(elsewhere, testing::Contains(std::string(row.name)));
}

}  // namespace
}  // namespace assay::endpoint_tests
