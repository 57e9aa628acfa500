// Question difficulty as a beta distribution: right answers a question ~ BetaBinomial(S, a, b), by maximum likelihood.
// Mean a/(a+b), ICC 1/(a+b+1); a question's own rate shrunk towards it is (c + a) / (S + a + b).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace assay::statistics {

struct BetaBinomial {
    double a = 0;
    double b = 0;
    double log_likelihood = 0;  // with the binomial coefficients

    [[nodiscard]] double mean() const { return a / (a + b); }
    [[nodiscard]] double icc() const { return 1 / (a + b + 1); }
    [[nodiscard]] double shrunk(std::int64_t correct, std::int64_t seeds) const {
        return (static_cast<double>(correct) + a) / (static_cast<double>(seeds) + a + b);
    }
};

// Each count 0..seeds, two seeds or more. Absent where the likelihood has no maximum inside: all answers right, all wrong,
// or questions that differ less than coins of one kind would.
[[nodiscard]] std::optional<BetaBinomial> fit_beta_binomial(std::span<const std::int64_t> correct, std::int64_t seeds);

}  // namespace assay::statistics
