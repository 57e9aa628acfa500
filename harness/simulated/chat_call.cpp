#include "harness/simulated/chat_call.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace assay::simulated {
namespace {

using Json = nlohmann::json;

// Thrown and caught in this file only: a field of the request is at fault.
struct FieldFault {
    Fault fault;
};

[[noreturn]] void refuse(const std::string& field, const std::string& message) {
    throw FieldFault{Fault{400, message, field}};
}

const Json* given(const Json& object, const char* field) {
    const auto found = object.find(field);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::int64_t> whole_number(const Json& object, const char* field) {
    const Json* value = given(object, field);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX))
        refuse(field, fmt::format("{}: a 64-bit integer is expected", field));
    return value->get<std::int64_t>();
}

std::optional<double> number(const Json& object, const char* field, double low, double high) {
    const Json* value = given(object, field);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) refuse(field, fmt::format("{}: a number is expected", field));
    const double got = value->get<double>();
    if (!(got >= low && got <= high)) refuse(field, fmt::format("{} must lie in [{}, {}], got {}", field, low, high, got));
    return got;
}

bool boolean(const Json& object, const char* field, bool absent) {
    const Json* value = given(object, field);
    if (value == nullptr) return absent;
    if (!value->is_boolean()) refuse(field, fmt::format("{}: true or false is expected", field));
    return value->get<bool>();
}

std::string text_of(const Json& content) {
    if (content.is_null()) return {};
    if (content.is_string()) return content.get<std::string>();
    if (!content.is_array()) refuse("messages", "messages: content must be a string or a list of parts");
    std::string joined;
    for (const Json& part : content) {
        if (!part.is_object() || !part.contains("text") || !part["text"].is_string())
            refuse("messages", "messages: only text parts can be served here");
        joined += part["text"].get<std::string>();
    }
    return joined;
}

std::vector<ChatCall::Message> messages_of(const Json& object) {
    const Json* list = given(object, "messages");
    if (list == nullptr || !list->is_array()) refuse("messages", "messages: a list is expected");
    if (list->empty()) refuse("messages", "Messages cannot be empty.");
    std::vector<ChatCall::Message> messages;
    for (const Json& item : *list) {
        if (!item.is_object() || !item.contains("role") || !item["role"].is_string())
            refuse("messages", "messages: each needs a role");
        messages.push_back({item["role"].get<std::string>(), item.contains("content") ? text_of(item["content"]) : std::string()});
    }
    return messages;
}

void decode_stream_options(const Json& object, ChatCall& call) {
    const Json* options = given(object, "stream_options");
    if (options == nullptr) return;
    if (!options->is_object()) refuse("stream_options", "stream_options: an object is expected");
    call.has_stream_options = true;
    if (given(*options, "include_usage") != nullptr) call.include_usage = boolean(*options, "include_usage", false);
}

ChatCall decode(const Json& object) {
    if (!object.is_object()) refuse("", "a JSON object is expected as the body");
    ChatCall call;
    const Json* model = given(object, "model");
    if (model != nullptr && !model->is_string()) refuse("model", "model: a string is expected");
    if (model != nullptr) call.model = model->get<std::string>();
    call.messages = messages_of(object);
    call.max_tokens = whole_number(object, "max_tokens");
    call.max_completion_tokens = whole_number(object, "max_completion_tokens");
    call.temperature = number(object, "temperature", 0, 2);
    call.top_p = number(object, "top_p", 0, 1);
    call.seed = whole_number(object, "seed");
    const Json* effort = given(object, "reasoning_effort");
    if (effort != nullptr && !effort->is_string()) refuse("reasoning_effort", "reasoning_effort: a string is expected");
    if (effort != nullptr) call.reasoning_effort = effort->get<std::string>();
    call.stream = boolean(object, "stream", false);
    decode_stream_options(object, call);
    call.choices = whole_number(object, "n").value_or(1);
    if (call.choices < 1 || call.choices > ChatCall::most_choices) refuse("n", fmt::format("n: a whole number from 1 to {} is expected", ChatCall::most_choices));
    return call;
}

}  // namespace

const std::string& ChatCall::question() const noexcept {
    static const std::string none;
    for (auto message = messages.rbegin(); message != messages.rend(); ++message)
        if (message->role == "user") return message->content;
    return none;
}

std::int64_t ChatCall::prompt_tokens() const noexcept {
    std::int64_t tokens = 0;
    for (const Message& message : messages) tokens += 4 + (static_cast<std::int64_t>(message.content.size()) + 3) / 4;
    return tokens;
}

std::variant<ChatCall, Fault> decode_chat_call(const std::string& body) {
    const Json object = Json::parse(body, nullptr, false);
    if (object.is_discarded()) return Fault{400, "the body is not valid JSON", ""};
    try {
        return decode(object);
    } catch (const FieldFault& at_fault) {
        return at_fault.fault;
    }
}

}  // namespace assay::simulated
