#include "runners/drivers/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay::runners {
namespace {

using chat::Reply;

constexpr std::chrono::seconds look_again{1};  // where nothing says when a lane is free

bool was_told_to_wait(const Reply& reply) {
    return reply.http_status == 429 || reply.http_status == 503;
}

// The server was not there, or gave no reply that can be used.
bool has_failed(const Reply& reply) {
    return reply.http_status == 0 || (reply.http_status >= 500 && reply.http_status != 503);
}

// It may be another server the next time.
bool was_away(const Reply& reply) {
    return reply.http_status == 0 || (reply.http_status >= 502 && reply.http_status <= 504);
}

}  // namespace

Lanes::Lane::Lane(loop::EventLoop& loop, const Server& server, const LaneSettings& settings)
    : client(std::make_unique<chat::Client>(loop, server.endpoint, settings.limits)),
      base_url(chat::checked_base_url(server.endpoint.base_url)),
      identity(server.identity),
      gate(settings.gate) {}

Lanes::Lanes(loop::EventLoop& loop, const std::vector<Server>& servers, LaneSettings settings)
    : settings_(std::move(settings)), endpoints_(servers.size(), settings_.endpoints) {
    lanes_.reserve(servers.size());
    for (const Server& server : servers) lanes_.emplace_back(loop, server, settings_);
}

void Lanes::on(std::function<void()> ready, std::function<void(const std::string&)> changed, std::function<void()> on_wire) {
    for (Lane& lane : lanes_) lane.client->on_wire_changed(on_wire);
    ready_ = std::move(ready);
    changed_ = std::move(changed);
}

bool Lanes::open(Index index, Time now) const {
    const Lane& lane = lanes_[index];
    return lane.gate.open(now) && !lane.asking && (!lane.doubtful || lane.granted);
}

std::optional<Lanes::Index> Lanes::choose(Time now) {
    for (Index i = 0; i < lanes_.size(); ++i) ask_if_doubtful(i, now);
    return endpoints_.choose(now, [&](Index index) { return open(index, now); });
}

void Lanes::ask_if_doubtful(Index index, Time now) {
    Lane& lane = lanes_[index];
    if (!lane.doubtful || lane.asking || lane.granted || !lane.gate.open(now) || endpoints_.back_at(index, now) > now) return;
    lane.asking = true;
    ask_identity(*lane.client, lane.base_url, settings_.model, lane.identity.version.has_value(),
                 [this, index](const std::optional<ServerIdentity>& found) {
                     Lane& asked = lanes_[index];
                     asked.asking = false;
                     if (!found) {
                         asked.granted = true;
                     } else if (const auto change = identity_change(asked.identity, *found); !change.empty()) {
                         return changed_(fmt::format("the server at {} came back as another: {}; replies of the two must not be mixed, so "
                                                     "start the former one again and continue with the same --out",
                                                     asked.base_url, change));
                     } else {
                         asked.doubtful = false;
                     }
                     ready_();
                 });
}

Lanes::Time Lanes::ready_at(Time now) const {
    Time earliest = now + look_again;
    for (Index i = 0; i < lanes_.size(); ++i) {
        const Time free = std::max(lanes_[i].gate.opens_at(now), endpoints_.back_at(i, now));
        if (free > now) earliest = std::min(earliest, free);
    }
    return earliest;
}

void Lanes::send(Index index, std::string body, chat::Client::Done done) {
    Lane& lane = lanes_[index];
    const auto sent = loop::Clock::now();
    lane.granted = false;
    lane.gate.sent(sent);
    endpoints_.sent(index);
    lane.client->send(std::move(body), true, [this, index, sent, done = std::move(done)](Reply reply) {
        ended(index, reply, sent);
        done(std::move(reply));
    });
}

void Lanes::ended(Index index, const Reply& reply, Time sent) {
    Lane& lane = lanes_[index];
    const auto now = loop::Clock::now();
    endpoints_.ended(index, has_failed(reply), now);
    if (was_away(reply)) lane.doubtful = true;
    if (was_told_to_wait(reply)) {
        lane.gate.turned_away(now, sent, pacing::clamped_retry_after(reply, settings_.longest_retry_after), endpoints_.in_flight(index));
    } else {
        lane.gate.answered(sent);
    }
}

chat::Traffic Lanes::traffic() const {
    chat::Traffic sum;
    for (const Lane& lane : lanes_) {
        const chat::Traffic& one = lane.client->traffic();
        sum.in_flight += one.in_flight;
        sum.on_wire += one.on_wire;
        sum.text_events += one.text_events;
        sum.body_bytes += one.body_bytes;
        sum.text_bytes_held += one.text_bytes_held;
    }
    return sum;
}

}  // namespace assay::runners
