// vLLM's forms, before and since the rename of reasoning_content to reasoning: a delta carries only the keys that are set.
#include <fmt/format.h>

#include "harness/simulated/json_text.hpp"
#include "harness/simulated/wire.hpp"

namespace assay::simulated {
namespace {

enum class Age : unsigned char { old, present };

class VllmWire final : public Wire {
public:
    explicit VllmWire(Age age) : age_(age) {}

    std::string_view name() const noexcept override { return age_ == Age::old ? "vllm-old" : "vllm"; }

    std::string reply_id(std::uint64_t high, std::uint64_t low) const override { return fmt::format("chatcmpl-{:016x}{:016x}", high, low); }

    std::optional<std::int64_t> budget(const ChatCall& call) const noexcept override {
        return call.max_completion_tokens ? call.max_completion_tokens : call.max_tokens;
    }

    std::optional<Fault> check(const ChatCall& call, const Identity& identity) const override {
        if (call.has_stream_options && !call.stream) return Fault{400, "Stream options can only be defined when `stream=True`.", "stream_options"};
        const std::int64_t prompt = call.prompt_tokens();
        const auto wanted = budget(call);
        if (wanted && *wanted < 1) return Fault{400, fmt::format("max_tokens must be at least 1, got {}.", *wanted), "max_tokens"};
        if (prompt >= identity.context)
            return Fault{400,
                         fmt::format("This model's maximum context length is {} tokens. However, your request has {} input tokens. Please reduce the length of the "
                                     "input messages.",
                                     identity.context, prompt),
                         "input_tokens"};
        if (wanted && *wanted > identity.context - prompt)
            return Fault{400,
                         fmt::format("'max_tokens' or 'max_completion_tokens' is too large: {}. This model's maximum context length is {} tokens and your request has "
                                     "{} input tokens.",
                                     *wanted, identity.context, prompt),
                         "max_tokens"};
        return std::nullopt;
    }

    // stream_options without the field asks for usage.
    bool sends_usage(const ChatCall& call) const noexcept override { return call.has_stream_options && call.include_usage.value_or(true); }

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
        out += R"(,"choices":[{"index":0,"delta":{)";
        if (event.kind == EventKind::role) out += R"("role":"assistant","content":"")";
        if (event.kind == EventKind::finish) {
            out += R"("content":)";
            append_json_string(out, event.text);
        }
        if (event.kind == EventKind::reasoning || event.kind == EventKind::content) {
            out += event.kind == EventKind::content ? R"("content":)" : age_ == Age::old ? R"("reasoning_content":)" : R"("reasoning":)";
            append_json_string(out, event.text);
        }
        out += R"(},"logprobs":null,"finish_reason":)";
        if (event.kind == EventKind::finish) {
            append_json_string(out, finish_name(event.finish));
            out += R"(,"stop_reason":null}],"system_fingerprint":"simulated")";
        } else {
            out += "null}]";
        }
        out += "}\n\n";
    }

    std::string whole(const ReplyHead& head, const Script& script, const TokenCounts& tokens) const override {
        std::string out = fmt::format(R"({{"id":"{}","object":"chat.completion","created":{},"model":)", head.id, head.created);
        append_json_string(out, head.model);
        out += R"(,"choices":[{"index":0,"message":{"role":"assistant","content":)";
        if (tokens.content > 0)
            append_json_string(out, script.content.all());
        else
            out += "null";
        out += R"(,"refusal":null,"annotations":null,"audio":null,"function_call":null,"tool_calls":[],)";
        out += age_ == Age::old ? R"("reasoning_content":)" : R"("reasoning":)";
        if (tokens.reasoning > 0)
            append_json_string(out, script.reasoning.all());
        else
            out += "null";
        out += fmt::format(R"(}},"logprobs":null,"finish_reason":"{}","stop_reason":null,"token_ids":null}}],"service_tier":null,"system_fingerprint":"simulated","usage":{}}})",
                           finish_name(script.finish), usage_object(tokens));
        return out;
    }

    std::string error(const Fault& fault) const override {
        if (age_ == Age::old)
            return fmt::format(R"({{"object":"error","message":{},"type":"{}","param":{},"code":{}}})", json_string(fault.message), error_type(fault.status),
                               fault.param.empty() ? "null" : json_string(fault.param), fault.status);
        return fmt::format(R"({{"error":{{"message":{},"type":"{}","param":{},"code":{}}}}})", json_string(fault.message), error_type(fault.status),
                           fault.param.empty() ? "null" : json_string(fault.param), fault.status);
    }

    Fault wrong_content_type() const override { return {415, "Unsupported Media Type: Only 'application/json' is allowed", ""}; }

    std::optional<std::string> page(std::string_view path, const Identity& identity) const override {
        if (path == "/v1/models")
            return fmt::format(R"({{"object":"list","data":[{{"id":{},"object":"model","created":{},"owned_by":"vllm","root":"simulated","parent":null,"max_model_len":{},)"
                               R"("permission":[{{"id":"modelperm-simulated","object":"model_permission","created":{},"allow_create_engine":false,"allow_sampling":true,)"
                               R"("allow_logprobs":false,"allow_search_indices":false,"allow_view":true,"allow_fine_tuning":false,"organization":"*","group":null,)"
                               R"("is_blocking":false}}]}}]}})",
                               json_string(identity.model), identity.started, identity.context, identity.started);
        if (path == "/version") return R"({"version":"0.0.0+simulated"})";
        return std::nullopt;
    }

    std::optional<std::string> metrics(std::int64_t running) const override {
        return fmt::format("# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running {}\n# TYPE vllm:num_requests_waiting gauge\nvllm:num_requests_waiting 0\n", running);
    }

private:
    std::string usage_object(const TokenCounts& tokens) const {
        const std::int64_t completion = tokens.reasoning + tokens.content;
        std::string out = fmt::format(R"({{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{})", tokens.prompt, tokens.prompt + completion, completion);
        if (age_ == Age::present) out += fmt::format(R"(,"completion_tokens_details":{{"reasoning_tokens":{}}})", tokens.reasoning);
        return out + "}";
    }

    Age age_;
};

}  // namespace

std::unique_ptr<Wire> vllm_wire() {
    return std::make_unique<VllmWire>(Age::present);
}

std::unique_ptr<Wire> vllm_old_wire() {
    return std::make_unique<VllmWire>(Age::old);
}

}  // namespace assay::simulated
