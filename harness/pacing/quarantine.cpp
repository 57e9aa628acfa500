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

bool Quarantine::may_be_asked(int question, Time now) const {
    if (caught(question)) return false;
    if (!is_suspect(question)) return true;
    return std::none_of(suspects_.begin(), suspects_.end(), [&](const Asked& asked) { return now - asked.sent <= 2 * longest_ + std::chrono::seconds(1); });
}

void Quarantine::sent(int question, Time now) {
    if (is_suspect(question)) suspects_.push_back({question, now});
}

std::optional<int> Quarantine::ended(int question, Time sent, Time now, const chat::Reply& reply) {
    const auto one = std::find_if(suspects_.begin(), suspects_.end(), [&](const Asked& asked) { return asked.question == question && asked.sent == sent; });
    if (one != suspects_.end()) suspects_.erase(one);
    if (was_refused_connection(reply)) {
        if (down_since_) return std::nullopt;
        down_since_ = now;
        return blame(now);
    }
    if (down_since_ && reply.times.connected_ms && sent >= *down_since_) down_since_.reset();
    if (broke_off(reply)) {
        fallen_.push_back({question, sent, now});
        return std::nullopt;
    }
    if (chat::is_scored(reply.outcome)) {
        falls_.erase(question);
        others_scored_ = true;
    }
    return std::nullopt;
}

std::optional<int> Quarantine::blame(Time now) {
    std::set<int> questions;  // a question may have been asked under several seeds at once
    longest_ = {};
    for (const Fallen& one : fallen_) {
        if (now - one.at > close_by) continue;
        questions.insert(one.question);
        longest_ = std::max(longest_, one.at - one.sent);
    }
    fallen_.clear();
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
