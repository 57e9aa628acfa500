#include "reports/score/stopping.hpp"

#include <fmt/format.h>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports {
namespace {

std::string points(double fraction) { return fmt::format("{:+.2f}", 100 * fraction); }

// "+/- 0.68 at the look after 5 seeds", "PASS after 6 seeds: bounds -0.44 to +1.90, one-sided 99.9 %".
std::string figure_words(const Stopping& s) {
    if (s.half_width) return fmt::format("+/- {} at the look after {}", percent(*s.half_width), counted(s.seeds, "seed"));
    if (!s.lower || !s.upper || !s.level) return fmt::format("a look after {}", counted(s.seeds, "seed"));
    return fmt::format("{} after {}: bounds {} to {}, one-sided {:g} %", visible(s.verdict), counted(s.seeds, "seed"), points(*s.lower), points(*s.upper),
                       100 * *s.level);
}

void add_price(std::vector<Fact>& out, const Stopping& s) {
    if (s.coverage) {
        out.push_back({"  its price", fmt::format("about {} %", percent(*s.coverage, 1)),
                       "is what the 95 % of 'this test only' come to: seeds were added until the interval was narrow, and luck makes it narrow too soon "
                       "(simulated); the score itself is not shifted by it",
                       Tint::plain, true});
    } else if (!s.verdict.empty()) {
        out.push_back({"  its price", "99.9 %",
                       "was asked of the bounds at every look but the one after the last seed (95 %), since many looks give luck many chances; a "
                       "difference that stopped a run is on average larger than the true one",
                       Tint::plain, true});
    }
}

}  // namespace

void add_stopping(std::vector<Fact>& out, const RunHeader& header) {
    if (!header.stopping) return;
    const Stopping& s = *header.stopping;
    const std::string rule = "--stop-when " + visible(s.rule);
    if (s.decision == "stop") {
        std::string words = fmt::format("{}: {}", rule, figure_words(s));
        if (s.replies_outside > 0) {
            words += fmt::format("; {} of other seeds {} on record and in no figure here", s.replies_outside == 1 ? "1 reply" : thousands(s.replies_outside) + " replies",
                                 s.replies_outside == 1 ? "is" : "are");
        }
        const bool early = s.seeds < s.seeds_asked;
        out.push_back({early ? "stopped early" : "rule met", early ? fmt::format("{} of {} seeds", s.seeds, s.seeds_asked) : "by the last",
                       words, early ? Tint::yellow : Tint::plain, true});
    } else if (s.decision == "lifted") {
        out.push_back({"was stopped", fmt::format("after {}", counted(s.seeds, "seed")),
                       rule + ", and continued by a later command without it: every seed counts, and the intervals are those of the whole", Tint::plain, true});
        return;
    } else {
        out.push_back({"not stopped", counted(s.looks, "look"), s.looks == 0 ? rule + ": too few whole seeds for a look" : fmt::format("{}: {}", rule, figure_words(s)),
                       Tint::plain, true});
        if (s.looks == 0) return;
    }
    add_price(out, s);
}

}  // namespace assay::reports
