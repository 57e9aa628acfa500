// Distribution functions and quantiles, double in, double out. Probabilities strictly between 0 and 1; degrees of
// freedom and shapes above 0. Relative error below 1e-12 in the ranges that the statistics here use.
#pragma once

namespace assay::statistics {

[[nodiscard]] double normal_quantile(double p);
[[nodiscard]] double normal_cdf(double x);
[[nodiscard]] double normal_upper(double x);  // 1 - cdf, without cancellation
[[nodiscard]] double normal_log_density(double x);

[[nodiscard]] double student_t_quantile(double p, double degrees);
[[nodiscard]] double student_t_upper(double t, double degrees);
[[nodiscard]] double student_t_two_sided(double t, double degrees);  // P(|T| >= |t|)

[[nodiscard]] double chi_squared_upper(double x, double degrees);

[[nodiscard]] double beta_quantile(double p, double a, double b);
[[nodiscard]] double beta_quantile_upper(double q, double a, double b);  // the point with probability q above it
[[nodiscard]] double log_beta(double a, double b);
[[nodiscard]] double log_gamma(double x);
[[nodiscard]] double digamma(double x);
[[nodiscard]] double trigamma(double x);

// The z of a two-sided interval: normal_quantile(1 - (1 - level) / 2); and Student's t likewise.
[[nodiscard]] double two_sided_z(double level);
[[nodiscard]] double two_sided_t(double level, double degrees);

}  // namespace assay::statistics
