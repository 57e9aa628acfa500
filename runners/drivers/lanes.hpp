// Lanes: the servers of a run, each with its client, its gate, its place in the choice, and what it said it is.
//
// With `automatic` each server has its own number of requests in flight, found from what it does with them.
//
// After an outage (no connection, no response, 502, 503, 504) a server is asked what it is: at once, to see whether it is
// down, and before it gets another request. One that has become another ends the run. Where it does not answer that, one
// request goes out all the same: whether a server is there at all is for the replies to tell.
// Threads: everything belongs to the loop's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/chat/client.hpp"
#include "harness/loop/event_loop.hpp"
#include "harness/pacing/concurrency.hpp"
#include "harness/pacing/endpoints.hpp"
#include "harness/pacing/gate.hpp"
#include "harness/pacing/in_flight.hpp"
#include "harness/pacing/retry_policy.hpp"
#include "runners/drivers/server_identity.hpp"

namespace assay::runners {

struct Server {
    chat::Endpoint endpoint;
    ServerIdentity identity;  // before the run
};

struct LaneSettings {
    chat::Limits limits;
    std::string model;
    pacing::GateLimits gate;
    pacing::EndpointLimits endpoints;
    std::optional<pacing::ConcurrencyLimits> automatic;
    std::chrono::milliseconds longest_retry_after{120'000};
};

class Lanes {
public:
    using Time = loop::Clock::time_point;
    using Index = pacing::Endpoints::Index;  // in the order of the servers

    // The loop must outlive this.
    Lanes(loop::EventLoop& loop, const std::vector<Server>& servers, LaneSettings settings);
    struct Events {
        std::function<void()> ready;  // a lane may have become free without a reply
        std::function<void(const std::string&)> changed;  // with one line: a server has become another
        std::function<void(Index)> nobody;  // a server was asked what it is, and no response came
        std::function<void()> on_wire;      // traffic().on_wire has changed: as Client::on_wire_changed
    };
    void on(Events events);

    // The lane for a request now, or nothing: then again at ready_at() or when `ready` is called.
    [[nodiscard]] std::optional<Index> choose(Time now);
    [[nodiscard]] Time ready_at(Time now) const;

    // As Client::send; the reply has been taken note of when `done` is called.
    void send(Index index, std::string body, chat::Client::Done done);

    [[nodiscard]] chat::Traffic traffic() const;  // of all together; newest_begun is left unset

    // Where the numbers are found by themselves: call measure() every second or so. Sums over the servers, as of now: of
    // the requests that are wanted in flight, and of the numbers found.
    void measure();
    [[nodiscard]] std::int64_t target() const;
    [[nodiscard]] std::int64_t found() const;
    [[nodiscard]] std::size_t size() const noexcept { return lanes_.size(); }

private:
    struct Lane {
        Lane(loop::EventLoop& loop, const Server& server, const LaneSettings& settings);
        std::unique_ptr<chat::Client> client;
        std::string base_url;
        ServerIdentity identity;
        pacing::Gate gate;
        std::optional<pacing::Concurrency> control;
        pacing::InFlight meter;
        chat::Traffic traffic_before;  // as of the last measure()
        pacing::InFlight::Seen seen_before;
        bool doubtful = false;  // since an outage
        bool looked = false;    // asked since then whether it is there
        bool asking = false;    // what it is
        bool granted = false;   // one request although doubtful
    };

    [[nodiscard]] bool open(Index index, Time now) const;
    void note_on_wire(Lane& lane);
    static void note_begun(Lane& lane);
    void ask_if_doubtful(Index index, Time now);
    [[nodiscard]] bool is_due(Index index, Time now) const;  // a request may go there, as gate and endpoints say
    void on_identity(Index index, const std::optional<ServerIdentity>& found);
    void ended(Index index, const chat::Reply& reply, Time sent);

    LaneSettings settings_;
    std::vector<Lane> lanes_;
    pacing::Endpoints endpoints_;
    Events events_;
};

}  // namespace assay::runners
