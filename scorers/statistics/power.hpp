// The smallest difference a design could have seen, by the normal approximation (Miller 2024, arXiv 2411.00640).
#pragma once

namespace assay::statistics {

struct PairedDesign {
    double omega2 = 0;    // variance between questions of the true differences
    double within_a = 0;  // W of a and b
    double seeds_a = 1;
    double within_b = 0;
    double seeds_b = 1;
    double questions = 1;
};

[[nodiscard]] double design_error(const PairedDesign& design);  // of the difference
// Two-sided test of level alpha: found with probability `power`.
[[nodiscard]] double detectable_difference(const PairedDesign& design, double alpha, double power);
// The margin at which non-inferiority (one-sided alpha) is shown with that power where the true difference is 0.
[[nodiscard]] double attainable_margin(const PairedDesign& design, double alpha, double power);
// The same for equivalence, both sides at once.
[[nodiscard]] double attainable_equivalence_margin(const PairedDesign& design, double alpha, double power);
// Questions needed to detect `difference`, two-sided; as a real number, to be rounded up.
[[nodiscard]] double questions_for(const PairedDesign& design, double difference, double alpha, double power);

// One run each: a bound from the share of questions on which the two disagree (arXiv 2605.28873).
[[nodiscard]] double detectable_by_discordance(double share_discordant, double questions, double alpha, double power);

}  // namespace assay::statistics
