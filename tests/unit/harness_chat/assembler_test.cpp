#include "harness/chat/assembler.hpp"

#include <gtest/gtest.h>

#include "tests/unit/harness_chat/endpoint_fixture.hpp"

namespace assay::chat {
namespace {

using namespace tests;

Reply assemble(const std::vector<std::string>& pieces, BodyEnd end = {200, 0, false, ""}, BodyLimits limits = {}) {
    ChunkReader reader;
    const Secrets secrets("sk-verysecret", {});
    ReplyAssembler assembler(reader, secrets, limits);
    for (const std::string& piece : pieces) assembler.add(end.http_status, piece);
    return assembler.finish(end);
}

Reply of_events(const std::vector<std::string>& events, bool done = true) {
    return assemble({stream_text(events, done)});
}

// A chunk with this delta, and a finish chunk.
std::string delta(const std::string& fields, const std::string& finish = "null") {
    return R"({"choices":[{"index":0,"delta":{)" + fields + R"(},"finish_reason":)" + finish + "}]}";
}
const std::string stop = delta("", R"("stop")");
const std::string length = delta("", R"("length")");

std::string_view outcome(const Reply& reply) {
    return to_string(reply.outcome);
}

TEST(ReplyAssembler, ReadsEachServersForm) {
    for (const auto& [events, field] : {std::pair{sglang_events(), "reasoning_content"}, {vllm_events(), "reasoning"}, {llama_cpp_events(), "<think>"}}) {
        const Reply reply = of_events(events);
        EXPECT_EQ(outcome(reply), "complete") << field;
        EXPECT_EQ(reply.content, "The final answer is B") << field;
        EXPECT_EQ(reply.reasoning, "Let me see. 6 times 7") << field;
        EXPECT_EQ(reply.reasoning_field, field);
        EXPECT_EQ(reply.usage.prompt_tokens, 5);
        EXPECT_EQ(reply.usage.completion_tokens, 12);
        EXPECT_EQ(reply.model, "m");
        EXPECT_EQ(reply.error, "");
    }
}

TEST(ReplyAssembler, TakesOneFieldWhereBothCarryTheReasoning) {
    const Reply reply = of_events({delta(R"("reasoning_content":"a","reasoning":"a")"), delta(R"("reasoning":"b")"), stop});
    EXPECT_EQ(reply.reasoning, "ab");
}

TEST(ReplyAssembler, ReadsReasoningDetails) {
    const Reply reply = of_events({delta(R"("reasoning_details":[{"type":"reasoning.text","text":"a"},{"type":"reasoning.encrypted","data":"zz"},{"text":"b"}])"), stop});
    EXPECT_EQ(reply.reasoning, "ab");
    EXPECT_EQ(reply.reasoning_field, "reasoning_details");
    EXPECT_EQ(outcome(reply), "answer_in_reasoning");
}

TEST(ReplyAssembler, ReadsContentAsPartsAndNullAsNothing) {
    const Reply reply = of_events({delta(R"("content":null)"), delta(R"("content":[{"type":"text","text":"a"},"b"])"),
                                   delta(R"("content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"c"}])"), stop});
    EXPECT_EQ(reply.content, "abc");
    EXPECT_EQ(reply.reasoning, "t");
}

TEST(ReplyAssembler, KeepsTheContentOfTheFinishChunk) {
    EXPECT_EQ(of_events({delta(R"("content":"a")"), delta(R"("content":"b")", R"("stop")")}).content, "ab");
}

TEST(ReplyAssembler, SplitsInlineThinkingAtTheLastClosingTag) {
    const auto split = [](const std::string& text) { return of_events({delta("\"content\":\"" + text + "\""), stop}); };
    const auto parts = [&](const std::string& text) { const Reply reply = split(text); return reply.reasoning + "|" + reply.content; };
    EXPECT_EQ(parts("<think>a</think>b"), "a|b");
    EXPECT_EQ(parts(R"(\n <think>a</think>b)"), "a|b");
    EXPECT_EQ(parts("a</think>b"), "a|b");
    EXPECT_EQ(parts("<think>a</think>b</think>c"), "a</think>b|c");
    EXPECT_EQ(parts("<think>a"), "a|");
    EXPECT_EQ(parts("a <think> b"), "|a <think> b");
    EXPECT_EQ(parts("</think>b"), "|b");
    EXPECT_EQ(outcome(split("<think>a")), "answer_in_reasoning");
    EXPECT_EQ(outcome(split("<think></think>")), "empty");
}

TEST(ReplyAssembler, LeavesTagsInTheContentWhereAFieldCarriedTheReasoning) {
    EXPECT_EQ(of_events({delta(R"("reasoning":"r")"), delta(R"("content":"a</think>b")"), stop}).content, "a</think>b");
}

TEST(ReplyAssembler, CountsContentThatRepeatsACutThoughtAsNone) {
    const Reply cut = of_events({delta(R"("reasoning_content":"long","content":"long")"), length});
    EXPECT_EQ(outcome(cut), "truncated");
    EXPECT_EQ(cut.content, "");
    EXPECT_EQ(cut.reasoning, "long");
    EXPECT_EQ(of_events({delta(R"("reasoning_content":"B","content":"B")"), stop}).content, "B");
}

TEST(ReplyAssembler, TellsTheEmptyRepliesApart) {
    EXPECT_EQ(outcome(of_events({stop})), "empty");
    EXPECT_EQ(outcome(of_events({delta(R"("content":"\n\n")"), stop})), "empty");
    EXPECT_EQ(outcome(of_events({delta(R"("reasoning":"B")"), delta(R"("content":"\n")"), stop})), "answer_in_reasoning");
    EXPECT_EQ(outcome(of_events({delta(R"("reasoning":"B")"), length})), "truncated");
}

TEST(ReplyAssembler, UsageIsUnknownUnlessTheServerSaysIt) {
    const Reply none = of_events({stop});
    EXPECT_FALSE(none.usage.completion_tokens || none.usage.prompt_tokens || none.usage.reasoning_tokens);
    const Reply null = of_events({R"({"choices":[],"usage":null})", R"({"choices":[],"usage":{"completion_tokens":null,"prompt_tokens":-1}})", stop});
    EXPECT_FALSE(null.usage.completion_tokens || null.usage.prompt_tokens);
}

TEST(ReplyAssembler, FindsUsageInEachPlaceAndTakesTheLast) {
    const Reply in_choice = of_events({R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":4}}]})"});
    EXPECT_EQ(in_choice.usage.completion_tokens, 4);
    const Reply continuous = of_events({R"({"choices":[],"usage":{"completion_tokens":1}})", R"({"choices":[],"usage":{"completion_tokens":2,"completion_tokens_details":null,"reasoning_tokens":0}})", stop});
    EXPECT_EQ(continuous.usage.completion_tokens, 2);
    EXPECT_EQ(continuous.usage.reasoning_tokens, 0);
}

TEST(ReplyAssembler, IgnoresChunksThatSayNothing) {
    const Reply reply = of_events({"null", "{}", R"({"type":"ping"})", R"({"choices":[]})", R"({"choices":null})", delta(R"("content":"a")"), stop});
    EXPECT_EQ(outcome(reply), "complete");
    EXPECT_EQ(reply.events, 8);
}

TEST(ReplyAssembler, ReadsAWholeBodyWhereAStreamWasAskedFor) {
    const std::string body = R"({"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"B","reasoning_content":"r"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}})";
    for (const char* before : {"", "\n ", "\xEF\xBB\xBF"}) {
        const Reply reply = assemble({before, body.substr(0, 30), body.substr(30)});
        EXPECT_EQ(outcome(reply), "complete") << reply.error;
        EXPECT_EQ(reply.content + reply.reasoning, "Br");
        EXPECT_EQ(reply.usage.completion_tokens, 2);
    }
}

