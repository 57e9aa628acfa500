// Private to the block walk: the units of work, in the order in which they are read and merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"

namespace assay::runners {

struct WalkUnit {
    enum class Kind : std::uint8_t {
        weights,        // a pair of FP4 weights
        tensors,        // a pair of tensors
        source_alone,   // a tensor
        target_alone,   // a tensor
        target_weight,  // an FP4 weight without a partner
    };
    Kind kind{};
    std::uint32_t source = 0;  // a module, a tensor, or unused
    std::uint32_t target = 0;
    std::uint64_t bytes = 0;  // of both sides
};

// Units from `begin` to before `end`.
struct UnitRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

struct WalkPlan {
    std::vector<WalkUnit> units;            // by the source's shards and offsets; what only the target has comes last
    std::vector<std::uint32_t> unsurveyed;  // FP4 modules of the target that no unit sees scales and elements of together
    [[nodiscard]] std::uint64_t bytes() const noexcept;
    [[nodiscard]] UnitRange all() const noexcept { return {0, units.size()}; }
};

[[nodiscard]] WalkPlan plan_walk(const checkpoints::Opened& source, const checkpoints::Opened& target,
                                 const checkpoints::Pairing& pairing);

// Tensors of a module: payload, scale, and the others that it has.
[[nodiscard]] std::vector<std::uint32_t> parts_of(const checkpoints::Module& module);
// FP4 and read here.
[[nodiscard]] bool is_decoded(const checkpoints::Module& module);

}  // namespace assay::runners
