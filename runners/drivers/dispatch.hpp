// Dispatch: asks every attempt of a work list, with a number in flight that is given or found, until each is scored or given up.
//
//   work list --+--> send --> reply --+--> scored: recorded, final
//               ^                     +--> failed: recorded, waits, back into `ready`
//   ready ------+                     +--> given up: recorded, unscored
//
// One queue without barriers: as one reply ends the next request goes out. What failed comes before what is new.
// Threads: everything belongs to the loop's thread. Every try is recorded before its reply is looked at.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datasets/runs/run_writer.hpp"
#include "harness/loop/event_loop.hpp"
#include "harness/pacing/in_flight.hpp"
#include "harness/pacing/minute_limits.hpp"
#include "harness/pacing/quarantine.hpp"
#include "harness/pacing/retry_policy.hpp"
#include "harness/pacing/stop_rule.hpp"
#include "harness/pacing/text_budget.hpp"
#include "harness/progress.hpp"
#include "runners/drivers/lanes.hpp"

namespace assay::runners {

struct DispatchSettings {
    std::optional<std::int64_t> concurrency = 64;  // unset: as many as the lanes find
    std::chrono::milliseconds window{1'000};       // in which they measure
    pacing::Rates rates;
    std::int64_t tokens_expected = 65'536;  // of a request, before any reply has ended: for rates
    pacing::RetryLimits retry;
    std::int64_t text_budget_bytes = 1LL << 30;     // text of replies in flight and waiting for the journal: pacing::TextBudget
    std::int64_t reply_bytes_expected = 64LL << 10;  // text of one, before any has ended
};

// One attempt to make. `tries_before` are on record from earlier processes; numbering goes on after them.
struct Work {
    runs::AttemptKey key;
    int tries_before = 0;
};

class Dispatch {
public:
    using Body = std::function<std::string(const runs::AttemptKey&)>;  // of the request, JSON
    using GivenUp = std::function<void(const runs::AttemptKey&)>;      // an attempt that stays unscored

    // All references must outlive this. `work` is in dispatch order.
    Dispatch(loop::EventLoop& loop, Lanes& lanes, runs::RunWriter& run, Progress& progress, DispatchSettings settings,
             std::vector<Work> work, Body body, GivenUp given_up);

    // `ended` is called once: when all work is done, or when halt() or the stop rule ended it. Replies that come
    // after a halt are not recorded; destroy the lanes to close their connections.
    void start(std::function<void()> ended);

    // Sends nothing more and ends. `why` is one line for the user, or empty for an interruption by the user.
    void halt(const std::string& why);

    [[nodiscard]] const std::optional<std::string>& halted() const noexcept { return halted_; }

    // Requests on the wire while there was work to send, as of now.
    [[nodiscard]] pacing::InFlight::Seen seen_in_flight() const { return meter_.seen(loop::Clock::now()); }
    [[nodiscard]] std::int64_t target() const { return settings_.concurrency ? *settings_.concurrency : lanes_.target(); }
    [[nodiscard]] std::int64_t found() const { return settings_.concurrency ? *settings_.concurrency : lanes_.found(); }
    [[nodiscard]] bool automatic() const noexcept { return !settings_.concurrency; }

private:
    struct Item {
        Work work;
        int tries = 0;        // of this process
        int turned_away = 0;  // of these
    };

    void pump();
    void send_what_may_go();
    [[nodiscard]] bool has_work() const { return !ready_.empty() || next_ < items_.size(); }
    void hold(pacing::Hold why, loop::Clock::time_point until);
    void note_in_flight();
    void pump_again_at(loop::Clock::time_point when);
    [[nodiscard]] std::optional<std::size_t> next_item(Lanes::Index lane, loop::Clock::time_point now);
    void take_out(std::size_t index);  // of a question that is not asked any more
    void say_caught(const std::optional<int>& question);
    void measure();
    struct Sent {
        Lanes::Index lane;
        loop::Clock::time_point at;
        double unix_s;
        double tokens;  // that it was reckoned to take
    };
    void send(std::size_t index, Lanes::Index lane);
    void on_reply(std::size_t index, const Sent& sent, chat::Reply reply);
    void count(const chat::Reply& reply);
    void settle(std::size_t index, const chat::Reply& reply);
    void end_if_done();
    void end();

    loop::EventLoop& loop_;
    Lanes& lanes_;
    runs::RunWriter& run_;
    Progress& progress_;
    DispatchSettings settings_;
    Body body_;
    GivenUp given_up_;
    std::function<void()> ended_;

    std::vector<Item> items_;
    std::size_t next_ = 0;            // first item never sent
    std::deque<std::size_t> ready_;   // items to be sent again now
    std::int64_t waiting_ = 0;        // items whose time to be sent again has not come
    std::int64_t in_flight_ = 0;
    std::optional<std::string> halted_;
    bool ended_already_ = false;

    pacing::InFlight meter_;
    pacing::Hold held_ = pacing::Hold::nothing;
    pacing::TextBudget text_budget_;
    pacing::MinuteLimits minute_limits_;
    loop::TimerId measure_timer_ = 0;
    pacing::RetryPolicy policy_;
    pacing::StopRule stop_rule_;
    pacing::Quarantine quarantine_;
    loop::TimerId pump_timer_ = 0;
};

}  // namespace assay::runners