TEST(ReplyAssembler, AWholeBodyWithoutChoicesIsMalformed) {
    EXPECT_EQ(outcome(assemble({R"({"choices":[]})"})), "malformed");
    EXPECT_EQ(outcome(assemble({R"({"id":"x"})"})), "malformed");
    EXPECT_EQ(outcome(assemble({"[]"})), "malformed");
    EXPECT_EQ(outcome(assemble({"{\"choices\":"})), "malformed");
    EXPECT_EQ(outcome(assemble({"{\"choices\":"}, {200, 18, false, "cut"})), "dropped");
}

TEST(ReplyAssembler, AnHtmlPageWithStatus200IsMalformedAndShown) {
    const Reply reply = assemble({"<html>\n<body>Welcome</body>\n</html>\n"});
    EXPECT_EQ(outcome(reply), "malformed");
    EXPECT_NE(reply.error.find("Welcome"), std::string::npos) << reply.error;
}

TEST(ReplyAssembler, FindsTheWordsOfEveryFormOfErrorBody) {
    const auto words = [](long status, const std::string& body) { return assemble({body}, {status, 0, false, ""}).error; };
    EXPECT_EQ(words(400, R"({"object":"error","message":"too long","type":"BadRequestError","param":null,"code":400})"), "too long (BadRequestError, 400)");
    EXPECT_EQ(words(404, R"({"error":{"message":"no such model","type":"NotFoundError","param":null,"code":404}})"), "no such model (NotFoundError, 404)");
    EXPECT_EQ(words(429, R"({"error":{"message":"slow down","type":null,"code":"429"}})"), "slow down (429)");
    EXPECT_EQ(words(400, R"({"error":"plain words"})"), "plain words");
    EXPECT_EQ(words(422, R"({"detail":[{"loc":["body","seed"],"msg":"not an int","type":"int","input":{"messages":"SECRET PROMPT"}}]})"), R"(["body","seed"] not an int)");
    EXPECT_EQ(words(401, R"({"detail":"Unauthorized"})"), "Unauthorized");
    EXPECT_EQ(words(502, R"({"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"upstream died","provider_name":"p"}}})"), "Provider returned error: upstream died (502)");
    EXPECT_EQ(words(500, R"({"error_msg":"busy"})"), "busy");
    EXPECT_EQ(words(400, R"({"success":false,"error":{"code":"E1"}})"), R"({"code":"E1"})");
    EXPECT_EQ(words(503, "no healthy upstream"), "no healthy upstream");
    EXPECT_EQ(words(504, "<html><h1>504 Gateway Time-out</h1></html>"), "<html><h1>504 Gateway Time-out</h1></html>");
    EXPECT_EQ(words(500, ""), "status 500 and no body");
    EXPECT_EQ(words(500, "\xFF"), "\xEF\xBF\xBD");
}

