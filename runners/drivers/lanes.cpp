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
      gate(settings.gate) {
    if (settings.automatic) control.emplace(*settings.automatic);
}

Lanes::Lanes(loop::EventLoop& loop, const std::vector<Server>& servers, LaneSettings settings)
    : settings_(std::move(settings)), endpoints_(servers.size(), settings_.endpoints) {
    lanes_.reserve(servers.size());
    for (const Server& server : servers) lanes_.emplace_back(loop, server, settings_);
}

void Lanes::on(Events events) {
    events_ = std::move(events);
    for (Lane& lane : lanes_) {
        lane.client->on_wire_changed([this, &lane] {
            note_on_wire(lane);
            events_.on_wire();
        });
    }
}

bool Lanes::open(Index index, Time now) const {
    const Lane& lane = lanes_[index];
    if (lane.control && endpoints_.in_flight(index) >= lane.control->target()) return false;
    return lane.gate.open(now) && !lane.asking && (!lane.doubtful || lane.granted);
}

std::optional<Lanes::Index> Lanes::choose(Time now) {
    for (Index i = 0; i < lanes_.size(); ++i) {
        note_begun(lanes_[i]);
        ask_if_doubtful(i, now);
    }
    return endpoints_.choose(now, [&](Index index) { return open(index, now); });
}

void Lanes::ask_if_doubtful(Index index, Time now) {
    Lane& lane = lanes_[index];
    if (!lane.doubtful || lane.asking || lane.granted) return;
    if (lane.looked && !is_due(index, now)) return;
    lane.looked = true;
    lane.asking = true;
    ask_identity(*lane.client, lane.base_url, settings_.model, lane.identity.version.has_value(),
                 [this, index](const std::optional<ServerIdentity>& found) { on_identity(index, found); });
}

bool Lanes::is_due(Index index, Time now) const {
    return lanes_[index].gate.open(now) && endpoints_.back_at(index, now) <= now;
}

void Lanes::on_identity(Index index, const std::optional<ServerIdentity>& found) {
    Lane& lane = lanes_[index];
    lane.asking = false;
    if (!found) {
        lane.granted = is_due(index, loop::Clock::now());
        events_.nobody(index);
    } else if (const auto change = identity_change(lane.identity, *found); !change.empty()) {
        return events_.changed(fmt::format("the server at {} came back as another: {}; replies of the two must not be mixed, so "
                                           "start the former one again and continue with the same --out",
                                           lane.base_url, change));
    } else {
        lane.doubtful = false;
    }
    events_.ready();
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
    if (was_away(reply) && !std::exchange(lane.doubtful, true)) {
        lane.looked = false;
        ask_if_doubtful(index, now);
    }
    if (!is_due(index, now)) lane.granted = false;  // it is asked again when it is
    if (was_told_to_wait(reply)) {
        note_begun(lane);
        if (lane.control) lane.control->turned_away(now, sent, lane.client->traffic().newest_begun);
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
        sum.begun += one.begun;
        sum.first_text_wait_s += one.first_text_wait_s;
    }
    return sum;
}

// A reply may take an hour to end: that it begins is what the gate needs to know.
void Lanes::note_begun(Lane& lane) {
    if (const auto& newest = lane.client->traffic().newest_begun) lane.gate.answered(*newest);
}

void Lanes::note_on_wire(Lane& lane) {
    lane.meter.set(loop::Clock::now(), lane.client->traffic().on_wire, 0);
}

void Lanes::measure() {
    for (Lane& lane : lanes_) {
        if (!lane.control) continue;
        note_on_wire(lane);
        const chat::Traffic& traffic = lane.client->traffic();
        const auto seen = lane.meter.seen(loop::Clock::now());
        const double seconds = seen.seconds - lane.seen_before.seconds;
        if (seconds > 0) {
            lane.control->window({seconds, (seen.request_seconds - lane.seen_before.request_seconds) / seconds,
                                  traffic.text_events - lane.traffic_before.text_events, traffic.begun - lane.traffic_before.begun,
                                  traffic.first_text_wait_s - lane.traffic_before.first_text_wait_s});
        }
        lane.seen_before = seen;
        lane.traffic_before = traffic;
    }
}

std::int64_t Lanes::found() const {
    std::int64_t sum = 0;
    for (const Lane& lane : lanes_) sum += lane.control ? lane.control->found() : 0;
    return sum;
}

std::int64_t Lanes::target() const {
    std::int64_t sum = 0;
    for (const Lane& lane : lanes_) sum += lane.control ? lane.control->target() : 0;
    return sum;
}

}  // namespace assay::runners
