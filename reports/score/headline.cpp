#include <fmt/format.h>

#include "reports/score/score_content.hpp"
#include "reports/terminal/numbers.hpp"

namespace assay::reports {
namespace {

std::string range(const statistics::Interval& interval) {
    return percent(interval.low, 1) + " - " + percent(interval.high, 1);
}

std::string over_questions_words(const statistics::Summary& s) {
    if (!s.pass_at_1) return "no attempt is scored";
    if (s.over_questions) {
        const std::string n = s.n_eff ? fmt::format(", n_eff {:.0f}", *s.n_eff) : "";
        return fmt::format("95 % CI {}: how good the model is on questions like these (Wilson{})",
                           range(*s.over_questions), n);
    }
    if (!s.full) {
        std::string words = "of the attempts that are scored; no intervals, pass@k or majority while attempts are without one";
        if (s.total.missing > 0) words += "; of a run that is not over it flatters, since short replies come first and are more often right";
        return words;
    }
    return "one question: no interval over questions";
}

Fact score_fact(const statistics::Summary& s) {
    const std::string name = s.seeds < 2 ? "pass@1" : fmt::format("pass@1 [avg-of-{}]", s.seeds);
    return {name, s.pass_at_1 ? percent(*s.pass_at_1) + " %" : "no score", over_questions_words(s), Tint::bold};
}

// What the interval for this test rests on.
std::string spread_words(const statistics::Summary& s) {
    if (s.within_questions) return fmt::format("normal, from the spread within questions: all {} seeds came to the same score", s.seeds);
    if (s.seed_sd == 0.0) return fmt::format("t over {} seeds, which gave the same to every question: no spread is seen, which is not to say that there is none", s.seeds);
    std::string words = fmt::format("t over {} seeds", s.seeds);
    if (s.seed_sd) words += ", sd " + percent(*s.seed_sd);
    if (s.fixed_error) words += fmt::format("; +/- {} from the spread within questions", percent(1.959963984540054 * *s.fixed_error));
    return words;
}

void add_spread(std::vector<Fact>& out, const statistics::Summary& s) {
    if (s.domains_fixed) {
        out.push_back({"domains fixed", range(s.domains_fixed->interval),
                       "the same for a test with as many questions of each domain as this one (stratified)", Tint::plain, true});
    }
    if (s.seeds == 1 && s.full) {
        out.push_back({"this test only", "-", "one seed: how far seeds spread is not known", Tint::plain, true});
    }
    if (s.this_test) {
        const double half = (s.this_test->high - s.this_test->low) / 2;
        out.push_back({"this test only", "+/- " + percent(half),
                       fmt::format("95 % CI {}: what the model averages on these very questions, asked again and again ({})", range(*s.this_test),
                                   spread_words(s)),
                       Tint::plain, true});
    }
    if (s.one_more_run) {
        out.push_back({"one more run", range(*s.one_more_run),
                       fmt::format("would you get this again? one further seed on these questions lands here 95 times in 100 ({})",
                                   s.within_questions ? "normal, from the spread within questions" : "t prediction"),
                       Tint::plain, true});
    }
}

void add_bounds(std::vector<Fact>& out, const statistics::Summary& s) {
    if (s.full || !s.bounds) return;
    const std::int64_t without = s.total.unscored + s.total.missing;
    out.push_back({"bounds", range(*s.bounds),
                   without == 1 ? std::string("were the attempt without a score wrong, or right")
                                : fmt::format("were the {} without a score all wrong, or all right", counted(without, "attempt")),
                   Tint::red, true});
}

// "seed 0 is greedy and lies +3.2 sd from the 15 sampled seeds: their mean is 92.76, sd 0.99".
std::string greedy_words(const statistics::GreedySeed& g) {
    const std::string sampled = fmt::format("the {} sampled seeds", g.sampled_seeds);
    std::string words = g.distance_sd ? fmt::format("and lies {:+.1f} sd from {}", *g.distance_sd, sampled) : fmt::format("beside {}", sampled);
    words += fmt::format(": their mean is {}, sd {}", percent(g.sampled_mean), percent(g.sampled_sd));
    if (g.prediction) words += fmt::format(" (t {:.2f}, p {})", g.prediction->t, p_value(g.prediction->p_two_sided));
    return words;
}

// Where the table is not full, or there are too few sampled seeds to speak of their spread.
void add_greedy_of_a_part(std::vector<Fact>& out, const RunHeader& header, const statistics::Summary& s) {
    if (!header.plan.sampling.greedy_seed) return;
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
    if (!greedy_score || !sampled_score) return;
    out.push_back(
        {fmt::format("seed {} is greedy", seed), percent(*greedy_score) + " %",
         fmt::format("and is averaged in; {} alone: {} %", counted(others, "sampled seed"), percent(*sampled_score)),
         Tint::plain, true});
}

// A greedy seed answers another question than the sampled ones do: say so wherever they are averaged.
void add_greedy(std::vector<Fact>& out, const RunHeader& header, const statistics::Summary& s) {
    if (!s.greedy) return add_greedy_of_a_part(out, header, s);
    const statistics::GreedySeed& g = *s.greedy;
    out.push_back({fmt::format("seed {} is greedy", g.seed), percent(g.score) + " %", greedy_words(g), Tint::plain, true});
    std::string words = fmt::format("pass@1 [avg-of-{}] of the sampled seeds alone", g.sampled_seeds);
    if (g.over_questions) words += fmt::format("; over questions like these {}", range(*g.over_questions));
    words += fmt::format(", this test only +/- {}", percent((g.this_test.high - g.this_test.low) / 2));
    out.push_back({"  without it", percent(g.sampled_mean) + " %", words, Tint::plain, true});
}

void add_whole_table(std::vector<Fact>& out, const statistics::Summary& s) {
    if (s.at_k.empty() || s.seeds < 2) return;
    const statistics::AtK& last = s.at_k.back();
    if (last.majority_at_k) {
        out.push_back({fmt::format("majority@{}", last.k), percent(*last.majority_at_k) + " %",
                       "right by the most frequent answer; a tie counts in part"});
    }
    out.push_back({fmt::format("pass@{}", last.k), percent(last.pass_at_k) + " %", "right in at least one seed"});
    out.push_back({fmt::format("pass^{}", last.k), percent(last.pass_hat_k) + " %", "right in every seed"});
}

std::string with_list(const char* words, const std::vector<int>& questions, bool with_numbers) {
    std::string text = words;
    if (!with_numbers || questions.empty()) return text;
    for (std::size_t i = 0; i < questions.size(); ++i) text += fmt::format("{}{}", i == 0 ? ": " : ", ", questions[i]);
    return text;
}

void add_questions(std::vector<Fact>& out, const statistics::Summary& s, bool with_numbers) {
    if (s.total.scored == 0) return;
    const char* const never = s.full ? "questions without a right answer in any seed" : "questions without a right answer in the seeds that are scored, if only in one";
    out.push_back({"never solved", thousands(s.never_solved), with_list(never, s.never_solved_questions, with_numbers)});
    if (s.seeds < 2) return;
    out.push_back({"unstable", thousands(s.unstable),
                   with_list("questions right in some seeds and wrong in others", s.unstable_questions, with_numbers)});
}

}  // namespace

std::vector<Fact> headline_facts(const RunHeader& header, const statistics::Summary& s, bool with_numbers) {
    std::vector<Fact> out{score_fact(s)};
    add_spread(out, s);
    add_stopping(out, header);
    add_bounds(out, s);
    add_greedy(out, header, s);
    add_whole_table(out, s);
    add_questions(out, s, with_numbers);
    add_agreement(out, s.agreement);
    return out;
}

}  // namespace assay::reports
