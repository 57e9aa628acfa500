// Maximum of a smooth function of two parameters by Newton's method with step halving.
#pragma once

#include <array>
#include <functional>

namespace assay::statistics {

using Point = std::array<double, 2>;

// Value and derivatives at a point. The value may be NaN or minus infinity outside the function's domain.
struct Surface {
    double value = 0;
    Point gradient{};
    double xx = 0;  // second derivatives
    double xy = 0;
    double yy = 0;
};

struct Maximum {
    Point at{};
    double value = 0;
    bool found = false;  // false: no point where the gradient vanishes was reached
};

[[nodiscard]] Maximum maximize(const std::function<Surface(const Point&)>& function, const Point& start);

}  // namespace assay::statistics
