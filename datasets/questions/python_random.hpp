// PythonRandom: the generator of CPython's random.Random, output for output.
//
// Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), seeded with init_by_array over the 32-bit words of the
// seed, least significant first, as CPython's random.seed(int) does; that is not std::mt19937(seed). The same for
// every CPython from 3.2 on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace assay::questions {

class PythonRandom {
public:
    explicit PythonRandom(std::uint64_t seed);

    // getrandbits(count), count in 1..32: the upper bits of one output.
    [[nodiscard]] std::uint32_t bits(int count);

    // _randbelow(n), n >= 1: draws as many bits as n has until the value is below n. It consumes
    // outputs for n = 1 too.
    [[nodiscard]] std::uint32_t below(std::uint32_t n);

    // shuffle(items).
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }

    // sample(range(n), n), n in 0..21 (CPython goes another way above).
    [[nodiscard]] std::vector<int> sample(int n);

private:
    std::mt19937 engine_;
};

}  // namespace assay::questions
