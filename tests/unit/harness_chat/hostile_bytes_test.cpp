// Random bytes, and good streams with random damage: whatever comes, the assembler ends with an outcome, keeps valid
// UTF-8, and comes to the same reply however the bytes were split.
#include <gtest/gtest.h>

#include <random>

#include "harness/chat/assembler.hpp"
#include "harness/chat/text_repair.hpp"
#include "tests/unit/harness_chat/endpoint_fixture.hpp"

namespace assay::chat {
namespace {

using namespace tests;

struct Fuzz {
    std::mt19937 random{20251129};  // a fixed seed: the same bytes every time
    ChunkReader reader;
    Secrets secrets{"sk-verysecret", {}};

    std::size_t below(std::size_t bound) { return random() % bound; }

    Reply assemble(long status, const std::string& bytes, bool split) {
        ReplyAssembler assembler(reader, secrets, {4096, 16384});
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t length = split ? 1 + below(1 + below(40)) : bytes.size();
            assembler.add(status, std::string_view(bytes).substr(at, length));
            at += length;
        }
        return assembler.finish({status, 0, false, ""});
    }

    std::string good_stream() {
        const std::vector<std::vector<std::string>> all{sglang_events(), vllm_events(), llama_cpp_events()};
        std::string text = stream_text(all[below(all.size())]);
        if (below(4) == 0) text += stream_text(all[below(all.size())]);
        if (below(8) == 0) text = all[below(all.size())].front();
        return text;
    }

    void damage(std::string& text) {
        static const std::vector<std::string> bits{"\r", "\n\n", "\"", "\\", "{", "}", "[DONE]", "\xFF", "\xF0\x9F", "\\ud83d", "data: ", "error: {}\n", "null",
                                                   "</think>", "<think>", "sk-verysecret", std::string(1, '\0'), "event: error\n", "\"error\":{}", "9e999"};
        const std::size_t at = below(text.size() + 1);
        switch (below(4)) {
            case 0: text.erase(at, below(20)); break;
            case 1: text.insert(at, bits[below(bits.size())]); break;
            case 2: text.insert(at, text.substr(below(text.size() + 1), below(300))); break;
            default: if (at < text.size()) text[at] = static_cast<char>(below(256)); break;
        }
    }
};

void expect_same(const Reply& whole, const Reply& split, const std::string& bytes) {
    ASSERT_EQ(to_string(split.outcome), to_string(whole.outcome)) << testing::PrintToString(bytes);
    ASSERT_EQ(split.content, whole.content) << testing::PrintToString(bytes);
    ASSERT_EQ(split.reasoning, whole.reasoning) << testing::PrintToString(bytes);
    ASSERT_EQ(split.finish_reason, whole.finish_reason);
    ASSERT_EQ(split.usage.completion_tokens, whole.usage.completion_tokens);
    ASSERT_EQ(split.repaired, whole.repaired);
    ASSERT_EQ(split.done_marker, whole.done_marker);
}

void expect_sound(const Reply& reply) {
    for (const std::string& text : {reply.content, reply.reasoning, reply.error, reply.finish_reason, reply.model}) {
        ASSERT_EQ(repair_utf8(text).replaced, 0);
    }
    ASSERT_EQ(reply.error.find("sk-verysecret"), std::string::npos);
    ASSERT_EQ(reply.error.empty(), is_scored(reply.outcome));
}

TEST(HostileBytes, DamagedStreamsComeToTheSameReplyForEverySplit) {
    Fuzz fuzz;
    std::array<int, outcome_count> seen{};
    for (int round = 0; round < 8000; ++round) {
        std::string bytes = fuzz.good_stream();
        for (std::size_t i = fuzz.below(5); i > 0; --i) fuzz.damage(bytes);
        const long status = fuzz.below(16) == 0 ? 500 : 200;
        const Reply whole = fuzz.assemble(status, bytes, false);
        ++seen[static_cast<std::size_t>(whole.outcome)];
        expect_sound(whole);
        expect_same(whole, fuzz.assemble(status, bytes, true), bytes);
        if (HasFatalFailure()) return;
    }
    // The damage reaches every part of the classifier that a body alone can reach.
    for (const Outcome outcome : {Outcome::complete, Outcome::answer_in_reasoning, Outcome::aborted, Outcome::dropped, Outcome::server_error, Outcome::malformed}) {
        EXPECT_GT(seen[static_cast<std::size_t>(outcome)], 0) << to_string(outcome);
    }
}

TEST(HostileBytes, RandomBytesComeToTheSameReplyForEverySplit) {
    Fuzz fuzz;
    for (int round = 0; round < 8000; ++round) {
        std::string bytes(fuzz.below(200), '\0');
        const bool few = fuzz.below(2) == 0;
        for (char& c : bytes) c = few ? "dat:er{}[]\"\r\n\\u "[fuzz.below(16)] : static_cast<char>(fuzz.below(256));
        const Reply whole = fuzz.assemble(200, bytes, false);
        expect_sound(whole);
        expect_same(whole, fuzz.assemble(200, bytes, true), bytes);
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace assay::chat
