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
    const auto& suspects = servers_[server].suspects;
    return std::none_of(suspects.begin(), suspects.end(), [&](const Asked& asked) { return now - asked.sent <= 2 * longest_ + std::chrono::seconds(1); });
}

void Quarantine::sent(int question, std::size_t server, Time now) {
    if (is_suspect(question)) servers_[server].suspects.push_back({question, now});
}

std::optional<int> Quarantine::ended(int question, std::size_t server, Time sent, Time now, const chat::Reply& reply) {
    Server& one = servers_[server];
    const auto asked = std::find_if(one.suspects.begin(), one.suspects.end(), [&](const Asked& was) { return was.question == question && was.sent == sent; });
    if (asked != one.suspects.end()) one.suspects.erase(asked);
    if (was_refused_connection(reply)) return nobody_there(server, now);
    if (one.down_since && reply.times.connected_ms && sent >= *one.down_since) one.down_since.reset();
    if (broke_off(reply)) {
        one.fallen.push_back({question, sent, now});
        return std::nullopt;
    }
    if (chat::is_scored(reply.outcome)) {
        falls_.erase(question);
        others_scored_ = true;
    }
    return std::nullopt;
}

std::optional<int> Quarantine::nobody_there(std::size_t server, Time now) {
    Server& one = servers_[server];
    if (one.down_since) return std::nullopt;
    one.down_since = now;
    return blame(one, now);
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
