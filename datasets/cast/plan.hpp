// CastPlan: what each tensor of a cast is made of, from the headers of the source alone.
//
// A shard of the source becomes a shard of the same name, written without looking at any other but for the block scales
// that share a global scale with its own. A shard's tensors are planned when they are asked for: the whole of a large
// checkpoint would take as much memory as its headers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/cast/target_layout.hpp"
#include "datasets/checkpoints/pairing.hpp"

namespace assay::cast {

enum class Making : std::uint8_t {
    copy,         // the bytes of a tensor; `origin` is its index
    payload,      // E2M1 bytes of a module; `origin` is the module
    block_scale,  // and its scales, in E4M3
    global_scale,
    input_scale,  // 1.0
};

struct PlannedTensor {
    checkpoints::Tensor tensor;  // of the target; `shard` is that of the source, begin and end lie in the target's file
    Making making{};
    std::uint32_t origin = 0;
};

struct ShardPlan {
    std::uint32_t shard = 0;             // of the source
    std::string header;                  // the first bytes of the file
    std::vector<PlannedTensor> tensors;  // in the order of the file
    std::uint64_t bytes = 0;             // of the file
};

struct CastTotals {
    std::uint64_t tensors = 0;
    std::uint64_t total_size = 0;  // bytes of tensors
    std::uint64_t file_bytes = 0;  // headers included
    std::uint64_t modules = 0;     // weights that are cast
    std::uint64_t blocks = 0;      // 32 wide
};

class CastPlan {
public:
    // `source` must outlive the plan. Throws assay::Error, naming the first thing in the way, where the source is not whole
    // (missing shards, faults of headers, incomplete weights, two tensors of one name), where nothing in it is MXFP4, where
    // the dialect has no form for one of its layouts, and where a new name is already taken.
    CastPlan(const checkpoints::Opened& source, const CastOptions& options);

    [[nodiscard]] const checkpoints::Opened& source() const noexcept { return source_; }
    [[nodiscard]] const CastOptions& options() const noexcept { return options_; }
    // Shards of the source that are cast, in their order: those the index names.
    [[nodiscard]] const std::vector<std::uint32_t>& shards() const noexcept { return shards_; }
    // Source tensors of a shard, in the order of the file.
    [[nodiscard]] std::span<const std::uint32_t> tensors_of(std::uint32_t shard) const;
    [[nodiscard]] ShardPlan shard(std::uint32_t shard) const;
    [[nodiscard]] CastTotals totals() const;

    // Modules that share a global scale with a module, itself included; indexes into the source's. One list for all of them.
    [[nodiscard]] const std::vector<std::uint32_t>& sharers(std::uint32_t module) const;
    [[nodiscard]] std::uint32_t group_of(std::uint32_t module) const { return group_of_[module]; }
    [[nodiscard]] std::size_t groups() const noexcept { return groups_.size(); }
    [[nodiscard]] bool is_cast(std::uint32_t module) const { return group_of_[module] != none; }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    enum class Role : std::uint8_t { plain, payload, scale };
    struct Owner {
        std::uint32_t module = none;
        Role role = Role::plain;
    };

    void group_modules();
    void check_names() const;

    const checkpoints::Opened& source_;
    CastOptions options_;
    std::vector<std::uint32_t> shards_;
    std::vector<Owner> owners_;                    // by tensor
    std::vector<std::uint32_t> tensors_;           // by shard and place
    std::vector<std::uint32_t> first_of_shard_;    // into tensors_; one more than shards
    std::vector<std::uint32_t> group_of_;          // by module
    std::vector<std::vector<std::uint32_t>> groups_;
};

// Throws assay::Error where a checkpoint is not whole.
void require_whole(const checkpoints::Opened& opened);

}  // namespace assay::cast
