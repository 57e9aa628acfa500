// What the model says, against the rules of whoever reads it.
#include <array>

#include "harness/simulated/behavior_rows.hpp"

namespace assay::simulated {
namespace {

struct Insert {
    std::string_view name;
    std::string_view json;  // as it stands in the JSON string
};

constexpr std::array<Insert, 9> inserts{{
    {"u2028", "a\xE2\x80\xA8" "b\xE2\x80\xA9" "c\xC2\x85" "d"},  // line ends to Unicode, not to an event stream
    {"lone-surrogate", "a\\ud83d b"},
    {"invalid-utf8", "a\xFF\xFE\xC3(b"},
    {"nul", "a\\u0000b"},
    {"escape", "a\\u001b[2J\\u001b]0;owned\\u0007\\u001b]52;c;aGk=\\u0007b"},
    {"script", "<script>alert(1)</script>"},
    {"formula", "=cmd|' /C calc'!A0"},
    {"bidi", "a\xE2\x80\xAE" "b"},
    {"multibyte", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
}};

// Behind the text of the first "content" in these bytes that is a string; npos where there is none.
std::size_t end_of_content(std::string_view bytes) {
    constexpr std::string_view key = R"("content":")";
    std::size_t at = bytes.find(key);
    if (at == std::string_view::npos) return at;
    for (at += key.size(); at < bytes.size() && bytes[at] != '"'; ++at)
        if (bytes[at] == '\\') ++at;
    return at;
}

class InsertOnce final : public Delivery {
public:
    explicit InsertOnce(std::string_view json) : json_(json) {}
    Ending pass(std::string& bytes, Place place) override {
        if (done_ || (place.kind != EventKind::content && place.kind != EventKind::whole)) return Ending::none;
        if (const std::size_t at = end_of_content(bytes); at < bytes.size()) bytes.insert(at, json_);
        done_ = true;
        return Ending::none;
    }

private:
    std::string json_;
    bool done_ = false;
};

class HostileText final : public Behavior {
public:
    explicit HostileText(const std::string& value) {
        for (const Insert& insert : inserts)
            if (insert.name == value) json_ = insert.json;
        if (json_.empty()) refuse_value("text", "u2028, lone-surrogate, invalid-utf8, nul, escape, script, formula, bidi or multibyte", value);
    }
    std::unique_ptr<Delivery> delivery(const Arrival&) const override { return std::make_unique<InsertOnce>(json_); }

private:
    std::string_view json_;
};

class LargeEvent final : public Behavior {
public:
    explicit LargeEvent(const std::string& value) : kib_(parse_count("event-kib", value)) {
        if (kib_ > 256 * 1024) refuse_value("event-kib", "at most 262144", value);
    }
    std::unique_ptr<Delivery> delivery(const Arrival&) const override {
        return std::make_unique<InsertOnce>(std::string(static_cast<std::size_t>(kib_) << 10, 'x'));
    }

private:
    std::int64_t kib_;
};

class Endless final : public Behavior {
public:
    void edit(const Arrival&, Script& script) const override {
        script.content = Text(7, 1'000'000'000'000, {});
        script.tokens_per_second = 1e7;
    }
};

class ThinkingOnly final : public Behavior {
public:
    explicit ThinkingOnly(Finish finish) : finish_(finish) {}
    void edit(const Arrival&, Script& script) const override {
        if (script.reasoning.tokens() == 0) script.reasoning = Text::of("so it is B");
        script.content = Text();
        script.finish = finish_;
    }

private:
    Finish finish_;
};

class Nothing final : public Behavior {
public:
    void edit(const Arrival&, Script& script) const override {
        script.reasoning = Text();
        script.content = Text();
        script.finish = Finish::stop;
    }
};

class RepeatedThinking final : public Behavior {
public:
    void edit(const Arrival&, Script& script) const override {
        if (script.reasoning.tokens() == 0) script.reasoning = Text::of("so it is B");
        script.content = Text::of(script.reasoning.all());
        script.finish = Finish::length;
    }
};

class IgnoreBudget final : public Behavior {
public:
    explicit IgnoreBudget(const std::string& value) : both_(value == "both"), completion_(value == "max_completion_tokens") {
        if (!both_ && !completion_ && value != "max_tokens") refuse_value("ignore-budget", "max_tokens, max_completion_tokens or both", value);
    }
    void read(const Arrival&, ChatCall& call) const override {
        if (both_ || completion_) call.max_completion_tokens.reset();
        if (both_ || !completion_) call.max_tokens.reset();
    }

private:
    bool both_;
    bool completion_;
};

class NoStream final : public Behavior {
public:
    void read(const Arrival&, ChatCall& call) const override {
        call.stream = false;
        call.has_stream_options = false;
    }
};

}  // namespace

BehaviorRows text_rows() {
    return {
        {{"ignore-budget", "FIELD", "max_tokens, max_completion_tokens or both are not heeded"}, from_value<IgnoreBudget>},
        {{"no-stream", "", "one JSON body where a stream was asked for"}, fixed<NoStream>()},
        {{"thinking-stop", "", "finish_reason stop, reasoning and no answer"}, fixed<ThinkingOnly>(Finish::stop)},
        {{"thinking-length", "", "finish_reason length, reasoning and no answer"}, fixed<ThinkingOnly>(Finish::length)},
        {{"thinking-repeated", "", "finish_reason length, the cut reasoning repeated as the answer"}, fixed<RepeatedThinking>()},
        {{"nothing", "", "finish_reason stop and no text at all"}, fixed<Nothing>()},
        {{"endless", "", "an answer that never ends, whatever the budget"}, fixed<Endless>()},
        {{"text", "KIND", "the answer holds u2028, lone-surrogate, invalid-utf8, nul, escape, script, formula, bidi or multibyte"}, from_value<HostileText>},
        {{"event-kib", "N", "one event of N KiB"}, from_value<LargeEvent>},
    };
}

}  // namespace assay::simulated
