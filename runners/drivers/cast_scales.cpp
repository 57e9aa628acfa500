#include "runners/drivers/cast_scales.hpp"

#include <algorithm>

#include "datasets/checkpoints/closed_form.hpp"
#include "runners/drivers/tensor_bytes.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;

constexpr std::uint64_t blocks_at_once = std::uint64_t{1} << 18;

// Calls take(codes, first block) for windows of a module's block scales.
template <typename Take>
void for_each_window(const Checkpoint& checkpoint, const Module& module, files::Buffer& buffer, Take take) {
    const std::uint64_t blocks = module.elements() / 32;
    for (std::uint64_t first = 0; first < blocks; first += blocks_at_once) {
        const std::uint64_t count = std::min(blocks_at_once, blocks - first);
        take(tensor_bytes(checkpoint, checkpoint.tensors[module.scale], first, count, buffer), first);
    }
}

}  // namespace

ScaleChoice CastScales::of_module(std::uint32_t module) {
    Group* group = nullptr;
    {
        const std::lock_guard lock(mutex_);
        auto& place = groups_[plan_.group_of(module)];
        if (!place) place = std::make_unique<Group>();
        group = place.get();
    }
    const std::lock_guard lock(group->mutex);
    if (!group->choice) group->choice = choose(plan_.sharers(module));
    return *group->choice;
}

ScaleChoice CastScales::choose(const std::vector<std::uint32_t>& modules) const {
    const Checkpoint& checkpoint = plan_.source().checkpoint;
    files::Buffer scales;
    CodeRange range;
    for (const std::uint32_t index : modules) {
        const Module& module = plan_.source().recognition.modules[index];
        for_each_window(checkpoint, module, scales,
                        [&](std::span<const std::byte> codes, std::uint64_t) { range.add(codes); });
    }
    if (range.fits()) return {closed_form_exponent(range), true, true};

    files::Buffer elements;
    Demand demand;
    for (const std::uint32_t index : modules) {
        const Module& module = plan_.source().recognition.modules[index];
        const Tensor& payload = checkpoint.tensors[module.payload];
        for_each_window(checkpoint, module, scales, [&](std::span<const std::byte> codes, std::uint64_t first) {
            const auto packed = tensor_bytes(checkpoint, payload, first * 16, codes.size() * 16, elements);
            for (std::size_t i = 0; i < codes.size(); ++i)
                demand.add(static_cast<std::uint8_t>(codes[i]), packed.subspan(16 * i).first<16>());
        });
    }
    return {demand.exponent(range), false, demand.least <= demand.greatest && range.greatest != e8m0_nan};
}

}  // namespace assay::runners
