// Where an increasing function crosses zero.
#pragma once

namespace assay::statistics {

// Bisection in [low, high] down to neighbouring doubles; f(low) <= 0 <= f(high) is expected, otherwise the nearer end.
template <class F>
double crossing(const F& f, double low, double high) {
    for (int i = 0; i < 200; ++i) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        (f(middle) < 0 ? low : high) = middle;
    }
    return low + (high - low) / 2;
}

}  // namespace assay::statistics
