// llama.cpp's form with its thinking left in the text, between <think> and </think>.
#include <fmt/format.h>

#include "harness/simulated/wire_hosted.hpp"

namespace assay::simulated {
namespace {

class LlamaCppWire final : public HostedWire {
public:
    std::string_view name() const noexcept override { return "llama.cpp"; }

    std::optional<std::string> page(std::string_view path, const Identity& identity) const override {
        if (path == "/props") return fmt::format(R"({{"default_generation_settings":{{"n_ctx":{}}},"total_slots":4096,"build_info":"simulated"}})", identity.context);
        return HostedWire::page(path, identity);
    }

protected:
    std::string delta(const Event& event) const override {
        if (event.kind == EventKind::role) return R"("role":"assistant","content":null)";
        if (event.kind == EventKind::finish && event.text.empty()) return {};
        std::string text;
        if (event.first) text = event.kind == EventKind::reasoning ? "<think>" : event.after_reasoning ? "</think>" : "";
        text += event.text;
        return member("content", text);
    }
    std::string message(const Script& script) const override {
        if (script.reasoning.tokens() == 0) return member("content", script.content.all());
        const std::string thought = "<think>" + script.reasoning.all();
        return member("content", script.content.tokens() == 0 ? thought : thought + "</think>" + script.content.all());
    }
    std::string of_event(const Event& event) const override {
        if (event.kind != EventKind::usage) return R"(,"system_fingerprint":"simulated")";
        return fmt::format(R"(,"timings":{{"prompt_n":{},"predicted_n":{}}})", event.tokens.prompt, event.tokens.reasoning + event.tokens.content);
    }
    std::string of_model(const Identity& identity) const override {
        return fmt::format(R"(,"owned_by":"llamacpp","meta":{{"n_ctx_train":{}}})", identity.context);
    }
    std::string usage(const TokenCounts& tokens) const override {
        const std::int64_t completion = tokens.reasoning + tokens.content;
        return fmt::format(R"({{"completion_tokens":{},"prompt_tokens":{},"total_tokens":{}}})", completion, tokens.prompt, tokens.prompt + completion);
    }
};

}  // namespace

std::unique_ptr<Wire> llama_cpp_wire() {
    return std::make_unique<LlamaCppWire>();
}

}  // namespace assay::simulated
