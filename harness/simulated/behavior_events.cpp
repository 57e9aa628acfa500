// Events left out, changed and added.
#include <fmt/format.h>

#include "harness/simulated/behavior_rows.hpp"
#include "harness/simulated/json_text.hpp"

namespace assay::simulated {
namespace {

constexpr std::string_view error_json = R"({"error":{"object":"error","message":"worker died, simulated","type":"InternalServerError","param":null,"code":500}})";

// A behaviour that is nothing but its delivery.
template <class Kind, class... Arguments>
class Delivered final : public Behavior {
public:
    explicit Delivered(Arguments... arguments) : arguments_(arguments...) {}
    std::unique_ptr<Delivery> delivery(const Arrival&) const override {
        return std::apply([](const auto&... all) { return std::make_unique<Kind>(all...); }, arguments_);
    }

private:
    std::tuple<Arguments...> arguments_;
};

class WithoutEvent final : public Delivery {
public:
    explicit WithoutEvent(EventKind kind) : kind_(kind) {}
    Ending pass(std::string& bytes, Place place) override {
        if (place.kind == kind_) bytes.clear();
        return Ending::none;
    }

private:
    EventKind kind_;
};

// Where an error stands: before everything, in the middle, behind finish_reason. Before and in the middle only the
// end marker follows it.
enum class When : unsigned char { first, middle, after_finish };

class ErrorEvent final : public Delivery {
public:
    ErrorEvent(When when, std::string_view field) : when_(when), field_(field) {}
    Ending pass(std::string& bytes, Place place) override {
        if (place.kind == EventKind::done || place.kind == EventKind::whole) return Ending::none;
        const std::int64_t at = when_ == When::first ? 0 : when_ == When::middle ? place.finish / 2 : place.finish;
        const bool replaces = when_ != When::after_finish;
        if (replaces && place.event >= at) bytes.clear();
        if (place.event == at) bytes += fmt::format("{}: {}\n\n", field_, error_json);
        return Ending::none;
    }

private:
    When when_;
    std::string_view field_;
};

class FinishReason final : public Delivery {
public:
    explicit FinishReason(std::string reason) : reason_(std::move(reason)) {}
    Ending pass(std::string& bytes, Place place) override {
        constexpr std::string_view key = R"("finish_reason":")";
        if (place.kind != EventKind::finish && place.kind != EventKind::whole) return Ending::none;
        const std::size_t at = bytes.find(key);
        if (at == std::string::npos) return Ending::none;
        const std::size_t from = at + key.size() - 1;
        bytes.replace(from, bytes.find('"', from + 1) + 1 - from, json_string(reason_));
        return Ending::none;
    }

private:
    std::string reason_;
};

// Before the first event and again before finish_reason.
class Added final : public Delivery {
public:
    explicit Added(std::string_view text) : text_(text) {}
    Ending pass(std::string& bytes, Place place) override {
        if (place.kind == EventKind::role || place.kind == EventKind::finish) bytes.insert(0, text_);
        return Ending::none;
    }

private:
    std::string_view text_;
};

class CommentsBetween final : public Delivery {
public:
    Ending pass(std::string& bytes, Place place) override {
        if (place.kind != EventKind::whole) bytes.insert(0, ": keep-alive\n\n");
        return Ending::none;
    }
};

class Unterminated final : public Delivery {
public:
    Ending pass(std::string& bytes, Place place) override {
        if (place.kind == EventKind::done || place.kind == EventKind::usage) bytes.clear();
        if (place.kind == EventKind::finish && bytes.ends_with("\n\n")) bytes.resize(bytes.size() - 2);
        return Ending::none;
    }
};

class ByteOrderMark final : public Delivery {
public:
    Ending pass(std::string& bytes, Place place) override {
        if (place.event == 0) bytes.insert(0, "\xEF\xBB\xBF");
        return Ending::none;
    }
};

class SeveralDataLines final : public Delivery {
public:
    Ending pass(std::string& bytes, Place place) override {
        if (place.kind == EventKind::done || place.kind == EventKind::whole) return Ending::none;
        for (std::size_t at = bytes.find(",\""); at != std::string::npos; at = bytes.find(",\"", at + 8))
            if (bytes.compare(at, 10, ",\"choices\"") == 0 || bytes.compare(at, 8, ",\"model\"") == 0) bytes.insert(at + 1, "\ndata: ");
        return Ending::none;
    }
};

// The number behind `key`, with where it stands; nothing where the key is not there.
struct Figure {
    std::size_t from = std::string::npos;
    std::size_t end = 0;
};
Figure figure(const std::string& bytes, std::string_view key) {
    const std::size_t at = bytes.find(key);
    if (at == std::string::npos) return {};
    std::size_t end = at + key.size();
    while (end < bytes.size() && bytes[end] >= '0' && bytes[end] <= '9') ++end;
    return {at, end};
}

class UsageForm final : public Delivery {
public:
    explicit UsageForm(std::string form) : form_(std::move(form)) {}
    Ending pass(std::string& bytes, Place place) override {
        if (form_ == "continuous" && place.kind != EventKind::usage && place.kind != EventKind::done) add(bytes, place);
        if (place.kind != EventKind::usage) return Ending::none;
        if (form_ == "absent") bytes.clear();
        if (form_ == "null") bytes = "data: {\"choices\":[],\"usage\":null}\n\n";
        if (form_ == "flat") move(bytes, R"("completion_tokens_details":{"reasoning_tokens":)", "}", R"("reasoning_tokens":)", "");
        if (form_ == "details") move(bytes, R"("reasoning_tokens":)", "", R"("completion_tokens_details":{"reasoning_tokens":)", "}");
        return Ending::none;
    }

private:
    static void add(std::string& bytes, Place place) {
        constexpr std::string_view none = ",\"usage\":null";
        if (const std::size_t at = bytes.rfind(none); at != std::string::npos) bytes.erase(at, none.size());
        const std::size_t end = bytes.rfind("}\n\n");
        if (end != std::string::npos) bytes.insert(end, fmt::format(R"(,"usage":{{"prompt_tokens":1,"total_tokens":{},"completion_tokens":{}}})", 1 + place.event, place.event));
    }

