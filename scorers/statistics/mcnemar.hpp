// Two single runs on the same questions: McNemar's exact test on the questions that one of them alone got right
// (McNemar 1947; mid-p: Fagerland, Lydersen and Laake 2013).
#pragma once

#include <cstdint>

namespace assay::statistics {

struct McNemar {
    double p_two_sided = 1;
    double p_a_better = 1;       // one-sided: P(X >= b)
    double mid_p_two_sided = 1;  // less conservative: half of the observed count's probability
    double z = 0;                // (b - c) / sqrt(b + c); 0 where b + c is 0
    double chi_squared = 0;      // max(0, |b - c| - 1)^2 / (b + c), with continuity correction; 0 likewise
};

// b: right in a and wrong in b; c: the other way round.
[[nodiscard]] McNemar mcnemar(std::int64_t b, std::int64_t c);

}  // namespace assay::statistics
