#include "harness/pacing/quarantine.hpp"

#include <algorithm>
#include <set>

namespace assay::pacing {
namespace {

bool was_refused_connection(const chat::Reply& reply) {
    return reply.http_status == 0 && !reply.times.connected_ms && reply.outcome == chat::Outcome::dropped;
}

bool broke_off(const chat::Reply& reply) {
    return reply.outcome == chat::Outcome::dropped && reply.times.connected_ms;
}

}  // namespace

int Quarantine::falls(int question) const {
    const auto found = falls_.find(question);
    return found == falls_.end() ? 0 : found->second;
}

bool Quarantine::caught(int question) const { return std::find(caught_.begin(), caught_.end(), question) != caught_.end(); }

bool Quarantine::may_be_asked(int question, std::size_t server, Time now) const {
    if (caught(question)) return false;
    if (!is_suspect(question)) return true;
    const auto& asked = servers_[server].asked;
    return std::none_of(asked.begin(), asked.end(), [&](const Asked& one) { return one.suspect && now - one.sent <= 2 * longest_ + std::chrono::seconds(1); });
}

void Quarantine::sent(int question, std::size_t server, Time now) { servers_[server].asked.push_back({question, now, is_suspect(question)}); }

std::optional<int> Quarantine::ended(int question, std::size_t server, Time sent, Time now, const chat::Reply& reply) {
    Server& one = servers_[server];
    const auto asked = std::find_if(one.asked.begin(), one.asked.end(), [&](const Asked& was) { return was.question == question && was.sent == sent; });
    if (asked != one.asked.end()) one.asked.erase(asked);
    if (was_refused_connection(reply)) return nobody_there(server, now);
    std::optional<int> caught;
    if (one.down_since && reply.times.connected_ms && sent >= *one.down_since) {
        caught = settle(one, now);  // it is back: what has not ended by now does not belong to that fall
        one.down_since.reset();
    }
    if (broke_off(reply)) one.fallen.push_back({question, sent, now});
    if (chat::is_scored(reply.outcome)) {
        falls_.erase(question);
        others_scored_ = true;
    }
    if (caught || !one.down_since) return caught;
    const bool all_ended = std::none_of(one.asked.begin(), one.asked.end(), [&](const Asked& was) { return was.sent < *one.down_since; });
    return all_ended ? settle(one, now) : std::nullopt;
}

std::optional<int> Quarantine::nobody_there(std::size_t server, Time now) {
    Server& one = servers_[server];
    if (!one.down_since) {
        one.down_since = now;
        one.settled = false;
    }
    const bool all_ended = std::none_of(one.asked.begin(), one.asked.end(), [&](const Asked& was) { return was.sent < *one.down_since; });
    return all_ended || now - *one.down_since >= settled_after ? settle(one, now) : std::nullopt;
}

std::optional<int> Quarantine::settle(Server& server, Time now) {
    if (server.settled) return std::nullopt;
    server.settled = true;
    return blame(server, now);
}

std::optional<int> Quarantine::blame(Server& server, Time now) {
    std::set<int> questions;  // a question may have been asked under several seeds at once
    longest_ = {};
    for (const Fallen& one : server.fallen) {
        if (now - one.at > close_by) continue;
        questions.insert(one.question);
        longest_ = std::max(longest_, one.at - one.sent);
    }
    server.fallen.clear();
    std::vector<int> suspects;
    for (const int question : questions)
        if (is_suspect(question)) suspects.push_back(question);
    // With a suspect among them, the others have an alibi.
    for (const int question : suspects.empty() ? std::vector<int>(questions.begin(), questions.end()) : suspects) ++falls_[question];
    if (suspects.size() != 1 || falls_[suspects.front()] < caught_after || !others_scored_) return std::nullopt;
    others_scored_ = false;
    caught_.push_back(suspects.front());
    falls_.clear();
    return suspects.front();
}

}  // namespace assay::pacing
