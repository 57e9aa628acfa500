#include "reports/progress/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/terminal/numbers.hpp"
#include "reports/terminal/width.hpp"

namespace assay::reports {
namespace {

struct Part {
    std::string text;
    int rank;  // the highest is left out first
};

std::string joined(const std::vector<Part>& parts) {
    std::string line;
    for (const Part& part : parts) line += (line.empty() ? "" : " | ") + part.text;
    return line;
}

std::vector<Part> parts_of(const ProgressSnapshot& s) {
    std::vector<Part> parts;
    // Cut, not rounded: 100 % means done.
    const std::int64_t percent_done = s.attempts > 0 ? s.done * 100 / s.attempts : 0;
    parts.push_back({fmt::format("{} of {} ({} %)", thousands(s.done), thousands(s.attempts), percent_done), 0});
    if (s.judged_in_order > 0) {
        const double accuracy = static_cast<double>(s.correct_in_order) / static_cast<double>(s.judged_in_order);
        parts.push_back(
            {fmt::format("accuracy {} % of the first {}", percent(accuracy), thousands(s.judged_in_order)), 2});
    }
    parts.push_back({thousands(s.in_flight) + " in flight", 4});
    if (s.per_second && *s.per_second > 0)
        parts.push_back({compact(*s.per_second) + (s.tokens ? " tokens/s" : " events/s"), 5});
    if (s.truncated > 0) parts.push_back({thousands(s.truncated) + " truncated", 6});
    if (s.retries > 0) parts.push_back({thousands(s.retries) + (s.retries == 1 ? " retry" : " retries"), 7});
    if (s.waiting_to_retry > 0) parts.push_back({thousands(s.waiting_to_retry) + " waiting to retry", 8});
    if (s.unscored > 0) parts.push_back({thousands(s.unscored) + " unscored", 3});
    if (s.seconds_left) {
        parts.push_back({duration(*s.seconds_left) + " left", 1});
    } else if (s.done < s.attempts) {
        parts.push_back({"time left not known yet", 9});
    }
    return parts;
}

}  // namespace

std::string progress_text(const ProgressSnapshot& snapshot, int width) {
    std::vector<Part> parts = parts_of(snapshot);
    std::string line = joined(parts);
    while (width > 0 && parts.size() > 1 && display_width(line) > width) {
        parts.erase(
            std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; }));
        line = joined(parts);
    }
    return width > 0 ? cut_to_width(line, width) : line;
}

}  // namespace assay::reports