TEST(ReplyAssembler, AnErrorInsideA200IsAServerErrorInEveryForm) {
    for (const std::string error : {R"({"error":{"message":"boom"}})", R"({"error":"boom"})", R"({"object":"error","message":"boom"})", R"({"error_msg":"boom"})",
                                    R"({"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"message":"boom"}}]})"}) {
        for (const Reply& reply : {assemble({error}), of_events({delta(R"("content":"a")"), error}), of_events({delta(R"("content":"a")"), stop, error})}) {
            EXPECT_EQ(outcome(reply), "server_error") << error;
            EXPECT_EQ(reply.error, "boom");
        }
    }
}

TEST(ReplyAssembler, NullErrorsAreNone) {
    EXPECT_EQ(outcome(of_events({R"({"error":null,"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]})"})), "complete");
}

TEST(ReplyAssembler, AnEventNamedErrorIsAnErrorWhateverItHolds) {
    const Reply reply = assemble({"data: " + stop + "\n\nevent: error\ndata: it broke\n\n"});
    EXPECT_EQ(outcome(reply), "server_error");
    EXPECT_EQ(reply.error, "it broke");
}

TEST(ReplyAssembler, AnErrorFieldBesideTheEventsIsAnErrorWhereItIsAnObject) {
    EXPECT_EQ(outcome(assemble({"error: {\"message\":\"boom\",\"code\":500}\n\n"})), "server_error");
    EXPECT_EQ(outcome(assemble({"error: hm\n\n" + stream_text({delta(R"("content":"a")"), stop})})), "complete");
}

TEST(ReplyAssembler, UndecodableEventsAndWrongChoicesAreMalformed) {
    EXPECT_EQ(outcome(of_events({"{\"choices\":", stop})), "malformed");
    EXPECT_EQ(outcome(of_events({"[1]", stop})), "malformed");
    EXPECT_EQ(outcome(of_events({R"({"choices":[{"index":1,"delta":{"content":"x"},"finish_reason":"stop"}]})"})), "malformed");
    EXPECT_EQ(outcome(of_events({R"({"choices":[7]})"})), "malformed");
    EXPECT_EQ(outcome(of_events({std::string(100, '[') + std::string(100, ']'), stop})), "malformed");
}

TEST(ReplyAssembler, JsonDeeperThanSixtyFourIsMalformedWhereverItStands) {
    const auto padded = [](std::size_t depth) {
        return R"({"metadata":)" + std::string(depth, '[') + std::string(depth, ']') + R"(,"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]})";
    };
    EXPECT_EQ(outcome(of_events({padded(40)})), "complete");
    EXPECT_EQ(outcome(of_events({padded(70)})), "malformed");
}

