#include "harness/simulated/wire_hosted.hpp"

#include <fmt/format.h>

#include "harness/simulated/json_text.hpp"

namespace assay::simulated {

std::string member(std::string_view name, std::string_view text) {
    std::string out = fmt::format("\"{}\":", name);
    append_json_string(out, text);
    return out;
}

std::string HostedWire::reply_id(std::uint64_t high, std::uint64_t low) const { return fmt::format("chatcmpl-{:016x}{:016x}", high, low); }

std::optional<std::int64_t> HostedWire::budget(const ChatCall& call) const noexcept {
    return call.max_completion_tokens ? call.max_completion_tokens : call.max_tokens;
}

std::optional<Fault> HostedWire::check(const ChatCall& call, const Identity& identity) const {
    const std::int64_t prompt = call.prompt_tokens();
    if (prompt >= identity.context)
        return Fault{400, fmt::format("the request exceeds the available context size ({} tokens, {} available)", prompt, identity.context), "messages"};
    return std::nullopt;
}

bool HostedWire::sends_usage(const ChatCall& call) const noexcept { return call.include_usage.value_or(false); }

void HostedWire::append_event(const ReplyHead& head, const Event& event, std::string& out) const {
    if (event.kind == EventKind::done) {
        out += "data: [DONE]\n\n";
        return;
    }
    out += fmt::format(R"(data: {{"id":"{}","object":"chat.completion.chunk","created":{},{})", head.id, head.created, member("model", head.model));
    if (event.kind == EventKind::usage) {
        out += R"(,"choices":[],"usage":)" + usage(event.tokens) + of_event(event) + "}\n\n";
        return;
    }
    out += R"(,"choices":[{"index":0,"delta":{)" + delta(event) + R"(},"finish_reason":)";
    out += event.kind == EventKind::finish ? fmt::format("\"{}\"", finish_name(event.finish)) : "null";
    out += of_choice(event) + "}]" + of_event(event) + "}\n\n";
}

std::string HostedWire::whole(const ReplyHead& head, const Script& script, const TokenCounts& tokens) const {
    return fmt::format(R"({{"id":"{}","object":"chat.completion","created":{},{},"choices":[{{"index":0,"message":{{"role":"assistant",{}}},"finish_reason":"{}"}}],"usage":{}}})",
                       head.id, head.created, member("model", head.model), message(script), finish_name(script.finish), usage(tokens));
}

std::string HostedWire::error(const Fault& fault) const {
    return fmt::format(R"({{"error":{{"code":{},{},"type":"{}"}}}})", fault.status, member("message", fault.message), error_type(fault.status));
}

Fault HostedWire::wrong_content_type() const { return {400, "the body must be application/json", ""}; }

std::optional<std::string> HostedWire::page(std::string_view path, const Identity& identity) const {
    if (path != "/v1/models") return std::nullopt;
    return fmt::format(R"({{"object":"list","data":[{{{},"object":"model","created":{}{}}}]}})", member("id", identity.model), identity.started, of_model(identity));
}

std::string HostedWire::usage(const TokenCounts& tokens) const {
    const std::int64_t completion = tokens.reasoning + tokens.content;
    return fmt::format(R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{},"completion_tokens_details":{{"reasoning_tokens":{}}}}})", tokens.prompt, completion,
                       tokens.prompt + completion, tokens.reasoning);
}

}  // namespace assay::simulated
