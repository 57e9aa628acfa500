#include "datasets/questions/python_random.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

namespace assay::questions {
namespace {

// A seed sequence in the standard library's sense: what it generates becomes the state of the engine as it is.
class InitByArray {
public:
    using result_type = std::uint32_t;

    explicit InitByArray(std::uint64_t seed) : key_{static_cast<std::uint32_t>(seed)} {
        if (seed >> 32 != 0) key_.push_back(static_cast<std::uint32_t>(seed >> 32));
    }

    template <class Iterator>
    void generate(Iterator first, Iterator last) const {
        const auto size = static_cast<std::size_t>(std::distance(first, last));
        std::vector<std::uint32_t> state(size);
        state[0] = 19650218;
        for (std::size_t i = 1; i < size; ++i) {
            state[i] = 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
        }
        std::size_t i = 1;
        const auto step = [&](std::uint32_t factor, std::uint32_t addend) {
            state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * factor)) + addend;
            if (++i == size) {
                state[0] = state[size - 1];
                i = 1;
            }
        };
        for (std::size_t k = 0; k < std::max(size, key_.size()); ++k) {
            const std::size_t j = k % key_.size();
            step(1664525U, key_[j] + static_cast<std::uint32_t>(j));
        }
        for (std::size_t k = 1; k < size; ++k) step(1566083941U, 0U - static_cast<std::uint32_t>(i));
        state[0] = 0x80000000U;
        std::copy(state.begin(), state.end(), first);
    }

private:
    std::vector<std::uint32_t> key_;
};

std::mt19937 engine_of(std::uint64_t seed) {
    InitByArray sequence(seed);
    return std::mt19937(sequence);
}

}  // namespace

PythonRandom::PythonRandom(std::uint64_t seed) : engine_(engine_of(seed)) {}

std::uint32_t PythonRandom::bits(int count) {
    assert(count >= 1 && count <= 32);
    return static_cast<std::uint32_t>(engine_()) >> (32 - count);
}

std::uint32_t PythonRandom::below(std::uint32_t n) {
    assert(n >= 1);
    const int count = static_cast<int>(std::bit_width(n));
    std::uint32_t value = bits(count);
    while (value >= n) value = bits(count);
    return value;
}

std::vector<int> PythonRandom::sample(int n) {
    assert(n >= 0 && n <= 21);
    std::vector<int> pool;
    for (int i = 0; i < n; ++i) pool.push_back(i);
    std::vector<int> chosen;
    for (int left = n; left > 0; --left) {
        int& drawn = pool[below(static_cast<std::uint32_t>(left))];
        chosen.push_back(drawn);
        drawn = pool[static_cast<std::size_t>(left) - 1];
    }
    return chosen;
}

}  // namespace assay::questions
