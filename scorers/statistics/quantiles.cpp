#include "scorers/statistics/quantiles.hpp"

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

namespace assay::statistics {
namespace {

namespace bm = boost::math;

// Promotion to long double would make the last digits depend on the processor.
using Policy = bm::policies::policy<bm::policies::promote_double<false>>;
using Normal = bm::normal_distribution<double, Policy>;
using StudentT = bm::students_t_distribution<double, Policy>;
using ChiSquared = bm::chi_squared_distribution<double, Policy>;
using Beta = bm::beta_distribution<double, Policy>;

}  // namespace

// The tails by complement: 1 - p would lose the digits that small probabilities are made of.
double normal_quantile(double p) { return bm::quantile(Normal(), p); }
double normal_cdf(double x) { return bm::cdf(Normal(), x); }
double normal_upper(double x) { return bm::cdf(bm::complement(Normal(), x)); }
double normal_log_density(double x) { return -0.5 * x * x - 0.5 * std::log(2 * std::numbers::pi); }

double student_t_quantile(double p, double degrees) { return bm::quantile(StudentT(degrees), p); }
double student_t_upper(double t, double degrees) { return bm::cdf(bm::complement(StudentT(degrees), t)); }
double student_t_two_sided(double t, double degrees) { return 2 * student_t_upper(std::fabs(t), degrees); }

double chi_squared_upper(double x, double degrees) { return bm::cdf(bm::complement(ChiSquared(degrees), x)); }

double beta_quantile(double p, double a, double b) { return bm::quantile(Beta(a, b), p); }
double beta_quantile_upper(double q, double a, double b) { return bm::quantile(bm::complement(Beta(a, b), q)); }

double log_gamma(double x) { return bm::lgamma(x, Policy()); }
double log_beta(double a, double b) { return log_gamma(a) + log_gamma(b) - log_gamma(a + b); }
double digamma(double x) { return bm::digamma(x, Policy()); }
double trigamma(double x) { return bm::trigamma(x, Policy()); }

double two_sided_z(double level) { return bm::quantile(bm::complement(Normal(), (1 - level) / 2)); }
double two_sided_t(double level, double degrees) { return bm::quantile(bm::complement(StudentT(degrees), (1 - level) / 2)); }

}  // namespace assay::statistics
