#include <fmt/format.h>

#include "reports/compare/compare_parts.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports {

std::string greedy_text(const GreedyReport& report, const Look& look) {
    const statistics::GreedySeed& g = report.greedy;
    std::string out = simulated_line(!report.run.plan.simulated.empty(), look);
    out += wrapped("", fmt::format("{}   greedy seed {} against {}, {}", visible(report.run.run), g.seed, counted(g.sampled_seeds, "sampled seed"),
                                   counted(report.questions, "question")), look.width, 4) + "\n";
    std::vector<Fact> facts;
    facts.push_back({"greedy", percent(g.score) + " %", fmt::format("{} of {} right", thousands(g.correct), thousands(report.questions)), Tint::bold});
    facts.push_back({"sampled", percent(g.sampled_mean) + " %", fmt::format("mean of the sampled seeds, sd {}", percent(g.sampled_sd)), Tint::bold});
    std::string words = "no spread among the sampled seeds";
    if (g.distance_sd) words = fmt::format("the greedy seed lies {:+.1f} sd from the sampled mean", *g.distance_sd);
    facts.push_back({"difference", points(g.score - g.sampled_mean) + " points", words});
    facts.push_back({"expected", fmt::format("{} - {}", percent(g.expected.low, 1), percent(g.expected.high, 1)),
                     "where one more sampled seed would land, 95 % (t prediction)", Tint::plain, true});
    if (g.prediction) {
        facts.push_back({"prediction test", "p " + p_value(g.prediction->p_two_sided),
                         fmt::format("t {:.2f} with {} degrees of freedom: could it be one more sampled seed", g.prediction->t, g.prediction->degrees)});
        facts.push_back({"rank", "p " + p_value(g.prediction->rank_p_two_sided),
                         fmt::format("its place among all {} seeds; cannot fall below {}", g.sampled_seeds + 1, p_value(1.0 / (g.sampled_seeds + 1)))});
    }
    const statistics::WithinQuestionTest& w = g.within_questions;
    facts.push_back({"within questions", "p " + p_value(w.p_two_sided),
                     fmt::format("exact: {} right, {:.1f} expected were it one of the {} seeds by chance, question by question", thousands(w.observed),
                                 w.mean, g.sampled_seeds + 1)});
    std::vector<std::string> notes{"greedy and sampled answers estimate different things: that they differ is no fault"};
    notes.insert(notes.end(), report.notes.begin(), report.notes.end());
    return out + facts_and_notes(facts, notes, look);
}

}  // namespace assay::reports