    static void move(std::string& bytes, std::string_view key, std::string_view tail, std::string_view to, std::string_view to_tail) {
        if (tail.empty() && bytes.find("_details\":{\"reasoning_tokens\"") != std::string::npos) return;
        const Figure found = figure(bytes, key);
        if (found.from == std::string::npos) return;
        const std::string number = bytes.substr(found.from + key.size(), found.end - found.from - key.size());
        bytes.replace(found.from, found.end + tail.size() - found.from, fmt::format("{}{}{}", to, number, to_tail));
    }

    std::string form_;
};

class FinishWithContent final : public Behavior {
public:
    void send(const Arrival&, Sending& sending) const override { sending.finish_carries_content = true; }
};

std::unique_ptr<Behavior> usage_form(const std::string& value) {
    for (const std::string_view form : {"absent", "null", "flat", "details", "continuous"})
        if (form == value) return std::make_unique<Delivered<UsageForm, std::string>>(value);
    refuse_value("usage", "absent, null, flat, details or continuous", value);
}

std::unique_ptr<Behavior> finish_reason(const std::string& value) {
    return std::make_unique<Delivered<FinishReason, std::string>>(value);
}

}  // namespace

BehaviorRows event_rows() {
    using Without = Delivered<WithoutEvent, EventKind>;
    using Error = Delivered<ErrorEvent, When, std::string_view>;
    using Add = Delivered<Added, std::string_view>;
    return {
        {{"finish-with-content", "", "the event with finish_reason carries the last of the answer"}, fixed<FinishWithContent>()},
        {{"finish-reason", "TEXT", "this finish_reason in place of the true one: abort, or any other"}, finish_reason},
        {{"usage", "FORM", "usage is absent, null, flat (SGLang), details (OpenAI), or continuous"}, usage_form},
        {{"no-done", "", "no [DONE] at the end"}, fixed<Without>(EventKind::done)},
        {{"done-without-finish", "", "[DONE], and no finish_reason ever"}, fixed<Without>(EventKind::finish)},
        {{"error-first", "", "an error object in place of the first event, then [DONE]"}, fixed<Error>(When::first, std::string_view("data"))},
        {{"error-mid", "", "an error object half-way, then [DONE]"}, fixed<Error>(When::middle, std::string_view("data"))},
        {{"error-after-finish", "", "an error object behind finish_reason"}, fixed<Error>(When::after_finish, std::string_view("data"))},
        {{"error-field", "", "the same half-way as a line 'error: {...}' (old llama.cpp)"}, fixed<Error>(When::middle, std::string_view("error"))},
        {{"empty-choices", "", "events whose choices are empty"}, fixed<Add>(std::string_view("data: {\"id\":\"x\",\"choices\":[]}\n\n"))},
        {{"null-chunk", "", "events 'null'"}, fixed<Add>(std::string_view("data: null\n\n"))},
        {{"empty-object", "", "events '{}'"}, fixed<Add>(std::string_view("data: {}\n\n"))},
        {{"ping-chunk", "", "events {\"type\":\"ping\"} and an event of that name"}, fixed<Add>(std::string_view("data: {\"type\":\"ping\"}\n\nevent: ping\ndata: 12:00\n\n"))},
        {{"data-lines", "", "events of several data lines"}, fixed<Delivered<SeveralDataLines>>()},
        {{"comments", "", "a comment before each event"}, fixed<Delivered<CommentsBetween>>()},
        {{"unterminated", "", "the event with finish_reason is the last and lacks its blank line"}, fixed<Delivered<Unterminated>>()},
        {{"byte-order-mark", "", "a byte order mark before the first byte"}, fixed<Delivered<ByteOrderMark>>()},
    };
}

}  // namespace assay::simulated
