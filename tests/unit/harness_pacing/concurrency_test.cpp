// The controller against servers that are reckoned in steps of a quarter second: replies of minutes, no waiting.
#include "harness/pacing/concurrency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <vector>

#include "harness/pacing/gate.hpp"

namespace assay::pacing {
namespace {

using Time = Concurrency::Time;

struct Model {
    double reply_s = 90;       // at full speed
    double first_text_s = 2;
    std::int64_t cap = 1 << 30;    // more at once are refused
    std::int64_t slots = 1 << 30;  // more at once wait for their turn
    std::function<double(double)> speed = [](double) { return 1.0; };  // of each of so many that run; 1: 20 events a second
    double noise = 0.05;
};

std::function<double(double)> shared_above(double knee) {
    return [knee](double running) { return std::min(1.0, knee / std::max(running, 1.0)); };
}

// A server, and a client that keeps as many in flight as the controller and the gate say.
class Trial {
public:
    explicit Trial(Model model, ConcurrencyLimits limits = {}) : model_(std::move(model)), control(limits) {}

    // Seconds of it; what the server wrote in them, in events a second.
    double pass(double seconds) {
        const double before = text_;
        for (double left = seconds; left > 1e-9; left -= dt) step();
        return (text_ - before) / seconds;
    }
    void refuse_until(double seconds_from_now) { refuses_until_ = now_s_ + seconds_from_now; }
    [[nodiscard]] std::int64_t in_flight() const { return static_cast<std::int64_t>(replies_.size()); }

private:
    static constexpr double dt = 0.25;

    struct Reply {
        double left_s;  // of writing, at full speed
        double sent_s;
        double begins_s = -1;  // -1: it waits for its turn
        bool begun = false;
    };

    [[nodiscard]] Time at(double s) const { return Time{} + std::chrono::microseconds(static_cast<std::int64_t>(s * 1e6)); }
    // In [0, 1): the golden ratio's sequence.
    double draw() {
        ++draws_;
        const double x = static_cast<double>(draws_) * 0.6180339887498949;
        return x - std::floor(x);
    }

    void send_what_may_go() {
        std::int64_t refused = 0;
        while (in_flight() + refused < control.target() && gate_.open(at(now_s_))) {
            gate_.sent(at(now_s_));
            if (in_flight() >= model_.cap || now_s_ < refuses_until_) ++refused;
            else replies_.push_back({model_.reply_s * (0.5 + draw()), now_s_});
        }
        for (; refused > 0; --refused) {
            if (newest_begun_) gate_.answered(*newest_begun_);
            gate_.turned_away(at(now_s_ + 0.05), at(now_s_), std::nullopt, in_flight());
            control.turned_away(at(now_s_ + 0.05), at(now_s_), newest_begun_);
        }
    }

    void write() {
        std::int64_t running = 0;
        std::int64_t taken = 0;
        for (Reply& reply : replies_) {
            if (++taken > model_.slots) break;
            if (reply.begins_s < 0) reply.begins_s = now_s_ + model_.first_text_s;
            if (now_s_ < reply.begins_s) continue;
            ++running;
            if (reply.begun) continue;
            reply.begun = true;
            newest_begun_ = std::max(newest_begun_.value_or(Time{}), at(reply.sent_s));
            ++window_.begun;
            window_.first_text_wait_s += now_s_ - reply.sent_s;
        }
        const double speed = model_.speed(static_cast<double>(running));
        const double events = 20 * speed * dt * static_cast<double>(running) * (1 + model_.noise * (2 * draw() - 1));
        text_ += events;
        window_text_ += events;
        for (Reply& reply : replies_)
            if (reply.begun) reply.left_s -= speed * dt;
        std::erase_if(replies_, [](const Reply& reply) { return reply.left_s <= 0; });
    }

    void step() {
        send_what_may_go();
        window_.mean_in_flight += static_cast<double>(in_flight()) * dt;
        write();
        now_s_ += dt;
        window_.seconds += dt;
        if (window_.seconds < 1) return;
        window_.text_events = std::llround(window_text_);
        control.window(window_);
        window_ = {};
        window_text_ = 0;
    }

