// OpenRouter's form: comments while it waits, reasoning under two names, the provider's own finish_reason beside.
#include <fmt/format.h>

#include "harness/simulated/wire_hosted.hpp"

namespace assay::simulated {
namespace {

class OpenRouterWire final : public HostedWire {
public:
    std::string_view name() const noexcept override { return "openrouter"; }

    std::string reply_id(std::uint64_t high, std::uint64_t) const override { return fmt::format("gen-{:016x}", high); }

    void append_event(const ReplyHead& head, const Event& event, std::string& out) const override {
        if (event.kind == EventKind::role) out += ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n";
        HostedWire::append_event(head, event, out);
    }

protected:
    std::string delta(const Event& event) const override {
        std::string out = R"("role":"assistant",)";
        if (event.kind != EventKind::reasoning) return out + member("content", event.text);
        return out + R"("content":"",)" + member("reasoning", event.text) + R"(,"reasoning_details":[{"type":"reasoning.text",)" + member("text", event.text) +
               R"(,"format":"unknown","index":0}])";
    }
    std::string message(const Script& script) const override {
        return member("content", script.content.all()) + "," + member("reasoning", script.reasoning.all()) + R"(,"refusal":null)";
    }
    std::string of_choice(const Event& event) const override {
        if (event.kind != EventKind::finish) return R"(,"native_finish_reason":null,"logprobs":null)";
        return fmt::format(R"(,"native_finish_reason":"{}","logprobs":null)", finish_name(event.finish));
    }
    std::string of_event(const Event&) const override { return R"(,"provider":"Simulated")"; }
    std::string of_model(const Identity& identity) const override { return fmt::format(R"(,"context_length":{})", identity.context); }
};

}  // namespace

std::unique_ptr<Wire> openrouter_wire() {
    return std::make_unique<OpenRouterWire>();
}

}  // namespace assay::simulated