TEST(ReplyAssembler, AMissingIndexIsTheFirstChoice) {
    EXPECT_EQ(of_events({R"({"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]})"}).content, "x");
}

TEST(ReplyAssembler, DoneWithoutAFinishReasonIsDropped) {
    const Reply reply = of_events({delta(R"("content":"a")")});
    EXPECT_EQ(outcome(reply), "dropped");
    EXPECT_TRUE(reply.done_marker);
    EXPECT_EQ(reply.error, "the stream ended with [DONE] and without a finish_reason");
}

TEST(ReplyAssembler, AFinishReasonWithoutDoneIsComplete) {
    const Reply reply = of_events({delta(R"("content":"a")"), stop}, false);
    EXPECT_EQ(outcome(reply), "complete");
    EXPECT_FALSE(reply.done_marker);
    EXPECT_TRUE(reply.missing_done);
    EXPECT_FALSE(of_events({delta(R"("content":"a")"), stop}).missing_done);
    EXPECT_FALSE(of_events({delta(R"("content":"a")")}, false).missing_done) << "where no finish_reason came, more than the marker is missing";
    EXPECT_FALSE(assemble({R"({"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]})"}).missing_done) << "a body that is no stream has none";
}

TEST(ReplyAssembler, DoneWithoutAFinishReasonIsAcceptedWhereAskedForAndThereIsText) {
    BodyLimits limits;
    limits.accept_done_without_finish = true;
    const auto accepted = [&](const std::string& fields, bool done) {
        return assemble({stream_text({delta(fields)}, done)}, {200, 0, false, ""}, limits);
    };
    const Reply reply = accepted(R"("content":"a")", true);
    EXPECT_EQ(outcome(reply), "complete");
    EXPECT_TRUE(reply.accepted_without_finish);
    EXPECT_EQ(outcome(accepted(R"("content":"a")", false)), "dropped");
    EXPECT_EQ(outcome(accepted(R"("reasoning":"a")", true)), "dropped");
    EXPECT_FALSE(assemble({stream_text({delta(R"("content":"a")"), stop})}, {200, 0, false, ""}, limits).accepted_without_finish);
}

TEST(ReplyAssembler, CountsTheEventsThatItIgnores) {
    EXPECT_EQ(of_events({"null", "{}", R"({"type":"ping"})", "", delta(R"("content":"a")"), stop}).ignored_chunks, 4);
    EXPECT_EQ(of_events({delta(R"("content":"a")"), R"({"choices":[]})", stop, R"({"choices":[],"usage":{}})"}).ignored_chunks, 0);
}

