// HostedWire: what the forms of OpenAI, OpenRouter and llama.cpp have in common. Private to this folder.
#pragma once

#include <string>

#include "harness/simulated/wire.hpp"

namespace assay::simulated {

class HostedWire : public Wire {
public:
    [[nodiscard]] std::string reply_id(std::uint64_t high, std::uint64_t low) const override;
    [[nodiscard]] std::optional<std::int64_t> budget(const ChatCall& call) const noexcept override;
    [[nodiscard]] std::optional<Fault> check(const ChatCall& call, const Identity& identity) const override;
    [[nodiscard]] bool sends_usage(const ChatCall& call) const noexcept override;
    void append_event(const ReplyHead& head, const Event& event, std::string& out) const override;
    [[nodiscard]] std::string whole(const ReplyHead& head, const Script& script, const TokenCounts& tokens) const override;
    [[nodiscard]] std::string error(const Fault& fault) const override;
    [[nodiscard]] Fault wrong_content_type() const override;
    [[nodiscard]] std::optional<std::string> page(std::string_view path, const Identity& identity) const override;

protected:
    // The members of a delta (or of a message), without braces.
    [[nodiscard]] virtual std::string delta(const Event& event) const = 0;
    [[nodiscard]] virtual std::string message(const Script& script) const = 0;
    // Further members, each with its comma before it.
    [[nodiscard]] virtual std::string of_choice(const Event&) const { return {}; }
    [[nodiscard]] virtual std::string of_event(const Event&) const { return {}; }
    [[nodiscard]] virtual std::string of_model(const Identity&) const { return {}; }
    [[nodiscard]] virtual std::string usage(const TokenCounts& tokens) const;  // the object
};

// "content":"..." with the text escaped, under any name.
[[nodiscard]] std::string member(std::string_view name, std::string_view text);

}  // namespace assay::simulated
