// The headline interval: how good is the model on questions like these?
//
// Wilson's interval with an effective number of trials taken from the spread of question means, as survey
// sampling does with a design effect (Korn and Graubard 1998; Dean and Pagano 2015 for the Wilson form):
//   n_eff = p(1-p) / SE^2,  SE = sqrt(V/Q)       n* = n_eff (z / t_{Q-1})^2, at most QS
// Where all questions have the same score, and with one seed, n_eff = n* = Q: plain Wilson on the questions.
#pragma once

#include <cstdint>
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

}  // namespace assay::statistics
