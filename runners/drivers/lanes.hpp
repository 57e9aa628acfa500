// Lanes: the servers of a run, each with its client, its gate, its place in the choice, and what it said it is.
//
// After an outage (no connection, no response, 502, 503, 504) a server is asked what it is before it gets another
// request; one that has become another ends the run. Where it does not answer that, one request goes out all the same:
// whether a server is there at all is for the replies to tell.
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
#include "harness/pacing/endpoints.hpp"
#include "harness/pacing/gate.hpp"
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
    std::chrono::milliseconds longest_retry_after{120'000};
};

class Lanes {
public:
    using Time = loop::Clock::time_point;
    using Index = pacing::Endpoints::Index;  // in the order of the servers

    // `ready` is called when a lane may have become free without a reply; `changed` with one line when a server has
    // become another; `on_wire` whenever traffic().on_wire has changed, as Client::on_wire_changed. The loop must outlive this.
    Lanes(loop::EventLoop& loop, const std::vector<Server>& servers, LaneSettings settings);
    void on(std::function<void()> ready, std::function<void(const std::string&)> changed, std::function<void()> on_wire);

    // The lane for a request now, or nothing: then again at ready_at() or when `ready` is called.
    [[nodiscard]] std::optional<Index> choose(Time now);
    [[nodiscard]] Time ready_at(Time now) const;

    // As Client::send; the reply has been taken note of when `done` is called.
    void send(Index index, std::string body, chat::Client::Done done);

    [[nodiscard]] chat::Traffic traffic() const;  // of all together

private:
    struct Lane {
        Lane(loop::EventLoop& loop, const Server& server, const LaneSettings& settings);
        std::unique_ptr<chat::Client> client;
        std::string base_url;
        ServerIdentity identity;
        pacing::Gate gate;
        bool doubtful = false;  // since an outage
        bool asking = false;    // what it is
        bool granted = false;   // one request although doubtful
    };

    [[nodiscard]] bool open(Index index, Time now) const;
    void ask_if_doubtful(Index index, Time now);
    void ended(Index index, const chat::Reply& reply, Time sent);

    LaneSettings settings_;
    std::vector<Lane> lanes_;
    pacing::Endpoints endpoints_;
    std::function<void()> ready_;
    std::function<void(const std::string&)> changed_;
};

}  // namespace assay::runners
