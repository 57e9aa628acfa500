#include "runners/drivers/dispatch.hpp"

#include <chrono>
#include <utility>

namespace assay::runners {
namespace {

using std::chrono::milliseconds;

// A burst of connects overflows a server's listen backlog and inflates first-token times.
constexpr int sends_a_round = 64;
constexpr milliseconds between_rounds{10};
constexpr milliseconds when_text_is_full{50};

double unix_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// What pacing looks at: the texts go to the journal and are not copied.
chat::Reply without_texts(chat::Reply& reply) {
    std::string content = std::exchange(reply.content, {});
    std::string reasoning = std::exchange(reply.reasoning, {});
    chat::Reply outline = reply;
    reply.content = std::move(content);
    reply.reasoning = std::move(reasoning);
    return outline;
}

}  // namespace

Dispatch::Dispatch(loop::EventLoop& loop, chat::Client& client, runs::RunWriter& run, Progress& progress, DispatchSettings settings,
                   std::vector<Work> work, Body body, GivenUp given_up)
    : loop_(loop), client_(client), run_(run), progress_(progress), settings_(settings), body_(std::move(body)),
      given_up_(std::move(given_up)), policy_(settings.retry), gate_(settings.gate) {
    items_.reserve(work.size());
    for (const Work& one : work) items_.push_back({one, 0, 0});
}

void Dispatch::start(std::function<void()> ended) {
    ended_ = std::move(ended);
    pump();
    end_if_done();
}

void Dispatch::halt(const std::string& why) {
    if (ended_already_) return;
    halted_ = why;
    end();
}

void Dispatch::pump() {
    for (int sent = 0; !ended_already_ && in_flight_ < settings_.concurrency; ++sent) {
        if (sent == sends_a_round) return pump_again_at(loop::Clock::now() + between_rounds);
        if (client_.traffic().text_bytes_held + run_.bytes_waiting() > settings_.text_budget_bytes) {
            return pump_again_at(loop::Clock::now() + when_text_is_full);
        }
        const auto now = loop::Clock::now();
        if (ready_.empty() && next_ == items_.size()) return;
        if (!gate_.open(now)) return pump_again_at(gate_.opens_at(now));
        gate_.sent(now);
        send(*next_item());
    }
}

void Dispatch::pump_again_at(loop::Clock::time_point when) {
    loop_.cancel(pump_timer_);
    pump_timer_ = loop_.at(when, [this] { pump(); });
}

std::optional<std::size_t> Dispatch::next_item() {
    if (!ready_.empty()) {
        const std::size_t index = ready_.front();
        ready_.pop_front();
        return index;
    }
    if (next_ < items_.size()) return next_++;
    return std::nullopt;
}

void Dispatch::send(std::size_t index) {
    Item& item = items_[index];
    ++item.tries;
    ++in_flight_;
    progress_.in_flight.store(in_flight_, std::memory_order_relaxed);
    if (item.work.tries_before + item.tries > 1) progress_.retries.fetch_add(1, std::memory_order_relaxed);
    const double sent_unix_s = unix_now();
    const auto sent = loop::Clock::now();
    run_.begin(item.work.key, item.work.tries_before + item.tries, sent_unix_s);
    client_.send(body_(item.work.key), true, [this, index, sent, sent_unix_s](chat::Reply reply) {
        on_reply(index, sent, sent_unix_s, std::move(reply));
    });
}

void Dispatch::on_reply(std::size_t index, loop::Clock::time_point sent, double sent_unix_s, chat::Reply reply) {
    if (ended_already_) return;
    --in_flight_;
    progress_.in_flight.store(in_flight_, std::memory_order_relaxed);
    const Item& item = items_[index];
    const chat::Reply outline = without_texts(reply);
    run_.finished(item.work.key, item.work.tries_before + item.tries, std::move(reply), sent_unix_s, unix_now());
    count(outline);
    pace(outline, sent);
    settle(index, outline);
    if (const auto why = stop_rule_.add(outline, loop::Clock::now())) return halt(*why);
    pump();
    end_if_done();
}

void Dispatch::count(const chat::Reply& reply) {
    progress_.text_events.store(client_.traffic().text_events, std::memory_order_relaxed);
    if (!reply.usage.completion_tokens) return;
    progress_.known_tokens.fetch_add(*reply.usage.completion_tokens, std::memory_order_relaxed);
    progress_.known_token_events.fetch_add(reply.events, std::memory_order_relaxed);
}

void Dispatch::pace(const chat::Reply& reply, loop::Clock::time_point sent) {
    if (reply.http_status == 429 || reply.http_status == 503) {
        gate_.turned_away(loop::Clock::now(), sent, pacing::clamped_retry_after(reply, settings_.retry.longest_retry_after), in_flight_);
    } else {
        gate_.answered(sent);
    }
}

void Dispatch::settle(std::size_t index, const chat::Reply& reply) {
    Item& item = items_[index];
    if (pacing::was_turned_away(reply)) ++item.turned_away;
    const auto decision = policy_.after(reply, {item.work.key.seed, item.work.key.question, item.tries, item.turned_away});
    switch (decision.verdict) {
        case pacing::Verdict::done:
            progress_.done.fetch_add(1, std::memory_order_relaxed);
            if (reply.outcome == chat::Outcome::truncated) progress_.truncated.fetch_add(1, std::memory_order_relaxed);
            break;
        case pacing::Verdict::give_up:
            progress_.done.fetch_add(1, std::memory_order_relaxed);
            progress_.unscored.fetch_add(1, std::memory_order_relaxed);
            given_up_(item.work.key);
            break;
        case pacing::Verdict::retry:
            ++waiting_;
            progress_.waiting_to_retry.store(waiting_, std::memory_order_relaxed);
            loop_.after(decision.delay, [this, index] {
                --waiting_;
                progress_.waiting_to_retry.store(waiting_, std::memory_order_relaxed);
                ready_.push_back(index);
                pump();
            });
            break;
    }
}

void Dispatch::end_if_done() {
    if (in_flight_ == 0 && waiting_ == 0 && ready_.empty() && next_ == items_.size()) end();
}

void Dispatch::end() {
    if (std::exchange(ended_already_, true)) return;
    loop_.cancel(pump_timer_);
    ended_();
}

}  // namespace assay::runners
