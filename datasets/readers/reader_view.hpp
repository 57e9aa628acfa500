// ReaderView: what one reader of a quantization config would build, layer by layer.
//
// A reader does not ask by the tensors' names: servers rename modules and fuse several into one layer (q, k and v;
// gate and up; all experts of a bank), and ask their config once by the layer's name. A layer here is what is asked
// once; its parts are the modules of the checkpoint that it is loaded from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/readers/module_fact.hpp"

namespace assay::readers {

enum class ReaderId : std::uint8_t {
    compressed_tensors,  // the library, under Transformers
    modelopt,            // the library that exported the checkpoint
    vllm,
    sglang,
};

[[nodiscard]] std::string_view to_string(ReaderId reader) noexcept;
// A server that cannot load a layer does not start; a library is asked by fewer.
[[nodiscard]] bool is_server(ReaderId reader) noexcept;

struct LayerView {
    std::string name;             // as the reader calls it; empty where that is its one part's own name
    std::uint32_t parts_begin{};  // into ReaderView::parts
    std::uint32_t parts_end{};
    bool asked = true;                   // false: the reader's code for this model builds it plain whatever the config says
    bool split = false;                  // entries exclude some of its parts and not others, which the reader refuses
    Form built{};                        // as the reader would build it; plain where `split`
    std::optional<std::uint32_t> entry;  // the first entry that excludes it, into ReaderView::entries
};

// One entry of the list that leaves modules out, or of quantized_layers.
struct EntryView {
    std::string text;            // as written in the config
    std::uint64_t layers = 0;    // layers it matches, asked or not
    std::uint64_t modules = 0;   // modules of the checkpoint whose own names it matches
    bool broken = false;         // no regular expression
    bool includes = false;       // of quantized_layers: names what is quantized
    bool unread = false;         // perhaps one, in words of Python's that are not known here
};

struct ReaderView {
    ReaderId reader{};
    std::string refusal;  // why the reader takes nothing from this config; then there are no layers
    std::vector<LayerView> layers;
    std::vector<std::uint32_t> parts;  // indexes of facts
    std::vector<EntryView> entries;

    [[nodiscard]] std::span<const std::uint32_t> parts_of(const LayerView& layer) const noexcept {
        return std::span(parts).subspan(layer.parts_begin, layer.parts_end - layer.parts_begin);
    }
    [[nodiscard]] std::string_view name_of(const LayerView& layer, std::span<const ModuleFact> facts) const noexcept {
        return layer.name.empty() ? facts[parts[layer.parts_begin]].name : std::string_view(layer.name);
    }
};

// A module that a reader builds otherwise than its tensors are stored.
struct Disagreement {
    std::uint32_t layer = 0;  // into ReaderView::layers
    std::uint32_t fact = 0;
};

// Every module whose form in the checkpoint is not the one its layer is built in, and every module of a split layer,
// in the order of layers and parts. Empty where the reader sees exactly what the tensors hold. A plain module that
// the reader does not ask about agrees. Of a refused config nothing is compared: look at `refusal` first.
[[nodiscard]] std::vector<Disagreement> disagreements(const ReaderView& view, std::span<const ModuleFact> facts);

}  // namespace assay::readers
