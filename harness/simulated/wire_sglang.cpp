// SGLang's form: every key stands in every event, null where it has no value.
#include <fmt/format.h>

#include "harness/simulated/json_text.hpp"
#include "harness/simulated/wire.hpp"

namespace assay::simulated {
namespace {

constexpr int end_token = 2;  // what "matched_stop" names where the model ended its turn

std::string usage_object(const TokenCounts& tokens) {
    const std::int64_t completion = tokens.reasoning + tokens.content;
    return fmt::format(R"({{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{},"prompt_tokens_details":null,"reasoning_tokens":{}}})",
                       tokens.prompt, tokens.prompt + completion, completion, tokens.reasoning);
}

std::string matched_stop(Finish finish) {
    return finish == Finish::stop ? std::to_string(end_token) : "null";
}

class SglangWire final : public Wire {
public:
    std::string_view name() const noexcept override { return "sglang"; }

    std::string reply_id(std::uint64_t high, std::uint64_t low) const override { return fmt::format("{:016x}{:016x}", high, low); }

    std::optional<std::int64_t> budget(const ChatCall& call) const noexcept override {
        if (call.max_completion_tokens.value_or(0) != 0) return call.max_completion_tokens;  // 0 counts as not given
        return call.max_tokens.value_or(0) != 0 ? call.max_tokens : std::nullopt;
    }

    std::optional<Fault> check(const ChatCall& call, const Identity& identity) const override {
        const std::int64_t prompt = call.prompt_tokens();
        const auto wanted = budget(call);
        if (wanted && *wanted < 0) return Fault{400, fmt::format("max_new_tokens must be at least 0, got {}.", *wanted), ""};
        if (prompt >= identity.context)
            return Fault{400, fmt::format("The input ({} tokens) is longer than the model's context length ({} tokens).", prompt, identity.context), ""};
        if (wanted && *wanted >= identity.context - prompt)
            return Fault{400,
                         fmt::format("Requested token count exceeds the model's maximum context length of {} tokens. You requested a total of {} "
                                     "tokens: {} tokens from the input messages and {} tokens for the completion.",
                                     identity.context, static_cast<std::uint64_t>(prompt) + static_cast<std::uint64_t>(*wanted), prompt, *wanted),
                         ""};
        return std::nullopt;
    }

    bool sends_usage(const ChatCall& call) const noexcept override { return call.include_usage.value_or(false); }

    void append_event(const ReplyHead& head, const Event& event, std::string& out) const override {
        if (event.kind == EventKind::done) {
            out += "data: [DONE]\n\n";
            return;
        }
        out += R"(data: {"id":")";
        out += head.id;
        out += R"(","object":"chat.completion.chunk","created":)";
        out += fmt::format_int(head.created).c_str();
        out += R"(,"model":)";
        append_json_string(out, head.model);
        if (event.kind == EventKind::usage) {
            out += R"(,"choices":[],"usage":)" + usage_object(event.tokens) + "}\n\n";
            return;
        }
        out += R"(,"choices":[{"index":0,"delta":{"role":)";
        out += event.kind == EventKind::role ? R"("assistant","content":"")" : R"(null,"content":)";
        const bool has_content = event.kind == EventKind::content || (event.kind == EventKind::finish && !event.text.empty());
        if (has_content) append_json_string(out, event.text);
        else if (event.kind != EventKind::role) out += "null";
        out += R"(,"reasoning_content":)";
        if (event.kind == EventKind::reasoning)
            append_json_string(out, event.text);
        else
            out += "null";
        out += R"(,"tool_calls":null},"logprobs":null,"finish_reason":)";
        if (event.kind == EventKind::finish) {
            append_json_string(out, finish_name(event.finish));
            out += R"(,"matched_stop":)" + matched_stop(event.finish);
        } else {
            out += R"(null,"matched_stop":null)";
        }
        out += "}],\"usage\":null}\n\n";
    }

    std::string whole(const ReplyHead& head, const Script& script, const TokenCounts& tokens) const override {
        std::string out = fmt::format(R"({{"id":"{}","object":"chat.completion","created":{},"model":)", head.id, head.created);
        append_json_string(out, head.model);
        out += R"(,"choices":[{"index":0,"message":{"role":"assistant","content":)";
        append_json_string(out, script.content.all());
        out += R"(,"reasoning_content":)";
        if (tokens.reasoning > 0)
            append_json_string(out, script.reasoning.all());
        else
            out += "null";
        out += fmt::format(R"(,"tool_calls":null}},"logprobs":null,"finish_reason":"{}","matched_stop":{}}}],"usage":{},"metadata":{{"weight_version":"simulated"}}}})",
                           finish_name(script.finish), matched_stop(script.finish), usage_object(tokens));
        return out;
    }

    std::string error(const Fault& fault) const override {
        return fmt::format(R"({{"object":"error","message":{},"type":"{}","param":{},"code":{}}})", json_string(fault.message), error_type(fault.status),
                           fault.param.empty() ? "null" : json_string(fault.param), fault.status);
    }

    Fault wrong_content_type() const override { return {400, "Unsupported Media Type: Only 'application/json' is allowed", ""}; }

    std::optional<std::string> page(std::string_view path, const Identity& identity) const override {
        const std::string model = json_string(identity.model);
        if (path == "/v1/models")
            return fmt::format(R"({{"object":"list","data":[{{"id":{0},"object":"model","created":{1},"owned_by":"sglang","root":{0},"parent":null,"max_model_len":{2}}}]}})",
                               model, identity.started, identity.context);
        if (path == "/get_model_info" || path == "/model_info")
            return R"({"model_path":"simulated","tokenizer_path":"simulated","is_generation":true,"preferred_sampling_params":null,"weight_version":"simulated"})";
        if (path == "/get_server_info" || path == "/server_info")
            return fmt::format(R"({{"model_path":"simulated","served_model_name":{},"context_length":{},"max_running_requests":4096,"max_queued_requests":null,)"
                               R"("reasoning_parser":"simulated","tool_call_parser":null,"quantization":null,"kv_cache_dtype":"auto","tp_size":1,)"
                               R"("random_seed":0,"version":"0.0.0+simulated"}})",
                               model, identity.context);
        return std::nullopt;
    }

    std::optional<std::string> metrics(std::int64_t running) const override {
        return fmt::format("# TYPE sglang:num_running_reqs gauge\nsglang:num_running_reqs {}\n# TYPE sglang:num_queue_reqs gauge\nsglang:num_queue_reqs 0\n", running);
    }
};

}  // namespace

std::unique_ptr<Wire> sglang_wire() {
    return std::make_unique<SglangWire>();
}

}  // namespace assay::simulated
