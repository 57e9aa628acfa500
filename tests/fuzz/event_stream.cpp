#include <algorithm>

#include "harness/chat/assembler.hpp"
#include "harness/chat/text_repair.hpp"
#include "tests/fuzz/targets.hpp"

namespace assay::fuzz {
namespace {

using namespace chat;

constexpr const char* secret = "sk-verysecret";

Reply assemble(ChunkReader& reader, long status, std::string_view bytes, std::size_t piece) {
    static const Secrets secrets(secret, {});
    ReplyAssembler assembler(reader, secrets, {4096, 1 << 16});
    for (std::size_t at = 0; at < bytes.size(); at += piece) assembler.add(status, bytes.substr(at, piece));
    return assembler.finish({status, 0, false, ""});
}

void check(const Reply& reply) {
    for (const std::string* text : {&reply.content, &reply.reasoning, &reply.error, &reply.finish_reason, &reply.model})
        promise(repair_utf8(*text).replaced == 0);
    promise(reply.error.find(secret) == std::string::npos);
    promise(reply.error.empty() == is_scored(reply.outcome));
}

}  // namespace

void event_stream(Input input) {
    if (input.empty()) return;
    static ChunkReader reader;
    const std::string_view bytes = text_of(input.subspan(1));
    const long status = input[0] >= 0xf0 ? 500 : 200;
    const std::size_t piece = 1U + input[0] % 64U;
    const Reply whole = assemble(reader, status, bytes, std::max<std::size_t>(1, bytes.size()));
    const Reply split = assemble(reader, status, bytes, piece);
    check(whole);
    check(split);
    promise(whole.outcome == split.outcome);
    promise(whole.content == split.content && whole.reasoning == split.reasoning);
    promise(whole.finish_reason == split.finish_reason && whole.repaired == split.repaired);
    promise(whole.usage.completion_tokens == split.usage.completion_tokens);
}

}  // namespace assay::fuzz
