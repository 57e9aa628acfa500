// What a run's seeds say of this test: the interval for the average over seeds, and where one more seed would land.
//
// t over the seeds' scores (seed_spread.hpp). Where all seeds came to the same score though questions were right in some and wrong in
// others, that interval has no width, by luck alone (few questions make it likely). Then both are normal, from the variance within
// questions: mean +/- z sqrt(W/(QS)) and mean +/- z sqrt(W/Q (1 + 1/S)) (question_variance.hpp). Where no question varied either,
// nothing is to be seen, and both have no width.
#pragma once

#include <cstdint>
#include <span>

#include "scorers/statistics/interval.hpp"

namespace assay::statistics {

struct SeedIntervals {
    double mean = 0;
    double sd = 0;           // of the seeds' scores, ddof 1
    double se = 0;           // sd / sqrt(S)
    double fixed_error = 0;  // sqrt(W / (Q S)): the same error, from the spread within questions
    bool within_questions = false;  // where the seeds do not differ and questions do: the intervals are the normal ones
    Interval this_test;      // not cut
    Interval one_more_run;   // not cut
};

// Right answers by seed, two or more, and by question, one or more, of the same full table.
[[nodiscard]] SeedIntervals seed_intervals(std::span<const std::int64_t> by_seed, std::span<const std::int64_t> by_question, double level);

}  // namespace assay::statistics
