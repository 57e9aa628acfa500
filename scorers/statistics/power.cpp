#include "scorers/statistics/power.hpp"

#include <cmath>

#include "scorers/statistics/quantiles.hpp"

namespace assay::statistics {
namespace {

double variance_a_question(const PairedDesign& d) { return d.omega2 + d.within_a / d.seeds_a + d.within_b / d.seeds_b; }

double two_sided_sum(double alpha, double power) { return two_sided_z(1 - alpha) + normal_quantile(power); }

}  // namespace

double design_error(const PairedDesign& design) { return std::sqrt(variance_a_question(design) / design.questions); }

double detectable_difference(const PairedDesign& design, double alpha, double power) {
    return two_sided_sum(alpha, power) * design_error(design);
}

double attainable_margin(const PairedDesign& design, double alpha, double power) {
    return (normal_quantile(1 - alpha) + normal_quantile(power)) * design_error(design);
}

double attainable_equivalence_margin(const PairedDesign& design, double alpha, double power) {
    return (normal_quantile(1 - alpha) + normal_quantile((1 + power) / 2)) * design_error(design);
}

double questions_for(const PairedDesign& design, double difference, double alpha, double power) {
    const double z = two_sided_sum(alpha, power);
    return z * z * variance_a_question(design) / (difference * difference);
}

double detectable_by_discordance(double share_discordant, double questions, double alpha, double power) {
    return two_sided_sum(alpha, power) * std::sqrt(share_discordant / questions);
}

}  // namespace assay::statistics