    Model model_;
    Gate gate_{GateLimits{}};
    std::deque<Reply> replies_;
    std::optional<Time> newest_begun_;
    double now_s_ = 0;
    double refuses_until_ = -1;
    double text_ = 0;
    double window_text_ = 0;
    Concurrency::Window window_;
    std::int64_t draws_ = 0;

public:
    Concurrency control;
};

TEST(Concurrency, FindsTheKneeOfAServerThatSlowsDownBeyondIt) {
    for (const double knee : {6.0, 20.0, 64.0, 150.0, 800.0}) {
        Model model;
        model.speed = shared_above(knee);
        Trial run(model);
        std::int64_t highest = 0;
        for (int i = 0; i < 480; ++i) {
            run.pass(1);
            highest = std::max(highest, run.control.target());
        }
        EXPECT_LE(static_cast<double>(highest), std::max(2.4 * knee, 32.0)) << "knee " << knee;  // while it doubles
        std::int64_t most = 0;
        double text = 0;
        double mean = 0;
        for (int i = 0; i < 60; ++i) {
            text += run.pass(10) / 60;
            mean += static_cast<double>(run.control.target()) / 60;
            most = std::max(most, run.control.target());
        }
        EXPECT_GE(text, 0.9 * 20 * knee) << "knee " << knee;
        EXPECT_LE(static_cast<double>(most), 1.5 * knee + 2) << "knee " << knee;  // a step above, while it is tried
        EXPECT_LE(mean, 1.2 * knee + 1) << "knee " << knee;
    }
}

TEST(Concurrency, FindsTheKneeOfAServerThatQueuesWhatItHasNoSlotFor) {
    for (const std::int64_t slots : {24, 100, 256}) {
        Model model;
        model.slots = slots;
        Trial run(model);
        run.pass(600);
        double text = run.pass(600);
        EXPECT_GE(text, 0.9 * 20 * static_cast<double>(slots)) << slots << " slots";
        EXPECT_LE(run.control.target(), slots * 13 / 10) << slots << " slots";
    }
}

TEST(Concurrency, DoesNotStopWhereEachRequestOnlyBecomesALittleSlower) {
    Model model;
    model.speed = [](double running) { return 1 / (1 + running / 200); };  // a GPU: the batch grows, the steps take longer
    Trial run(model);
    run.pass(900);
    EXPECT_GE(run.control.target(), 400);   // from 600 on a tenth more requests bring less than 2.5 % more text
    EXPECT_LE(run.control.target(), 1200);
}

TEST(Concurrency, ReachesNineTenthsOfAKneeOf800WithinTwoMinutes) {
    Model model;
    model.speed = shared_above(800);
    Trial run(model);
    run.pass(110);
    EXPECT_GE(run.pass(10), 0.9 * 20 * 800);
}

TEST(Concurrency, ComesBackAfterAStorm) {
    for (const double storm_s : {5.0, 40.0, 600.0}) {
        Model model;
        model.speed = shared_above(200);
        Trial run(model);
        run.pass(300);
        run.refuse_until(storm_s);
        run.pass(storm_s);
        EXPECT_GE(run.control.target(), 60) << "one decrease a storm, however long it lasts";
        run.pass(240);
        EXPECT_GE(run.pass(120), 0.9 * 20 * 200) << storm_s << " s of storm";
        EXPECT_LE(run.control.target(), 300);
    }
}

TEST(Concurrency, AServerThatRefusesAboveANumberIsKeptNearlyFull) {
    for (const std::int64_t cap : {10, 100, 700}) {
        Model model;
        model.cap = cap;
        Trial run(model);
        run.pass(900);
        EXPECT_GE(run.pass(900), 0.9 * 20 * static_cast<double>(cap) * 90 / 92) << "cap " << cap;  // each waits 2 s for its first text
        EXPECT_LE(run.control.target(), cap * 5 / 4 + 1) << "cap " << cap;
    }
}

TEST(Concurrency, FollowsAServerThatBecomesSlowerOrFaster) {
    double knee = 100;
    Model model;
    model.speed = [&knee](double running) { return std::min(1.0, knee / std::max(running, 1.0)); };
    Trial run(model);
    run.pass(300);
    knee = 40;
    run.pass(1200);
    EXPECT_LE(run.control.target(), 60);
    knee = 160;
    run.pass(1800);
    EXPECT_GE(run.pass(60), 0.9 * 20 * 160);
}

TEST(Concurrency, AServerThatShowsNoThinkingIsNotHurried) {
    Model model;
    model.first_text_s = 60;  // and then nearly all at once
    model.reply_s = 1;
    Trial run(model);
    run.pass(30);
    EXPECT_EQ(run.control.target(), 16) << "nothing has answered yet";
}

TEST(Concurrency, HalvesOnceForAllThatWereTurnedAwayTogether) {
    Model model;
    Trial run(model);
    run.pass(60);
    auto& control = run.control;
    const auto before = control.target();
    const auto at = [](double s) { return Time{} + std::chrono::milliseconds(static_cast<int>(s * 1000)); };
    for (int i = 0; i < 300; ++i) control.turned_away(at(100), at(99), at(98));
    EXPECT_EQ(control.target(), before / 2);
    control.turned_away(at(100.5), at(99.5), at(99.5));  // sent before it halved
    control.turned_away(at(110), at(109), at(99.5));     // the same storm: nothing sent since has been answered
    EXPECT_EQ(control.target(), before / 2);
    control.turned_away(at(120), at(119), at(115));
    EXPECT_EQ(control.target(), before / 4);
}

TEST(Concurrency, WindowsThatWereNotFilledTellNothing) {
    Concurrency control(ConcurrencyLimits{});
    for (int i = 0; i < 200; ++i) control.window({1.0, 5.0, 1000, 5, 1.0});
    EXPECT_EQ(control.target(), 16);
    for (int i = 0; i < 200; ++i) control.window({1.0, 16.0, 0, 0, 0});  // all wait for their first words
    EXPECT_EQ(control.target(), 16);
}

TEST(Concurrency, KeepsItsBounds) {
    Trial run(Model{}, ConcurrencyLimits{4, 2, 40});
    run.pass(120);
    EXPECT_GE(run.control.target(), 30);
    EXPECT_LE(run.control.target(), 40);
    const auto at = [](int s) { return Time{} + std::chrono::seconds(s); };
    for (int i = 0; i < 20; ++i) run.control.turned_away(at(1000 + i), at(1000 + i), at(1000 + i));
    EXPECT_EQ(run.control.target(), 2);
}

}  // namespace
}  // namespace assay::pacing
