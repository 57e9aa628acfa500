// The headline interval: how good is the model on questions like these?
//
// Wilson's interval with an effective number of trials taken from the spread of question means, as survey
// sampling does with a design effect (Korn and Graubard 1998, with exact binomial ends; Franco, Little, Louis and Slud 2019, who
// recommend Wilson's or a uniform prior's, and find every one short where there are clusters: pmc.ncbi.nlm.nih.gov/articles/PMC6690503):
//   n_eff = p(1-p) / SE^2,  SE = sqrt(V/Q)       n* = n_eff (z / t_{Q-1})^2, at most QS
// Where all questions have the same score, and with one seed, n_eff = n* = Q: plain Wilson on the questions.
// Coverage at 95 % of 198 questions and 16 seeds, ICC 0.5, by simulation (tests/unit/scorers_statistics/coverage_test.cpp):
//   accuracy 0.60  95 %     0.93  94 to 95 %     0.98  93 %, as nearly all questions succeed and show too little of their spread
// (A design effect from the beta-binomial's ICC, fitted by maximum likelihood, would make it 93.5 %, and 92.4 for 91.5 at 0.985: too
// little to leave the plain one for.)
// Of 19 questions at 0.93 it would be 88 %: see group_interval().
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

struct QuestionInterval {
    Interval interval;
    double n_eff = 0;
    double n_used = 0;  // n*
};

// Right answers a question, each 0..seeds; two questions or more.
[[nodiscard]] QuestionInterval question_interval(std::span<const std::int64_t> correct, std::int64_t seeds, double level);

// The same for a part of the test (a domain), whose few questions say too little about their own spread: the design effect is the
// whole test's,
//   n_eff = n / r,  r = V/(p(1-p)) of `all` (1 with one seed, or where all score the same)    n* = n_eff (z / t_{Q-1})^2, at most nS
// with n the part's questions, V and p over all Q: the design effect (Kish 1965: variance over that of a simple sample of the same
// size) pooled over all parts. It assumes that seeds agree on questions of this part about as much as on the rest; what speaks for it
// here is the simulation: it holds 94 to 96 % at 95 %: 19, 86 and 93 of 198 questions, 16 seeds, accuracy 0.60, 0.93 and 0.98, ICC 0.5 (simulated likewise).
// Of the whole test it is question_interval(). `part`: one question or more; `all`: two or more, the part among them.
[[nodiscard]] QuestionInterval group_interval(std::span<const std::int64_t> part, std::span<const std::int64_t> all, std::int64_t seeds,
                                              double level);

// The same with the share of each stratum held fixed, as a test of the same make-up would have them:
//   SE^2 = sum over strata (n_h/Q)^2 V_h/n_h,  Q - H degrees of freedom
// Strata (domains) are kinds of questions that the test has by design, not a sample of kinds. stratum[i]: label of question i.
// Absent with fewer than two strata, with one of fewer than two questions, and where no stratum varies.
[[nodiscard]] std::optional<QuestionInterval> stratified_interval(std::span<const std::int64_t> correct, std::span<const int> stratum,
                                                                  std::int64_t seeds, double level);

}  // namespace assay::statistics
