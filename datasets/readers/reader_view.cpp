#include "datasets/readers/reader_view.hpp"

#include <array>

namespace assay::readers {

std::string_view to_string(ReaderId reader) noexcept {
    static constexpr std::array<std::string_view, 4> names{"compressed-tensors", "ModelOpt", "vLLM", "SGLang"};
    return names[static_cast<std::size_t>(reader)];
}

bool is_server(ReaderId reader) noexcept { return reader == ReaderId::vllm || reader == ReaderId::sglang; }

std::vector<Disagreement> disagreements(const ReaderView& view, std::span<const ModuleFact> facts) {
    std::vector<Disagreement> found;
    for (std::uint32_t i = 0; i < view.layers.size(); ++i) {
        const LayerView& layer = view.layers[i];
        for (const std::uint32_t part : view.parts_of(layer)) {
            if (layer.split || facts[part].form != layer.built) found.push_back({i, part});
        }
    }
    return found;
}

}  // namespace assay::readers
