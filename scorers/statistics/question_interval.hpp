// The headline interval: how good is the model on questions like these?
//
// Wilson's interval with an effective number of trials taken from the spread of question means, as survey
// sampling does with a design effect (Korn and Graubard 1998; Dean and Pagano 2015 for the Wilson form):
//   n_eff = p(1-p) / SE^2,  SE = sqrt(V/Q)       n* = n_eff (z / t_{Q-1})^2, at most QS
// Where all questions have the same score, and with one seed, n_eff = n* = Q: plain Wilson on the questions.
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

// The same with the share of each stratum held fixed, as a test of the same make-up would have them:
//   SE^2 = sum over strata (n_h/Q)^2 V_h/n_h,  Q - H degrees of freedom
// Strata (domains) are kinds of questions that the test has by design, not a sample of kinds. stratum[i]: label of question i.
// Absent with fewer than two strata, with one of fewer than two questions, and where no stratum varies.
[[nodiscard]] std::optional<QuestionInterval> stratified_interval(std::span<const std::int64_t> correct, std::span<const int> stratum,
                                                                  std::int64_t seeds, double level);

}  // namespace assay::statistics
