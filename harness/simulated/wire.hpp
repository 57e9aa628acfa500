// Wire: how one server writes what all OpenAI-compatible servers say. One file a form, one line in wire_forms().
//
// Forms, as read from the servers' public sources and threads:
//   sglang   reasoning in "reasoning_content"; keys without a value are null; "matched_stop"; errors are flat objects;
//            "reasoning_tokens" beside "completion_tokens"; prompt + budget must be below the context
//   vllm     reasoning in "reasoning"; keys without a value are left out of deltas; "stop_reason"; errors are nested;
//            "completion_tokens_details"; prompt + budget may equal the context
//   vllm-old   the same before the rename: "reasoning_content", flat errors, no details of tokens
//   openrouter  comments while it waits; "reasoning" and "reasoning_details"; "native_finish_reason"; errors nested
//   openai   thinks without a byte on the wire, then content only; padding in "obfuscation"
//   llama.cpp   thinking inline between <think> and </think>; "timings" with the usage
// Stateless: one object serves all connections. Text is appended as valid JSON and whole events only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulated/chat_call.hpp"
#include "harness/simulated/responder.hpp"

namespace assay::simulated {

// What every event of a reply repeats.
struct ReplyHead {
    std::string id;
    std::int64_t created = 0;  // unix seconds
    std::string model;
};

struct TokenCounts {
    std::int64_t prompt = 0;
    std::int64_t reasoning = 0;
    std::int64_t content = 0;
};

// `whole`: of a body that is no stream; never an event.
enum class EventKind : unsigned char { role, reasoning, content, finish, usage, done, whole };

struct Event {
    EventKind kind = EventKind::role;
    bool first = false;            // of the reasoning or content events
    bool after_reasoning = false;  // content: there was some before it
    std::string_view text;         // reasoning, content; of finish the last of the content, or nothing
    Finish finish = Finish::stop;  // finish
    TokenCounts tokens;            // usage
};

// What the server says of itself.
struct Identity {
    std::string model;
    std::int64_t context = 0;  // tokens of prompt and reply together
    std::int64_t started = 0;  // unix seconds
};

class Wire {
public:
    virtual ~Wire() = default;
    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    [[nodiscard]] virtual std::string reply_id(std::uint64_t high, std::uint64_t low) const = 0;

    // The budget that the server reads from the request; nothing: whatever room the context has.
    [[nodiscard]] virtual std::optional<std::int64_t> budget(const ChatCall& call) const noexcept = 0;
    // What is wrong with a call for this server (its fields, the context), or nothing.
    [[nodiscard]] virtual std::optional<Fault> check(const ChatCall& call, const Identity& identity) const = 0;
    [[nodiscard]] virtual bool sends_usage(const ChatCall& call) const noexcept = 0;

    // One server-sent event with its blank line.
    virtual void append_event(const ReplyHead& head, const Event& event, std::string& out) const = 0;
    // The body of a reply that is not streamed.
    [[nodiscard]] virtual std::string whole(const ReplyHead& head, const Script& script, const TokenCounts& tokens) const = 0;
    [[nodiscard]] virtual std::string error(const Fault& fault) const = 0;
    // A request's Content-Type that is not JSON.
    [[nodiscard]] virtual Fault wrong_content_type() const = 0;

    // The JSON body of a GET, or nothing where the server has no such path. "/v1/models" and the facts paths.
    [[nodiscard]] virtual std::optional<std::string> page(std::string_view path, const Identity& identity) const = 0;
    // The text of /metrics (Prometheus exposition), or nothing where the server has none.
    [[nodiscard]] virtual std::optional<std::string> metrics(std::int64_t running) const {
        static_cast<void>(running);
        return std::nullopt;
    }
    // Whether thinking is sent; false: the server is silent meanwhile.
    [[nodiscard]] virtual bool shows_reasoning() const noexcept { return true; }
};

[[nodiscard]] std::unique_ptr<Wire> sglang_wire();
[[nodiscard]] std::unique_ptr<Wire> vllm_wire();
[[nodiscard]] std::unique_ptr<Wire> vllm_old_wire();
[[nodiscard]] std::unique_ptr<Wire> openrouter_wire();
[[nodiscard]] std::unique_ptr<Wire> openai_wire();
[[nodiscard]] std::unique_ptr<Wire> llama_cpp_wire();

// The form of that name. Throws assay::Error, naming the forms there are.
[[nodiscard]] std::unique_ptr<Wire> make_wire(std::string_view name);
[[nodiscard]] std::vector<std::string> wire_names();

// "BadRequestError" and the like: the type that SGLang and vLLM put into error objects.
[[nodiscard]] std::string_view error_type(int status) noexcept;
[[nodiscard]] constexpr std::string_view finish_name(Finish finish) noexcept { return finish == Finish::stop ? "stop" : "length"; }

}  // namespace assay::simulated
