// OpenAI's form: nothing comes while the model thinks; what was thought is only counted.
#include <fmt/format.h>

#include "harness/simulated/wire_hosted.hpp"

namespace assay::simulated {
namespace {

class OpenAiWire final : public HostedWire {
public:
    std::string_view name() const noexcept override { return "openai"; }
    bool shows_reasoning() const noexcept override { return false; }

protected:
    std::string delta(const Event& event) const override {
        if (event.kind == EventKind::role) return R"("role":"assistant","content":"","refusal":null)";
        if (event.kind == EventKind::content || !event.text.empty()) return member("content", event.text);
        return {};
    }
    std::string message(const Script& script) const override { return member("content", script.content.all()) + R"(,"refusal":null,"annotations":[])"; }
    std::string of_choice(const Event&) const override { return R"(,"logprobs":null)"; }
    std::string of_event(const Event& event) const override {
        return event.kind == EventKind::usage ? R"(,"obfuscation":"aZ")" : R"(,"service_tier":"default","usage":null,"obfuscation":"aZ09")";
    }
    std::string of_model(const Identity&) const override { return R"(,"owned_by":"system")"; }
};

}  // namespace

std::unique_ptr<Wire> openai_wire() {
    return std::make_unique<OpenAiWire>();
}

}  // namespace assay::simulated
