#include "runners/drivers/dispatch.hpp"

#include <fmt/format.h>

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

Dispatch::Dispatch(loop::EventLoop& loop, Lanes& lanes, runs::RunWriter& run, Progress& progress, DispatchSettings settings,
                   std::vector<Work> work, Body body, GivenUp given_up)
    : loop_(loop), lanes_(lanes), run_(run), progress_(progress), settings_(settings), body_(std::move(body)),
      given_up_(std::move(given_up)), text_budget_(settings.text_budget_bytes, settings.reply_bytes_expected),
      minute_limits_(settings.rates, settings.tokens_expected), policy_(settings.retry), quarantine_(lanes.size()) {
    items_.reserve(work.size());
    for (const Work& one : work) items_.push_back({one, 0, 0});
}

void Dispatch::start(std::function<void()> ended) {
    ended_ = std::move(ended);
    if (automatic()) measure_timer_ = loop_.after(settings_.window, [this] { measure(); });
    lanes_.on({.ready = [this] { pump(); },
               .changed = [this](const std::string& why) { halt(why); },
               .nobody = [this](Lanes::Index lane) { say_caught(quarantine_.nobody_there(lane, loop::Clock::now())); },
               .on_wire = [this] { note_in_flight(); }});
    pump();
    end_if_done();
}

void Dispatch::halt(const std::string& why) {
    if (ended_already_) return;
    halted_ = why;
    end();
}

void Dispatch::pump() {
    held_ = pacing::Hold::nothing;
    send_what_may_go();
    if (!ended_already_) note_in_flight();
}

void Dispatch::send_what_may_go() {
    for (int sent = 0; !ended_already_ && in_flight_ < target(); ++sent) {
        if (!has_work()) return;
        const auto now = loop::Clock::now();
        if (sent == sends_a_round) return pump_again_at(now + between_rounds);
        if (const auto later = minute_limits_.held_until(now)) return hold(pacing::Hold::rates, *later);
        const auto lane = lanes_.choose(now);
        if (!lane) return hold(pacing::Hold::server, lanes_.ready_at(now));
        if (!text_budget_.room(in_flight_, lanes_.traffic().text_bytes_held, run_.bytes_waiting())) {
            return hold(pacing::Hold::text, now + when_text_is_full);
        }
        const auto index = next_item(*lane, now);
        if (!index) {
            if (!ready_.empty()) hold(pacing::Hold::server, quarantine_.look_again_at(now));
            return end_if_done();
        }
        send(*index, *lane);
    }
}

void Dispatch::hold(pacing::Hold why, loop::Clock::time_point until) {
    held_ = why;
    pump_again_at(until);
}

void Dispatch::note_in_flight() {
    meter_.set(loop::Clock::now(), lanes_.traffic().on_wire, has_work() ? std::optional(target()) : std::nullopt, held_);
}

void Dispatch::pump_again_at(loop::Clock::time_point when) {
    loop_.cancel(pump_timer_);
    pump_timer_ = loop_.at(when, [this] { pump(); });
}

std::optional<std::size_t> Dispatch::next_item(Lanes::Index lane, loop::Clock::time_point now) {
    std::size_t held_back = 0;  // of ready_, those looked at and put behind the others again
    while (held_back < ready_.size() || next_ < items_.size()) {
        const bool again = held_back < ready_.size();
        const std::size_t index = again ? ready_.front() : next_++;
        if (again) ready_.pop_front();
        const int question = items_[index].work.key.question;
        if (quarantine_.may_be_asked(question, lane, now)) return index;
        if (quarantine_.caught(question)) {
            take_out(index);
        } else {
            ready_.push_back(index);
            ++held_back;
        }
    }
    return std::nullopt;
}

void Dispatch::take_out(std::size_t index) {
    progress_.done.fetch_add(1, std::memory_order_relaxed);
    progress_.unscored.fetch_add(1, std::memory_order_relaxed);
    given_up_(items_[index].work.key);
}

void Dispatch::say_caught(const std::optional<int>& caught) {
    if (!caught) return;
    run_.note(fmt::format("question {} took {} down {} times while others were answered: it is in quarantine, and was not asked again "
                          "in that session",
                          *caught, lanes_.size() == 1 ? "the server" : "a server", pacing::Quarantine::caught_after));
}

void Dispatch::send(std::size_t index, Lanes::Index lane) {
    Item& item = items_[index];
    ++item.tries;
    ++in_flight_;
    progress_.in_flight.store(in_flight_, std::memory_order_relaxed);
    if (item.work.tries_before + item.tries > 1) progress_.retries.fetch_add(1, std::memory_order_relaxed);
    const double sent_unix_s = unix_now();
    const auto sent = loop::Clock::now();
    quarantine_.sent(item.work.key.question, lane, sent);
    run_.begin(item.work.key, item.work.tries_before + item.tries, sent_unix_s);
    const Sent note{lane, sent, sent_unix_s, minute_limits_.sent(sent)};
    lanes_.send(lane, body_(item.work.key), [this, index, note](chat::Reply reply) { on_reply(index, note, std::move(reply)); });
}

void Dispatch::measure() {
    lanes_.measure();
    measure_timer_ = loop_.after(settings_.window, [this] { measure(); });
    pump();
}

void Dispatch::on_reply(std::size_t index, const Sent& sent, chat::Reply reply) {
    if (ended_already_) return;
    --in_flight_;
    progress_.in_flight.store(in_flight_, std::memory_order_relaxed);
    const Item& item = items_[index];
    if (chat::is_scored(reply.outcome)) text_budget_.ended(static_cast<std::int64_t>(reply.content.size() + reply.reasoning.size()));
    const chat::Reply outline = without_texts(reply);
    run_.finished(item.work.key, item.work.tries_before + item.tries, std::move(reply), sent.unix_s, unix_now(), static_cast<int>(sent.lane));
    count(outline);
    minute_limits_.ended(loop::Clock::now(), sent.tokens, outline);
    say_caught(quarantine_.ended(item.work.key.question, sent.lane, sent.at, loop::Clock::now(), outline));
    settle(index, outline);
    if (const auto why = stop_rule_.add(outline, loop::Clock::now())) return halt(*why);
    pump();
    end_if_done();
}

void Dispatch::count(const chat::Reply& reply) {
    progress_.text_events.store(lanes_.traffic().text_events, std::memory_order_relaxed);
    if (!reply.usage.completion_tokens) return;
    progress_.known_tokens.fetch_add(*reply.usage.completion_tokens, std::memory_order_relaxed);
    progress_.known_token_events.fetch_add(reply.events, std::memory_order_relaxed);
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
    loop_.cancel(measure_timer_);
    ended_();
}

}  // namespace assay::runners
