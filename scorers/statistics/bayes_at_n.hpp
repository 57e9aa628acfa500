// Bayes@N (Hariri et al. 2025, arXiv 2510.04265): the posterior mean and sd of the score on these questions under a beta
// prior a question. With the uniform prior it ranks as avg@N does, but pulls a high score down by points; never a headline.
#pragma once

#include <cstdint>
#include <span>

namespace assay::statistics {

struct BayesAtN {
    double mean = 0;
    double sd = 0;
};
// Prior Beta(prior, prior): 1 is uniform, 0.5 Jeffreys'. Each count 0..n.
[[nodiscard]] BayesAtN bayes_at_n(std::span<const std::int64_t> correct, std::int64_t n, double prior);

}  // namespace assay::statistics