TEST(ReplyAssembler, AnUnterminatedLastEventCountsWhereItIsWhole) {
    const Reply unterminated = assemble({"data: " + delta(R"("content":"a")", R"("stop")")});
    EXPECT_EQ(outcome(unterminated), "complete");
    EXPECT_TRUE(unterminated.unterminated_event);
    EXPECT_FALSE(of_events({delta(R"("content":"a")"), stop}).unterminated_event);
    EXPECT_TRUE(assemble({"data: " + stop + "\n\ndata: [DONE]"}).done_marker);
    EXPECT_EQ(outcome(assemble({"data: " + delta(R"("content":"a")") + "\n\ndata: {\"choi"})), "dropped");
}

TEST(ReplyAssembler, KeepsTheFinishReasonAsSent) {
    EXPECT_EQ(of_events({delta(R"("content":"a")", R"("STOP")")}).finish_reason, "STOP");
    const Reply unknown = of_events({delta(R"("content":"a")", R"("tired")")});
    EXPECT_EQ(outcome(unknown), "aborted");
    EXPECT_EQ(unknown.error, "finish_reason tired");
}

TEST(ReplyAssembler, ReplacesAndCountsIllFormedTextWithinEventsOnly) {
    const std::string text = "data: " + delta("\"content\":\"a\xF0\x9F\x98\x80 \xFF \\ud83d b\"") + "\n\n" + stream_text({stop});
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const Reply reply = assemble({text.substr(0, at), text.substr(at)});
        ASSERT_EQ(reply.content, "a\xF0\x9F\x98\x80 \xEF\xBF\xBD \xEF\xBF\xBD b") << at;
        ASSERT_EQ(reply.repaired, 2);
        ASSERT_EQ(outcome(reply), "complete");
    }
}

TEST(ReplyAssembler, TheKeyIsTakenOutOfErrors) {
    const Reply reply = assemble({R"({"error":{"message":"bad key sk-verysecret, sk-verysecret"}})"}, {401, 0, false, ""});
    EXPECT_EQ(reply.error, "bad key [key], [key]");
    const Reply cut = assemble({R"({"error":{"message":")" + std::string(2044, 'x') + R"(sk-verysecret"}})"}, {401, 0, false, ""});
    EXPECT_EQ(cut.error.find("sk-"), std::string::npos);
    EXPECT_LE(cut.error.size(), 2048U);
}

TEST(ReplyAssembler, ResponsesAndEventsBeyondTheirBoundsAreMalformed) {
    const BodyLimits small{200, 400};
    EXPECT_EQ(outcome(assemble({"data: " + std::string(300, 'x')}, {200, 0, false, ""}, small)), "malformed");
    std::vector<std::string> many(10, ": " + std::string(100, 'x') + "\n");
    EXPECT_EQ(outcome(assemble(many, {200, 0, false, ""}, small)), "malformed");
    EXPECT_EQ(outcome(assemble({"{\"choices\":\"" + std::string(500, 'x')}, {200, 0, false, ""}, small)), "malformed");
}

TEST(ReplyAssembler, SaysWhenOnlyTheRestIsOfInterest) {
    ChunkReader reader;
    const Secrets secrets("", {});
    ReplyAssembler assembler(reader, secrets, {});
    EXPECT_EQ(assembler.add(200, "data: " + delta(R"("content":"a")") + "\n\n"), ReplyAssembler::Wants::more);
    EXPECT_EQ(assembler.text_events(), 1);
    EXPECT_EQ(assembler.text_bytes(), 1);
    EXPECT_EQ(assembler.add(200, "data: " + stop + "\n\n"), ReplyAssembler::Wants::rest);
    EXPECT_EQ(assembler.add(200, "data: [DONE]\n\n"), ReplyAssembler::Wants::rest);
}

}  // namespace
}  // namespace assay::chat
