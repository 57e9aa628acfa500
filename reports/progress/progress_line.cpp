#include "reports/progress/progress_line.hpp"

#include <algorithm>
#include <string>

namespace assay::reports {
namespace {

constexpr double terminal_interval_s = 0.1;
constexpr double plain_interval_s = 30;
constexpr int usual_columns = 80;
constexpr int least_columns = 10;
constexpr const char* erase_line = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(const Progress& progress, std::FILE* file, bool terminal, std::function<int()> width)
    : progress_(progress), file_(file), terminal_(terminal), width_(std::move(width)) {}

int ProgressLine::columns() const {
    const int width = width_ ? width_() : 0;
    // The last column stays free: a terminal may wrap when it is written.
    return std::max(least_columns, (width > 0 ? width : usual_columns) - 1);
}

void ProgressLine::draw(double now_s) {
    const ProgressSnapshot snapshot = rates_.look(now_s, progress_);
    const std::string text =
        terminal_ ? erase_line + progress_text(snapshot, columns()) : progress_text(snapshot, 0) + "\n";
    std::fwrite(text.data(), 1, text.size(), file_);
    std::fflush(file_);
    last_drawn_s_ = now_s;
    on_screen_ = terminal_;
}

void ProgressLine::tick(double now_s) {
    if (!last_drawn_s_ && !terminal_) {
        // The first plain line comes after a full interval: short runs print none.
        (void)rates_.look(now_s, progress_);
        last_drawn_s_ = now_s;
        return;
    }
    const double interval = terminal_ ? terminal_interval_s : plain_interval_s;
    if (!last_drawn_s_ || now_s - *last_drawn_s_ >= interval) {
        draw(now_s);
    } else {
        (void)rates_.look(now_s, progress_);
    }
}

void ProgressLine::clear() {
    if (!on_screen_) return;
    std::fputs(erase_line, file_);
    std::fflush(file_);
    on_screen_ = false;
}

void ProgressLine::finish(double now_s) {
    draw(now_s);
    if (!terminal_) return;
    std::fputc('\n', file_);
    std::fflush(file_);
    on_screen_ = false;
}

}  // namespace assay::reports
