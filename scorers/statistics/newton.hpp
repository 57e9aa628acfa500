// Maximum of a smooth function of two parameters by Newton's method with step halving. For the .cpp files of this folder.
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace assay::statistics {

struct Surface {
    double value = 0;
    Eigen::Vector2d gradient = Eigen::Vector2d::Zero();
    Eigen::Matrix2d hessian = Eigen::Matrix2d::Zero();
};

struct Maximum {
    Eigen::Vector2d at = Eigen::Vector2d::Zero();
    double value = 0;
    bool found = false;  // false: no point where the gradient vanishes was reached
};

// `f` gives the Surface at a point; its value may be NaN or -infinity outside its domain.
template <class F>
Maximum maximize(const F& f, Eigen::Vector2d at) {
    Surface here = f(at);
    for (int step = 0; step < 200; ++step) {
        if (!std::isfinite(here.value)) return {at, here.value, false};
        if (here.gradient.norm() <= 1e-12 * (1 + std::fabs(here.value))) return {at, here.value, true};
        // Away from the top the surface may bend the other way: then along the gradient.
        const Eigen::LDLT<Eigen::Matrix2d> downhill(-here.hessian);
        Eigen::Vector2d move = here.gradient / here.gradient.norm();
        if (downhill.info() == Eigen::Success && downhill.isPositive()) {
            const Eigen::Vector2d newton = downhill.solve(here.gradient);
            if (newton.allFinite() && newton.dot(here.gradient) > 0) move = newton;
        }
        double scale = 1;
        Surface next = f(at + move);
        while (!(next.value >= here.value) && scale > 1e-12) {
            scale /= 2;
            next = f(at + scale * move);
        }
        if (!(next.value >= here.value)) return {at, here.value, here.gradient.norm() <= 1e-8 * (1 + std::fabs(here.value))};
        at += scale * move;
        if ((scale * move).norm() <= 1e-14 * (1 + at.norm())) return {at, next.value, true};
        here = next;
    }
    return {at, here.value, false};
}

}  // namespace assay::statistics
