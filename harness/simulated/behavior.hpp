// Behavior: a named way in which the simulated server departs from a good one.
//
// A behaviour acts at three places, each with a default that does nothing: before the reply (admit, delay) and
// on the reply's bytes on their way to the socket (a Delivery). One class each and one line in the table of
// behavior.cpp. What it does depends on the request's bytes and on how often they came, on nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/simulated/chat_call.hpp"

namespace assay::simulated {

// A chat completion that has come in.
struct Arrival {
    std::uint64_t request = 0;   // hash of the body: the same for each try of one request
    std::uint64_t attempt = 1;   // how often this body came, this time included
    std::int64_t in_flight = 1;  // chat completions being answered, this one included

    // A fair draw in [0, 1) for this try and purpose.
    [[nodiscard]] double draw(std::uint64_t purpose) const noexcept;
};

// An answer in place of the reply.
struct Refusal {
    Fault fault;
    std::vector<std::string> headers;  // "Retry-After: 1"
    bool counts_as_try = true;  // false: the request was turned away unread, and its next try is this one again
};

// Where a piece of a reply's body stands: event 0 is the first, event `finish` carries finish_reason. A body that
// is not streamed is one piece, 0 of 0.
struct Place {
    std::int64_t event = 0;
    std::int64_t finish = 0;
};

enum class Ending : unsigned char {
    none,   // goes on
    reset,  // the connection is reset (RST) behind these bytes
};

// Edits the pieces of one reply's body, in order, before they are framed for HTTP.
class Delivery {
public:
    virtual ~Delivery() = default;
    virtual Ending pass(std::string& bytes, Place place) = 0;
};

class Behavior {
public:
    virtual ~Behavior() = default;
    [[nodiscard]] virtual std::optional<Refusal> admit(const Arrival&) const { return std::nullopt; }
    [[nodiscard]] virtual std::chrono::nanoseconds delay(const Arrival&) const { return std::chrono::nanoseconds(0); }
    [[nodiscard]] virtual std::unique_ptr<Delivery> delivery(const Arrival&) const { return nullptr; }
};

struct BehaviorHelp {
    std::string_view name;
    std::string_view value;  // "P", "N"
    std::string_view help;
};

// All there are, in the order in which they act.
[[nodiscard]] const std::vector<BehaviorHelp>& behavior_list();

// (name, value) pairs, as asked for.
using BehaviorChoice = std::vector<std::pair<std::string, std::string>>;

// In the table's order. Throws assay::Error for a name that is not there or a value out of range.
[[nodiscard]] std::vector<std::unique_ptr<Behavior>> make_behaviors(const BehaviorChoice& choice);

}  // namespace assay::simulated
