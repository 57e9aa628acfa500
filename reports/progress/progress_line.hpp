// ProgressLine: shows how a run is going, on stderr while it runs.
//
// On a terminal one line, drawn over and over ("\r\033[K") and cut to the window; else a plain line every 30 s, so that
// a log file stays short. One thread; the counters may be written by others meanwhile. Write errors are ignored: progress
// must never end a run.
#pragma once

#include <cstdio>
#include <functional>
#include <optional>

#include "harness/progress.hpp"
#include "reports/progress/progress_rates.hpp"

namespace assay::reports {

class ProgressLine {
public:
    // `file` and `progress` outlive this. `width` gives the window's columns now (0: unknown, taken as 80); asked at
    // every drawing, since windows change. It is not asked where `terminal` is false.
    ProgressLine(const Progress& progress, std::FILE* file, bool terminal, std::function<int()> width);

    // Call it every 100 ms to 1 s with seconds of a steady clock; draws at most ten times a second.
    void tick(double now_s);

    // Takes the line off the terminal, so that a message can be printed; the next tick draws it again.
    void clear();

    // The last line, ended by LF: as things stand, whenever the one before was.
    void finish(double now_s);

private:
    [[nodiscard]] int columns() const;
    void draw(double now_s);

    const Progress& progress_;
    std::FILE* file_;
    bool terminal_;
    std::function<int()> width_;
    ProgressRates rates_;
    std::optional<double> last_drawn_s_;
    bool on_screen_ = false;
};

}  // namespace assay::reports
