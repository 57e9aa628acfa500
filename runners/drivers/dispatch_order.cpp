#include "runners/drivers/dispatch_order.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace assay::runners {
namespace {

std::uint64_t mixed(const runs::AttemptKey& key) {
    std::uint64_t z = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.seed)) << 32) | static_cast<std::uint32_t>(key.question);
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

}  // namespace

std::vector<runs::AttemptKey> dispatch_order(const std::vector<int>& seeds, const std::vector<int>& questions) {
    std::vector<runs::AttemptKey> keys;
    keys.reserve(seeds.size() * questions.size());
    for (const int seed : seeds) {
        for (const int question : questions) keys.push_back({seed, question});
    }
    std::sort(keys.begin(), keys.end(), [](const runs::AttemptKey& a, const runs::AttemptKey& b) {
        return std::tuple(mixed(a), a) < std::tuple(mixed(b), b);
    });
    return keys;
}

std::vector<runs::AttemptKey> dispatch_order_by_seed(const std::vector<int>& seeds, const std::vector<int>& questions) {
    std::vector<runs::AttemptKey> keys;
    keys.reserve(seeds.size() * questions.size());
    for (const int seed : seeds) {
        const std::vector<runs::AttemptKey> of_seed = dispatch_order({seed}, questions);
        keys.insert(keys.end(), of_seed.begin(), of_seed.end());
    }
    return keys;
}

}  // namespace assay::runners
