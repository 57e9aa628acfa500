// A run against published right answers a seed of the same test. Nothing is known of the questions behind such counts, so
// everything here is about this test only, by the spread of the seeds: Welch's t, or with one seed on a side the prediction
// interval of the other. Differences are run - published, as fractions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scorers/statistics/gate.hpp"
#include "scorers/statistics/interval.hpp"
#include "scorers/statistics/paired_questions.hpp"

namespace assay::statistics {

struct PublishedComparison {
    double mean_run = 0;
    double mean_published = 0;
    std::optional<double> sd_run;  // ddof 1; two seeds or more
    std::optional<double> sd_published;
    double difference = 0;
    // Absent where no side has two seeds, and where the seeds of both do not vary at all.
    std::optional<Estimate> estimate;
    std::optional<Interval> interval;  // 95 %
    std::optional<double> p_two_sided;
};

// Right answers a seed, each 0..questions; one seed or more on both sides.
[[nodiscard]] PublishedComparison compare_with_published(std::span<const std::int64_t> run, std::span<const std::int64_t> published,
                                                         std::int64_t questions);

// As gate() (limit this_test), by the estimate alone; inconclusive without one. Only more_seeds_b is looked for: of the run.
[[nodiscard]] Gate gate_published(const PublishedComparison& comparison, std::int64_t run_seeds, std::int64_t published_seeds, double margin);

}  // namespace assay::statistics
