// ChatCall: what a chat completion request asks for, decoded from its JSON body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace assay::simulated {

// A request that cannot be served, in the terms that every server's error form carries.
struct Fault {
    int status = 400;
    std::string message;
    std::string param;  // the field at fault; empty: none
};

struct ChatCall {
    static constexpr std::int64_t most_choices = 128;

    struct Message {
        std::string role;
        std::string content;  // text parts joined
    };
    std::string model;
    std::vector<Message> messages;
    std::optional<std::int64_t> max_tokens;
    std::optional<std::int64_t> max_completion_tokens;
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<std::int64_t> seed;
    std::optional<std::string> reasoning_effort;
    std::int64_t choices = 1;  // `n`, in [1, most_choices]
    bool stream = false;
    bool has_stream_options = false;
    std::optional<bool> include_usage;

    // The text of the last message whose role is "user"; empty where there is none.
    [[nodiscard]] const std::string& question() const noexcept;
    // About 4 bytes a token, and 4 tokens a message for its role.
    [[nodiscard]] std::int64_t prompt_tokens() const noexcept;
};

// Unknown fields are ignored, as SGLang and vLLM do. Fields of a wrong type, no messages and an `n` out of range are faults.
[[nodiscard]] std::variant<ChatCall, Fault> decode_chat_call(const std::string& body);

}  // namespace assay::simulated
