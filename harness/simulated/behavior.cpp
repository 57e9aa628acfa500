#include "harness/simulated/behavior.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "harness/error.hpp"
#include "harness/simulated/behavior_rows.hpp"
#include "harness/simulated/text.hpp"

namespace assay::simulated {
namespace {

constexpr std::string_view times_name = "times";

// The behaviours befall only the first tries of a request.
class FirstTries final : public Behavior {
public:
    FirstTries(std::unique_ptr<Behavior> inner, std::int64_t tries) : inner_(std::move(inner)), tries_(static_cast<std::uint64_t>(tries)) {}
    void listen(Listening& listening) const override { inner_->listen(listening); }
    std::optional<Page> page(std::string_view path, const Identity& identity) const override { return inner_->page(path, identity); }
    std::optional<Refusal> admit(const Arrival& arrival) const override { return befalls(arrival) ? inner_->admit(arrival) : std::nullopt; }
    void read(const Arrival& arrival, ChatCall& call) const override {
        if (befalls(arrival)) inner_->read(arrival, call);
    }
    void edit(const Arrival& arrival, Script& script) const override {
        if (befalls(arrival)) inner_->edit(arrival, script);
    }
    void send(const Arrival& arrival, Sending& sending) const override {
        if (befalls(arrival)) inner_->send(arrival, sending);
    }
    std::chrono::nanoseconds delay(const Arrival& arrival) const override {
        return befalls(arrival) ? inner_->delay(arrival) : std::chrono::nanoseconds(0);
    }
    std::unique_ptr<Delivery> delivery(const Arrival& arrival) const override { return befalls(arrival) ? inner_->delivery(arrival) : nullptr; }

private:
    [[nodiscard]] bool befalls(const Arrival& arrival) const { return arrival.attempt <= tries_; }

    std::unique_ptr<Behavior> inner_;
    std::uint64_t tries_;
};

const BehaviorRows& rows() {
    static const BehaviorRows all = [] {
        BehaviorRows joined;
        for (BehaviorRows (*group)() : {page_rows, refusal_rows, outage_rows, text_rows, claim_rows, choice_rows, event_rows, sending_rows, breaking_rows}) {
            BehaviorRows part = group();
            joined.insert(joined.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
        }
        joined.push_back({{times_name, "N", "all of these befall only the first N tries of a request"}, nullptr});
        return joined;
    }();
    return all;
}

const BehaviorRow& row_named(std::string_view name) {
    const auto found = std::find_if(rows().begin(), rows().end(), [name](const BehaviorRow& row) { return row.help.name == name; });
    if (found != rows().end()) return *found;
    std::vector<std::string_view> names;
    for (const BehaviorRow& row : rows()) names.push_back(row.help.name);
    throw Error(fmt::format("no behaviour '{}'; there are: {}", name, fmt::join(names, ", ")));
}

}  // namespace

double Arrival::draw(std::uint64_t purpose) const noexcept {
    return unit(mix(mix(request, attempt), purpose));
}

void refuse_value(std::string_view name, std::string_view expected, std::string_view found) {
    throw Error(fmt::format("{} takes {}, not '{}'", name, expected, found));
}

double parse_share(std::string_view name, const std::string& text) {
    double value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= 1)) refuse_value(name, "a number from 0 to 1", text);
    return value;
}

std::int64_t parse_count(std::string_view name, const std::string& text) {
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0 || value > 1'000'000'000)
        refuse_value(name, "a whole number from 0 to 1000000000", text);
    return value;
}

const std::vector<BehaviorHelp>& behavior_list() {
    static const std::vector<BehaviorHelp> list = [] {
        std::vector<BehaviorHelp> all;
        for (const BehaviorRow& row : rows()) all.push_back(row.help);
        return all;
    }();
    return list;
}

std::pair<std::string, std::string> parse_behavior(std::string_view text) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const BehaviorRow& row = row_named(text.substr(0, equals));
    const bool has_value = equals < text.size();
    if (has_value == row.help.value.empty())
        throw Error(fmt::format("behaviour {} takes {}", row.help.name, has_value ? "no value" : fmt::format("a value: {}={}", row.help.name, row.help.value)));
    return {std::string(row.help.name), std::string(text.substr(std::min(equals + 1, text.size())))};
}

std::vector<std::unique_ptr<Behavior>> make_behaviors(const BehaviorChoice& choice) {
    std::optional<std::int64_t> tries;
    for (const auto& [name, value] : choice) {
        const BehaviorRow& row = row_named(name);
        if (row.help.value.empty() && !value.empty()) refuse_value(name, "no value", value);
        if (name == times_name) tries = parse_count(name, value);
    }
    std::vector<std::unique_ptr<Behavior>> made;
    for (const BehaviorRow& row : rows()) {
        for (const auto& [name, value] : choice) {
            if (name != row.help.name || !row.make) continue;
            auto behavior = row.make(value);
            if (tries) behavior = std::make_unique<FirstTries>(std::move(behavior), *tries);
            made.push_back(std::move(behavior));
        }
    }
    return made;
}

}  // namespace assay::simulated
