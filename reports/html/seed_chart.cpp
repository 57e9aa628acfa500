#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/charts.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

constexpr double width = 826;
constexpr double height = 240;
constexpr double left = 52;
constexpr double right = 12;
constexpr double top = 10;
constexpr double bottom = 34;
constexpr int most_ticks = 6;
constexpr std::size_t most_labels = 32;

// Fractions between low and high, drawn bottom to top.
struct Scale {
    double low = 0;
    double high = 1;
    double step = 0.1;

    [[nodiscard]] double y(double fraction) const {
        const double inside = std::clamp(fraction, low, high);
        return top + (high - inside) / (high - low) * (height - top - bottom);
    }
};

Scale scale_of(const statistics::Summary& s) {
    double low = 1;
    double high = 0;
    const auto take = [&](double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const statistics::SeedRow& row : s.per_seed)
        if (const std::optional<double> score = row.counts.score()) take(*score);
    for (const auto& interval : {s.over_questions, s.this_test}) {
        if (!interval) continue;
        take(interval->low);
        take(interval->high);
    }
    Scale scale;
    for (const double step : {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2}) {
        scale.step = step;
        scale.low = std::max(0.0, std::floor(low / step) * step);
        scale.high = std::min(1.0, std::ceil(high / step) * step);
        if (scale.high <= scale.low) scale.low = std::max(0.0, scale.high - step);
        if (scale.high <= scale.low) scale.high = scale.low + step;
        if ((scale.high - scale.low) / step <= most_ticks) break;
    }
    return scale;
}

std::string axis(const Scale& scale) {
    std::string out;
    const int digits = scale.step < 0.01 ? 1 : 0;
    const int ticks = static_cast<int>(std::lround((scale.high - scale.low) / scale.step));
    for (int i = 0; i <= ticks; ++i) {
        const double value = scale.low + i * scale.step;
        const double y = scale.y(value);
        out += fmt::format(
            "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/><text class=\"end\" x=\"{:.1f}\" y=\"{:.1f}\">{} "
            "%</text>\n",
            left, y, width - right, left - 6, y + 4, percent(value, digits));
    }
    return out;
}

std::string interval_band(const Scale& scale, const std::optional<statistics::Interval>& interval, const char* kind) {
    if (!interval) return "";
    const double y = scale.y(interval->high);
    return fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", kind,
                       left, y, width - left - right, scale.y(interval->low) - y);
}

std::string dots(const Scale& scale, const statistics::Summary& s, std::optional<int> greedy_seed) {
    std::string out;
    const double pitch = (width - left - right) / static_cast<double>(s.per_seed.size());
    const std::size_t label_every = (s.per_seed.size() + most_labels - 1) / most_labels;
    for (std::size_t i = 0; i < s.per_seed.size(); ++i) {
        const statistics::SeedRow& row = s.per_seed[i];
        const double x = left + pitch * (static_cast<double>(i) + 0.5);
        if (i % label_every == 0)
            out += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, height - bottom + 16,
                               row.seed);
        const std::optional<double> score = row.counts.score();
        if (!score) continue;
        const bool greedy = greedy_seed == row.seed;
        out += fmt::format(
            "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"><title>seed {}{}: {} %, {} of "
            "{}</title></circle>\n",
            greedy ? "dot greedy" : "dot", x, scale.y(*score), row.seed, greedy ? " (greedy)" : "", percent(*score),
            row.counts.correct, row.counts.scored);
    }
    out += fmt::format("<text class=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">seed</text>\n", (left + width - right) / 2,
                       height - 3);
    return out;
}

std::string key(const char* drawn, const std::string& text) {
    return fmt::format(
        "<li><svg viewBox=\"0 0 14 12\" width=\"14\" height=\"12\" aria-hidden=\"true\">{}</svg> {}</li>\n", drawn,
        text);
}

std::string legend(const statistics::Summary& s, bool greedy) {
    std::string out =
        "<ul class=\"legend\">\n" + key("<circle class=\"dot\" cx=\"7\" cy=\"6\" r=\"4.5\"/>", "score of a seed");
    if (greedy) out += key("<circle class=\"dot greedy\" cx=\"7\" cy=\"6\" r=\"4.5\"/>", "greedy seed");
    if (s.pass_at_1)
        out += key("<path class=\"mean\" d=\"M0 6H14\"/>", fmt::format("mean {} %", percent(*s.pass_at_1)));
    const auto band = [&](const char* drawn, const char* name, const std::optional<statistics::Interval>& interval) {
        if (interval)
            out += key(drawn,
                       fmt::format("{}, 95 % CI {} - {}", name, percent(interval->low, 1), percent(interval->high, 1)));
    };
    band("<rect class=\"test\" width=\"14\" height=\"12\"/>", "this test only", s.this_test);
    band("<rect class=\"questions\" width=\"14\" height=\"12\"/>", "questions like these", s.over_questions);
    return out + "</ul>\n";
}

}  // namespace

std::string seed_chart(const statistics::Summary& s, std::optional<int> greedy_seed) {
    const auto has_score = [](const statistics::SeedRow& row) { return row.counts.scored > 0; };
    if (std::count_if(s.per_seed.begin(), s.per_seed.end(), has_score) < 2) return "";
    const bool greedy = std::any_of(s.per_seed.begin(), s.per_seed.end(),
                                    [&](const statistics::SeedRow& row) { return greedy_seed == row.seed; });
    const Scale scale = scale_of(s);
    std::string out = fmt::format(
        "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"score of each seed\">\n", width, height);
    out +=
        interval_band(scale, s.over_questions, "questions") + interval_band(scale, s.this_test, "test") + axis(scale);
    if (s.pass_at_1) {
        out += fmt::format("<path class=\"mean\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, scale.y(*s.pass_at_1),
                           width - right);
    }
    return out + dots(scale, s, greedy_seed) + "</svg>\n" + legend(s, greedy);
}

}  // namespace assay::reports
