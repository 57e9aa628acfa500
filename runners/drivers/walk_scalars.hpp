// The small values that rules ask for, read from a checkpoint.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/checkpoints/pairing.hpp"
#include "harness/cancel.hpp"
#include "scorers/rules/rule.hpp"

namespace assay::runners {

struct WalkProgress {
    std::atomic<std::uint64_t> bytes_total{0};  // of both sides
    std::atomic<std::uint64_t> bytes_done{0};
    std::atomic<std::uint64_t> bytes_before{0};  // of bytes_done: read by an earlier process
};

// Which tensors hold such values, and where in ScalarFacts they go.
class ScalarRoles {
public:
    explicit ScalarRoles(const checkpoints::Opened& opened);

    [[nodiscard]] bool wanted(std::uint32_t tensor) const noexcept { return roles_[tensor].kind != Kind::none; }
    // No values yet, and an empty survey a module.
    [[nodiscard]] rules::ScalarFacts empty_facts() const;
    // Values of a tensor that is wanted.
    void put(std::uint32_t tensor, std::vector<float> values, rules::ScalarFacts& facts) const;

private:
    enum class Kind : std::uint8_t { none, global, input_scale, a_log };
    struct Role {
        Kind kind = Kind::none;
        std::uint32_t module = 0;
    };
    std::vector<Role> roles_;  // by tensor
    std::size_t modules_ = 0;
};

// Little-endian F32 elements.
[[nodiscard]] std::vector<float> floats_of(std::span<const std::byte> bytes);

// Global and input scales and A_log. `surveys` has one empty survey a module.
[[nodiscard]] rules::ScalarFacts read_scalars(const checkpoints::Opened& opened);

// Surveys the block scales of every FP4 weight, on several threads: reads all scales, and of the packed elements those
// windows of a weight that hold a scale of code 0. What is not `whole` afterwards could not be read, or was cancelled.
// Of `progress`, where given, the total is set to the bytes of the scales.
void survey_scales(const checkpoints::Opened& opened, unsigned threads, const Cancel* cancel, rules::ScalarFacts& facts,
                   WalkProgress* progress = nullptr);

// The same for some modules, given by their indexes; they count towards no progress.
void survey_scales_of(const checkpoints::Opened& opened, std::span<const std::uint32_t> modules, unsigned threads,
                      const Cancel* cancel, rules::ScalarFacts& facts, WalkProgress* progress = nullptr);

}  // namespace assay::runners
