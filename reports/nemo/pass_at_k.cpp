#include "reports/nemo/pass_at_k.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace assay::reports {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int widest_exact = 130;  // comb(130, 65) is the last central one below 2^127

Wide combinations(int n, int k) {
    k = std::min(k, n - k);
    Wide result = 1;
    for (int i = 1; i <= k; ++i) {
        // result * (n - k + i) / i without leaving 128 bits: i divides the product, so cancel first.
        const auto factor = static_cast<Wide>(n - k + i);
        const auto divisor = static_cast<Wide>(i);
        const Wide common = std::gcd(static_cast<std::uint64_t>(result % divisor), static_cast<std::uint64_t>(divisor));
        result = (result / common) * (factor / (divisor / common));
    }
    return result;
}

// a / b rounded to nearest, ties to even; 0 < a <= b < 2^127.
double quotient(Wide a, Wide b) {
    // Long division for 53 bits and one more; the remainder says whether anything follows.
    int exponent = 0;
    while (a < b) {
        a <<= 1;
        --exponent;
    }
    std::uint64_t digits = 0;
    for (int i = 0; i < 54; ++i) {
        digits <<= 1;
        if (a >= b) {
            digits |= 1;
            a -= b;
        }
        a <<= 1;
    }
    const bool round_bit = (digits & 1) != 0;
    digits >>= 1;
    const bool odd = (digits & 1) != 0;
    if (round_bit && (a != 0 || odd)) ++digits;
    return std::ldexp(static_cast<double>(digits), exponent - 52);
}

}  // namespace

double nemo_pass_at_k(int n, int c, int k) {
    assert(0 <= c && c <= n && 1 <= k && k <= n);
    const int wrong = n - c;
    if (wrong < k) return 1;
    if (n <= widest_exact) return 1 - quotient(combinations(wrong, k), combinations(n, k));
    double all_wrong = 1;
    for (int i = 0; i < k; ++i) all_wrong *= static_cast<double>(wrong - i) / static_cast<double>(n - i);
    return 1 - all_wrong;
}

}  // namespace assay::reports
