#include "reports/progress/progress_rates.hpp"

#include <algorithm>
#include <iterator>

namespace assay::reports {
namespace {

constexpr double sample_spacing_s = 1;
constexpr std::size_t most_samples = 7200;
constexpr double token_window_s = 10;
constexpr double done_window_s = 60;
constexpr std::int64_t done_window_attempts = 50;
constexpr std::int64_t least_done = 5;

}  // namespace

ProgressSnapshot ProgressRates::look(double now_s, const Progress& progress) {
    ProgressSnapshot out;
    out.attempts = progress.attempts.load();
    out.done = progress.done.load();
    out.in_flight = progress.in_flight.load();
    out.waiting_to_retry = progress.waiting_to_retry.load();
    out.retries = progress.retries.load();
    out.truncated = progress.truncated.load();
    out.unscored = progress.unscored.load();
    out.judged_in_order = progress.judged_in_order.load();
    out.correct_in_order = progress.correct_in_order.load();

    // The last sample is the newest look; it stays only where it is a full spacing after the one before.
    if (samples_.size() >= 2 && samples_.back().at_s - samples_[samples_.size() - 2].at_s < sample_spacing_s)
        samples_.pop_back();
    samples_.push_back({now_s, out.done, progress.text_events.load()});
    if (samples_.size() > most_samples) samples_.erase(samples_.begin() + 1);

    const std::int64_t known_tokens = progress.known_tokens.load();
    const std::int64_t known_events = progress.known_token_events.load();
    out.tokens = known_tokens > 0 && known_events > 0;
    out.per_second = events_per_second();
    if (out.per_second && out.tokens)
        *out.per_second *= static_cast<double>(known_tokens) / static_cast<double>(known_events);

    const std::int64_t remaining = std::max<std::int64_t>(0, out.attempts - out.done);
    const std::int64_t done_here = out.done - progress.done_before.load();
    const std::int64_t enough = std::max(least_done, std::min(out.in_flight, done_window_attempts));
    const std::optional<double> rate = done_per_second();
    if (remaining == 0) {
        out.seconds_left = 0;
    } else if (done_here >= enough && rate && *rate > 0) {
        out.seconds_left = static_cast<double>(remaining) / *rate;
    }
    return out;
}

std::optional<double> ProgressRates::events_per_second() const {
    const Sample& now = samples_.back();
    const auto from = std::partition_point(samples_.begin(), samples_.end(), [&](const Sample& sample) {
        return now.at_s - sample.at_s > token_window_s;
    });
    if (now.at_s - from->at_s < sample_spacing_s) return std::nullopt;
    return static_cast<double>(now.events - from->events) / (now.at_s - from->at_s);
}

std::optional<double> ProgressRates::done_per_second() const {
    const Sample& now = samples_.back();
    const auto after = std::partition_point(samples_.begin(), samples_.end(), [&](const Sample& sample) {
        return now.at_s - sample.at_s >= done_window_s && now.done - sample.done >= done_window_attempts;
    });
    const Sample& from = after == samples_.begin() ? samples_.front() : *std::prev(after);
    if (now.at_s - from.at_s < sample_spacing_s) return std::nullopt;
    return static_cast<double>(now.done - from.done) / (now.at_s - from.at_s);
}

}  // namespace assay::reports
