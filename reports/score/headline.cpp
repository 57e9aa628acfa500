#include <fmt/format.h>

#include "reports/score/sections.hpp"
#include "reports/terminal/fact.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/wrap.hpp"

namespace assay::reports::sections {
namespace {

std::string range(const statistics::Interval& interval) {
    return percent(interval.low, 1) + " - " + percent(interval.high, 1);
}

std::string score_name(const statistics::Summary& s) {
    return s.seeds < 2 ? "pass@1" : fmt::format("pass@1 [avg-of-{}]", s.seeds);
}

std::string over_questions_words(const statistics::Summary& s) {
    if (s.over_questions) {
        const std::string n = s.n_eff ? fmt::format(", n_eff {:.0f}", *s.n_eff) : "";
        return fmt::format("95 % CI {}: how good the model is on questions like these (Wilson{})",
                           range(*s.over_questions), n);
    }
    if (!s.full) return "of the attempts that are scored; no intervals while attempts are without a score";
    return "one question: no interval over questions";
}

std::string spread(const statistics::Summary& s, const Look& look) {
    if (s.seeds == 1 && s.full) return fact("  this test only", "-", "one seed: how far seeds spread is not known", look);
    std::string out;
    if (s.this_test) {
        const double half = (s.this_test->high - s.this_test->low) / 2;
        const std::string sd = s.seed_sd ? ", sd " + percent(*s.seed_sd) : "";
        out += fact("  this test only", "+/- " + percent(half),
                    fmt::format("95 % CI {}: what the model averages on these very questions (t over {} seeds{})",
                                range(*s.this_test), s.seeds, sd),
                    look);
    }
    if (s.one_more_run) {
        out += fact("  one more run", range(*s.one_more_run),
                    "where one further seed on these questions would land, 95 % (t prediction)", look);
    }
    return out;
}

std::string bounds(const statistics::Summary& s, const Look& look) {
    if (s.full || !s.bounds) return "";
    return fact("  bounds", range(*s.bounds),
                fmt::format("were the {} without a score all wrong, or all right",
                            counted(s.total.unscored + s.total.missing, "attempt")),
                look, Tint::red);
}

// A greedy seed answers another question than the sampled ones do: say so wherever they are averaged.
std::string greedy(const RunHeader& header, const statistics::Summary& s, const Look& look) {
    if (!header.plan.sampling.greedy_seed) return "";
    const int seed = *header.plan.sampling.greedy_seed;
    std::optional<double> greedy_score;
    statistics::Counts sampled;
    int others = 0;
    for (const statistics::SeedRow& row : s.per_seed) {
        if (row.seed == seed) {
            greedy_score = row.counts.score();
        } else {
            sampled.scored += row.counts.scored;
            sampled.correct += row.counts.correct;
            others += 1;
        }
    }
    const std::optional<double> sampled_score = sampled.score();
    if (!greedy_score || !sampled_score) return "";
    return fact(fmt::format("  seed {} is greedy", seed), percent(*greedy_score) + " %",
                fmt::format("and is averaged in; {} alone: {} %", counted(others, "sampled seed"), percent(*sampled_score)), look);
}

std::string whole_table(const statistics::Summary& s, const Look& look) {
    if (s.at_k.empty() || s.seeds < 2) return "";
    const statistics::AtK& last = s.at_k.back();
    std::string out;
    if (last.majority_at_k) {
        out += fact(fmt::format("majority@{}", last.k), percent(*last.majority_at_k) + " %",
                    "right by the most frequent answer; a tie counts in part", look);
    }
    out += fact(fmt::format("pass@{}", last.k), percent(last.pass_at_k) + " %", "right in at least one seed", look);
    return out;
}

std::string numbers_of(const std::vector<int>& questions) {
    std::string text;
    for (const int question : questions) text += (text.empty() ? "" : ", ") + fmt::format("{}", question);
    return text;
}

}  // namespace

std::string headline(const RunHeader& header, const statistics::Summary& s, const Look& look) {
    std::string out;
    if (s.pass_at_1) {
        out += fact(score_name(s), percent(*s.pass_at_1) + " %", over_questions_words(s), look, Tint::bold);
    } else {
        out += fact(score_name(s), "no score", "no attempt is scored", look, Tint::bold);
    }
    return out + spread(s, look) + bounds(s, look) + greedy(header, s, look) + whole_table(s, look);
}

std::string questions(const statistics::Summary& s, const Look& look, bool with_numbers) {
    if (s.total.scored == 0) return "";
    std::string out = fact("never solved", thousands(s.never_solved), "questions without a right answer in any seed", look);
    if (with_numbers && s.never_solved > 0) out += wrapped("    ", numbers_of(s.never_solved_questions), look.width, 4);
    if (s.seeds < 2) return out;
    out += fact("unstable", thousands(s.unstable), "questions right in some seeds and wrong in others", look);
    if (with_numbers && s.unstable > 0) out += wrapped("    ", numbers_of(s.unstable_questions), look.width, 4);
    return out;
}

}  // namespace assay::reports::sections
