// Replies that break off.
#include "harness/simulated/behavior_rows.hpp"

namespace assay::simulated {
namespace {

enum Purpose : std::uint64_t { purpose_drop = 2, purpose_place = 3 };

class EndAtByte final : public Delivery {
public:
    EndAtByte(std::int64_t at, Ending ending) : left_(static_cast<std::size_t>(at)), ending_(ending) {}
    Ending pass(std::string& bytes, Place) override {
        if (bytes.size() < left_) {
            left_ -= bytes.size();
            return Ending::none;
        }
        bytes.resize(left_);
        return ending_;
    }

private:
    std::size_t left_;
    Ending ending_;
};

class AfterBytes final : public Behavior {
public:
    AfterBytes(std::string_view name, const std::string& value, Ending ending) : at_(parse_count(name, value)), ending_(ending) {}
    std::unique_ptr<Delivery> delivery(const Arrival&) const override { return std::make_unique<EndAtByte>(at_, ending_); }

private:
    std::int64_t at_;
    Ending ending_;
};

BehaviorRow after_bytes(std::string_view name, Ending ending, std::string_view help) {
    return {{name, "K", help}, [name, ending](const std::string& value) -> std::unique_ptr<Behavior> { return std::make_unique<AfterBytes>(name, value, ending); }};
}

class HangBehindEvent final : public Delivery {
public:
    explicit HangBehindEvent(EventKind kind) : kind_(kind) {}
    Ending pass(std::string&, Place place) override { return place.kind == kind_ ? Ending::hang : Ending::none; }

private:
    EventKind kind_;
};

class HangBehind final : public Behavior {
public:
    explicit HangBehind(EventKind kind) : kind_(kind) {}
    std::unique_ptr<Delivery> delivery(const Arrival&) const override { return std::make_unique<HangBehindEvent>(kind_); }

private:
    EventKind kind_;
};

class TimeLimit final : public Behavior {
public:
    TimeLimit(std::string_view name, const std::string& value, std::optional<std::chrono::nanoseconds> Sending::*which)
        : limit_(std::chrono::milliseconds(parse_count(name, value))), which_(which) {}
    void send(const Arrival&, Sending& sending) const override { sending.*which_ = limit_; }

private:
    std::chrono::nanoseconds limit_;
    std::optional<std::chrono::nanoseconds> Sending::*which_;
};

BehaviorRow time_limit(std::string_view name, std::optional<std::chrono::nanoseconds> Sending::*which, std::string_view help) {
    return {{name, "N", help}, [name, which](const std::string& value) -> std::unique_ptr<Behavior> { return std::make_unique<TimeLimit>(name, value, which); }};
}

// Cuts one piece in its middle and resets the connection there.
class CutOnce final : public Delivery {
public:
    explicit CutOnce(double where) : where_(where) {}
    Ending pass(std::string& bytes, Place place) override {
        // After the first event, and never behind finish_reason: the reply is neither empty nor whole.
        const auto at = place.finish == 0 ? 0 : 1 + static_cast<std::int64_t>(where_ * static_cast<double>(place.finish));
        if (place.event != at) return Ending::none;
        bytes.resize(bytes.size() / 2);
        return Ending::reset;
    }

private:
    double where_;
};

class DropRate final : public Behavior {
public:
    explicit DropRate(const std::string& value) : share_(parse_share("drop-rate", value)) {}
    std::unique_ptr<Delivery> delivery(const Arrival& arrival) const override {
        if (arrival.draw(purpose_drop) >= share_) return nullptr;
        return std::make_unique<CutOnce>(arrival.draw(purpose_place));
    }

private:
    double share_;
};

}  // namespace

BehaviorRows breaking_rows() {
    return {
        {{"drop-rate", "P", "share of replies whose connection is reset half-way"}, from_value<DropRate>},
        after_bytes("cut-after-bytes", Ending::reset, "the connection is reset (RST) behind byte K of the body"),
        after_bytes("close-after-bytes", Ending::close, "it is closed (FIN) behind byte K of the body"),
        after_bytes("hang-after-bytes", Ending::hang, "no byte comes behind byte K of the body, and it stays open"),
        {{"hang-after-finish", "", "no byte comes behind finish_reason, and the connection stays open"}, fixed<HangBehind>(EventKind::finish)},
        {{"hang-after-done", "", "no byte comes behind [DONE], and the connection stays open"}, fixed<HangBehind>(EventKind::done)},
        time_limit("idle-limit-ms", &Sending::idle_limit, "a proxy's idle limit: closed after N milliseconds without a byte"),
        time_limit("age-limit-ms", &Sending::age_limit, "a proxy's limit on a request: closed N milliseconds after it came"),
    };
}

}  // namespace assay::simulated
