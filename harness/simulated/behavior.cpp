#include "harness/simulated/behavior.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "harness/error.hpp"
#include "harness/simulated/text.hpp"

namespace assay::simulated {
namespace {

double parse_number(std::string_view name, const std::string& text, double high) {
    double value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= high))
        throw Error(fmt::format("{} takes a number from 0 to {}, not '{}'", name, high, text));
    return value;
}

std::int64_t parse_count(std::string_view name, const std::string& text) {
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > 1'000'000'000)
        throw Error(fmt::format("{} takes a whole number from 0 to 1000000000, not '{}'", name, text));
    return value;
}

enum Purpose : std::uint64_t { purpose_error = 1, purpose_drop = 2, purpose_place = 3 };

class ErrorRate final : public Behavior {
public:
    explicit ErrorRate(const std::string& value) : share_(parse_number("error-rate", value, 1)) {}
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        if (arrival.draw(purpose_error) >= share_) return std::nullopt;
        return Refusal{{500, "Internal server error (simulated by error-rate)", ""}, {}};
    }

private:
    double share_;
};

class RateLimit final : public Behavior {
public:
    explicit RateLimit(const std::string& value) : limit_(parse_count("rate-limit", value)) {}
    std::optional<Refusal> admit(const Arrival& arrival) const override {
        if (arrival.in_flight <= limit_) return std::nullopt;
        return Refusal{{429, fmt::format("More than {} requests at once (simulated by rate-limit)", limit_), ""}, {"Retry-After: 1"}, false};
    }

private:
    std::int64_t limit_;
};

class Latency final : public Behavior {
public:
    explicit Latency(const std::string& value) : delay_(std::chrono::milliseconds(parse_count("latency-ms", value))) {}
    std::chrono::nanoseconds delay(const Arrival&) const override { return delay_; }

private:
    std::chrono::nanoseconds delay_;
};

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
    explicit DropRate(const std::string& value) : share_(parse_number("drop-rate", value, 1)) {}
    std::unique_ptr<Delivery> delivery(const Arrival& arrival) const override {
        if (arrival.draw(purpose_drop) >= share_) return nullptr;
        return std::make_unique<CutOnce>(arrival.draw(purpose_place));
    }

private:
    double share_;
};

struct Row {
    BehaviorHelp help;
    std::unique_ptr<Behavior> (*make)(const std::string& value);
};

template <class Kind>
std::unique_ptr<Behavior> make(const std::string& value) {
    return std::make_unique<Kind>(value);
}

constexpr Row rows[] = {
    {{"rate-limit", "N", "status 429 with Retry-After: 1 above N replies in flight"}, make<RateLimit>},
    {{"error-rate", "P", "share of requests answered with status 500"}, make<ErrorRate>},
    {{"latency-ms", "N", "milliseconds added before the first byte"}, make<Latency>},
    {{"drop-rate", "P", "share of replies whose connection is reset half-way"}, make<DropRate>},
};

}  // namespace

double Arrival::draw(std::uint64_t purpose) const noexcept {
    return unit(mix(mix(request, attempt), purpose));
}

const std::vector<BehaviorHelp>& behavior_list() {
    static const std::vector<BehaviorHelp> list = [] {
        std::vector<BehaviorHelp> all;
        for (const Row& row : rows) all.push_back(row.help);
        return all;
    }();
    return list;
}

std::vector<std::unique_ptr<Behavior>> make_behaviors(const BehaviorChoice& choice) {
    for (const auto& [name, value] : choice) {
        std::vector<std::string_view> names;
        for (const Row& row : rows) names.push_back(row.help.name);
        if (std::find(names.begin(), names.end(), name) == names.end())
            throw Error(fmt::format("no behaviour '{}'; there are: {}", name, fmt::join(names, ", ")));
    }
    std::vector<std::unique_ptr<Behavior>> made;
    for (const Row& row : rows)
        for (const auto& [name, value] : choice)
            if (name == row.help.name) made.push_back(row.make(value));
    return made;
}

}  // namespace assay::simulated
