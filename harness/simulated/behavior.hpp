// Behavior: a named way in which the simulated server departs from a good one.
//
// A behaviour acts at these places, each with a default that does nothing:
//   listen     on the server's listening, before the first connection
//   page       on a GET, in place of the page
//   admit      before anything is read of a chat completion: an answer in place of the reply, or an outage
//   read       on what the server makes of the request
//   edit       on what the model says, after the budget was applied
//   send       on how the reply's bytes reach the client
//   delay      before the first byte
//   delivery   on the pieces of the reply's body
// One small class each and one line in a table (behavior_rows.hpp). What it does depends on the request's bytes, on how
// often they came and on how many requests came before, on nothing else.
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
#include "harness/simulated/responder.hpp"
#include "harness/simulated/sending.hpp"
#include "harness/simulated/wire.hpp"

namespace assay::simulated {

// A chat completion that has come in.
struct Arrival {
    std::uint64_t request = 0;   // hash of the body: the same for each try of one request
    std::uint64_t attempt = 1;   // how often this body came, this time included
    std::int64_t in_flight = 1;  // chat completions being answered, this one included
    std::int64_t number = 1;     // of the chat completion since the server started
    int on_connection = 1;       // number of the request on its connection
    std::string_view body;       // of the request; valid during the call

    // A fair draw in [0, 1) for this try and purpose.
    [[nodiscard]] double draw(std::uint64_t purpose) const noexcept;
};

enum class Ending : unsigned char {
    none,   // goes on
    reset,  // the connection is reset (RST) behind these bytes
    close,  // it is closed (FIN) behind these bytes, whatever its framing promised
    hang,   // it stays open, and no byte comes any more
};

// The server goes away: every connection is reset, and its port refuses until it is back.
struct Outage {
    std::chrono::milliseconds down{0};
    std::string model;  // the one it serves when it is back; empty: the same
};

// An answer in place of the reply.
struct Refusal {
    Fault fault;
    std::vector<std::string> headers;  // "Retry-After: 1"
    bool counts_as_try = true;  // false: the request was turned away unread, and its next try is this one again
    std::string body{};         // in place of the server's own form of an error
    std::string_view content_type = "application/json";
    std::chrono::nanoseconds after{0};
    Ending ending = Ending::none;  // any other: no byte of an answer, and this
    std::optional<Outage> outage{};  // no byte of an answer either
};

// Where a piece of a reply's body stands: event 0 is the first, event `finish` carries finish_reason. A body that
// is not streamed is one piece, 0 of 0, of kind `whole`.
struct Place {
    std::int64_t event = 0;
    std::int64_t finish = 0;
    EventKind kind = EventKind::role;
};

// Edits the pieces of one reply's body, in order, before they are framed for HTTP.
class Delivery {
public:
    virtual ~Delivery() = default;
    virtual Ending pass(std::string& bytes, Place place) = 0;
};

// How the server begins.
struct Listening {
    bool full = false;  // its listen queue is full: the system leaves requests to connect unanswered
    std::optional<std::chrono::milliseconds> full_for{};  // absent: for good
};

// A page in place of the one that the server has.
struct Page {
    int status = 200;
    std::string_view content_type = "application/json";
    std::string body;
};

class Behavior {
public:
    virtual ~Behavior() = default;
    virtual void listen(Listening&) const {}
    [[nodiscard]] virtual std::optional<Page> page(std::string_view, const Identity&) const { return std::nullopt; }
    [[nodiscard]] virtual std::optional<Refusal> admit(const Arrival&) const { return std::nullopt; }
    virtual void read(const Arrival&, ChatCall&) const {}
    virtual void edit(const Arrival&, Script&) const {}
    virtual void send(const Arrival&, Sending&) const {}
    [[nodiscard]] virtual std::chrono::nanoseconds delay(const Arrival&) const { return std::chrono::nanoseconds(0); }
    [[nodiscard]] virtual std::unique_ptr<Delivery> delivery(const Arrival&) const { return nullptr; }
};

struct BehaviorHelp {
    std::string_view name;
    std::string_view value;  // "P", "N", "a|b"; empty: it takes none
    std::string_view help;
};

// All there are, in the order in which they act.
[[nodiscard]] const std::vector<BehaviorHelp>& behavior_list();

// (name, value) pairs, as asked for.
using BehaviorChoice = std::vector<std::pair<std::string, std::string>>;

// "name=value", or "name" for one that takes no value, as a pair. Throws assay::Error for a name that is not there,
// naming the nearest ones that are.
[[nodiscard]] std::pair<std::string, std::string> parse_behavior(std::string_view text);

// In the table's order. Throws assay::Error for a name that is not there or a value out of range.
[[nodiscard]] std::vector<std::unique_ptr<Behavior>> make_behaviors(const BehaviorChoice& choice);

}  // namespace assay::simulated
