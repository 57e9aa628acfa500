// Servers that are not what they say they are, or do not say it: what a preflight is there to find.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/simulated/behavior_rows.hpp"

namespace assay::simulated {
namespace {

std::optional<ChatCall> call_in(const Arrival& arrival) {
    auto decoded = decode_chat_call(std::string(arrival.body));
    auto* call = std::get_if<ChatCall>(&decoded);
    return call != nullptr ? std::optional(std::move(*call)) : std::nullopt;
}

// Shorter than /v1/models says, and refused in SGLang's words.
class ContextLimit final : public Behavior {
public:
    explicit ContextLimit(const std::string& value) : tokens_(parse_count("context-limit", value)) {}
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        const auto call = call_in(arrival);
        if (!call) return std::nullopt;
        const std::int64_t wanted = call->prompt_tokens() + call->max_completion_tokens.value_or(call->max_tokens.value_or(0));
        if (wanted < tokens_) return std::nullopt;
        return Refusal{{400, fmt::format("Requested token count exceeds the model's maximum context length of {} tokens.", tokens_), ""}, {}};
    }

private:
    std::int64_t tokens_;
};

class Effort final : public Behavior {
public:
    explicit Effort(const std::string& value) : none_is_known_(value == "refused") {
        if (value != "refused" && value != "checked") refuse_value("effort", "refused or checked", value);
    }
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        constexpr std::array<std::string_view, 7> known{"none", "minimal", "low", "medium", "high", "xhigh", "max"};
        const auto call = call_in(arrival);
        if (!call || !call->reasoning_effort) return std::nullopt;
        if (!none_is_known_ && std::find(known.begin(), known.end(), *call->reasoning_effort) != known.end()) return std::nullopt;
        return Refusal{{400, fmt::format("reasoning_effort: '{}' is not known", *call->reasoning_effort), "reasoning_effort"}, {}};
    }

private:
    bool none_is_known_;
};

class Seed final : public Behavior {
public:
    explicit Seed(const std::string& value) : unread_(value == "unread") {
        if (value != "unread" && value != "useless") refuse_value("seed", "unread or useless", value);
    }
    void read(const Arrival& arrival, ChatCall& call) const override {
        if (unread_) {
            call.seed = arrival.number;
        } else {
            call.seed.reset();
            call.temperature = 0.0;
        }
    }

private:
    bool unread_;
};

class WrongSum final : public Behavior {
public:
    void edit(const Arrival& arrival, Script& script) const override {
        if (arrival.body.find("17 * 23") != std::string_view::npos) script.content = Text::of("That is 408.");
    }
};

class Thinking final : public Behavior {
public:
    explicit Thinking(const std::string& value) : inline_(value == "inline") {
        if (value != "inline" && value != "hidden") refuse_value("thinking", "inline or hidden", value);
    }
    void edit(const Arrival&, Script& script) const override {
        if (inline_) script.content = Text::of("<think>" + script.reasoning.all() + "</think>" + script.content.all());
        script.reasoning = Text();
    }

private:
    bool inline_;
};

class ZeroCounts final : public Delivery {
public:
    Ending pass(std::string& bytes, Place place) override {
        constexpr std::string_view key = "\"completion_tokens\":";
        if (place.kind != EventKind::usage && place.kind != EventKind::whole) return Ending::none;
        const std::size_t at = bytes.find(key);
        if (at == std::string::npos) return Ending::none;
        const std::size_t from = at + key.size();
        bytes.replace(from, bytes.find_first_not_of("0123456789", from) - from, "0");
        return Ending::none;
    }
};

class UsageZero final : public Behavior {
public:
    std::unique_ptr<Delivery> delivery(const Arrival&) const override { return std::make_unique<ZeroCounts>(); }
};

class ServerPages final : public Behavior {
public:
    explicit ServerPages(const std::string& value) : absent_(value == "absent") {
        if (value != "absent" && value != "false") refuse_value("server-pages", "absent or false", value);
    }
    std::optional<Page> page(std::string_view path, const Identity& identity) const override {
        constexpr std::array<std::string_view, 5> pages{"/server_info", "/get_server_info", "/version", "/props", "/metrics"};
        if (std::find(pages.begin(), pages.end(), path) == pages.end()) return std::nullopt;
        if (absent_) return Page{404, "application/json", R"({"detail":"Not Found"})"};
        if (path != "/server_info") return std::nullopt;
        return Page{200, "application/json", fmt::format(R"({{"version":"0.0.0+simulated","context_length":{}}})", identity.context / 2)};
    }

private:
    bool absent_;
};

// Above N in flight, all replies become slower together: the tokens a second of all of them stay those of N.
class Knee final : public Behavior {
public:
    explicit Knee(const std::string& value) : most_(parse_count("knee", value)) {
        if (most_ < 1) refuse_value("knee", "a whole number from 1", value);
    }
    void send(const Arrival&, Sending& sending) const override { sending.full_speed_up_to = most_; }

private:
    std::int64_t most_;
};

}  // namespace

BehaviorRows claim_rows() {
    return {
        {{"context-limit", "N", "prompt and budget of N tokens or more are refused, whatever /v1/models says"}, from_value<ContextLimit>},
        {{"effort", "KIND", "reasoning_effort is refused, or checked: only known ones are taken"}, from_value<Effort>},
        {{"seed", "KIND", "the seed is unread: replies differ; or useless: all replies are the same"}, from_value<Seed>},
        {{"wrong-sum", "", "17 * 23 is 408"}, fixed<WrongSum>()},
        {{"thinking", "KIND", "the thinking is inline, between <think> tags in the answer, or hidden"}, from_value<Thinking>},
        {{"usage-zero", "", "usage counts no completion tokens"}, fixed<UsageZero>()},
        {{"server-pages", "KIND", "/server_info, /version and the like are absent, or false: another context than /v1/models says"}, from_value<ServerPages>},
        {{"knee", "N", "above N replies in flight all become slower: the tokens a second stay those of N"}, from_value<Knee>},
    };
}

}  // namespace assay::simulated
