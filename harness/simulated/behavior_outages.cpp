// No answer at all, and servers that go away.
#include <fmt/format.h>

#include "harness/simulated/behavior_rows.hpp"

namespace assay::simulated {
namespace {

Refusal without_answer(Ending ending) {
    Refusal made;
    made.ending = ending;
    return made;
}

Refusal gone(std::chrono::milliseconds down, std::string model) {
    Refusal made;
    made.outage = Outage{down, std::move(model)};
    return made;
}

class NoReply final : public Behavior {
public:
    explicit NoReply(const std::string& value) {
        if (value == "hang") ending_ = Ending::hang;
        else if (value == "close") ending_ = Ending::close;
        else if (value == "reset") ending_ = Ending::reset;
        else refuse_value("no-reply", "hang, close or reset", value);
    }
    std::optional<Refusal> admit(const Arrival&) const override { return without_answer(ending_); }

private:
    Ending ending_ = Ending::none;
};

// "MS", or "always".
class FullBacklog final : public Behavior {
public:
    explicit FullBacklog(const std::string& value) {
        if (value != "always") full_for_ = std::chrono::milliseconds(parse_count("full-backlog", value));
    }
    void listen(Listening& listening) const override { listening = {true, full_for_}; }

private:
    std::optional<std::chrono::milliseconds> full_for_;
};

// A server closes an idle connection at the moment at which the client sends on it again.
class KeepAliveRace final : public Behavior {
public:
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        return arrival.on_connection > 1 ? std::optional(without_answer(Ending::close)) : std::nullopt;
    }
};

// "X" or "X:MS".
struct Timed {
    Timed(std::string_view name, const std::string& text, std::int64_t otherwise_ms) : what(text.substr(0, text.rfind(':'))), down(otherwise_ms) {
        if (what.size() < text.size()) down = std::chrono::milliseconds(parse_count(name, text.substr(what.size() + 1)));
    }
    std::string what;
    std::chrono::milliseconds down;
};

class Restart final : public Behavior {
public:
    explicit Restart(const std::string& value) : timed_("restart", value, 5000), at_(parse_count("restart", timed_.what)) {}
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        return arrival.number == at_ ? std::optional(gone(timed_.down, "restarted-model")) : std::nullopt;
    }

private:
    Timed timed_;
    std::int64_t at_;
};

class CrashOn final : public Behavior {
public:
    explicit CrashOn(const std::string& value) : timed_("crash-on", value, 1000) {
        if (timed_.what.empty()) refuse_value("crash-on", "words of a request", value);
    }
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        return arrival.body.find(timed_.what) != std::string_view::npos ? std::optional(gone(timed_.down, {})) : std::nullopt;
    }

private:
    Timed timed_;
};

}  // namespace

BehaviorRows outage_rows() {
    return {
        {{"no-reply", "hang|close|reset", "a request is read, and no byte of an answer comes"}, from_value<NoReply>},
        {{"full-backlog", "MS|always", "the listen queue is full for the first MS milliseconds: requests to connect go unanswered"}, from_value<FullBacklog>},
        {{"keep-alive-race", "", "a connection is closed when a second request comes on it"}, fixed<KeepAliveRace>()},
        {{"restart", "N[:MS]", "request N takes the server down for MS (5000); it serves another model after"}, from_value<Restart>},
        {{"crash-on", "TEXT[:MS]", "a request with this text takes the server down for MS (1000)"}, from_value<CrashOn>},
    };
}

}  // namespace assay::simulated
