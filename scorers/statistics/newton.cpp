#include "scorers/statistics/newton.hpp"

#include <Eigen/Dense>
#include <cmath>

namespace assay::statistics {
namespace {

constexpr int kSteps = 200;

using Vector = Eigen::Vector2d;

Vector gradient_of(const Surface& s) { return {s.gradient[0], s.gradient[1]}; }

// Newton's step where the surface is dome-shaped, else a step of length one uphill.
Vector direction(const Surface& s) {
    const Vector gradient = gradient_of(s);
    Eigen::Matrix2d bend;
    bend << -s.xx, -s.xy, -s.xy, -s.yy;
    const Eigen::LDLT<Eigen::Matrix2d> dome(bend);
    if (dome.info() == Eigen::Success && dome.isPositive()) {
        const Vector newton = dome.solve(gradient);
        if (newton.allFinite() && newton.dot(gradient) > 0) return newton;
    }
    return gradient / gradient.norm();
}

bool is_flat(const Surface& s, double tolerance) { return gradient_of(s).norm() <= tolerance * (1 + std::fabs(s.value)); }

}  // namespace

Maximum maximize(const std::function<Surface(const Point&)>& function, const Point& start) {
    Point at = start;
    Surface here = function(at);
    for (int step = 0; step < kSteps; ++step) {
        if (!std::isfinite(here.value)) return {at, here.value, false};
        if (is_flat(here, 1e-12)) return {at, here.value, true};
        Vector move = direction(here);
        const auto moved = [&] { return Point{at[0] + move[0], at[1] + move[1]}; };
        Surface next = function(moved());
        while (!(next.value >= here.value) && move.norm() > 1e-15) {
            move /= 2;
            next = function(moved());
        }
        if (!(next.value >= here.value)) return {at, here.value, is_flat(here, 1e-8)};
        at = moved();
        here = next;
        if (move.norm() <= 1e-14 * (1 + std::hypot(at[0], at[1]))) return {at, here.value, true};
    }
    return {at, here.value, false};
}

}  // namespace assay::statistics
