#include "datasets/checkpoints/module_shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>
#include <optional>

namespace assay::checkpoints {
namespace {

using Shape = std::vector<std::uint64_t>;

std::uint64_t product(std::span<const std::uint64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
}

PartFault shape_fault(const Tensor& tensor, std::string what) {
    return {PartFaultKind::shape, tensor.name, fmt::format("has shape {}; {}", shape_text(tensor.shape), what)};
}

// The payload's shape in elements, without the groups of gpt-oss: [.., rows, columns].
std::optional<Shape> element_shape(const Layout& layout, const Tensor& payload) {
    Shape shape = payload.shape;
    if (layout.grouped) {
        if (shape.size() < 3 || shape.back() * 2 != layout.block_columns) return std::nullopt;
        shape.pop_back();
        shape.back() *= layout.block_columns;
    } else if (layout.fp4() && payload.dtype != Dtype::F4 && !shape.empty()) {
        shape.back() *= 2;
    }
    const std::size_t least = layout.banks ? 3 : 2;
    if (shape.size() < least || product(shape) == 0) return std::nullopt;
    return shape;
}

Shape scale_shape(const Layout& layout, Shape shape) {
    std::uint64_t& rows = shape[shape.size() - 2];
    rows = (rows + layout.block_rows - 1) / layout.block_rows;
    shape.back() = (shape.back() + layout.block_columns - 1) / layout.block_columns;
    return shape;
}

bool same_but_for_ones(Shape a, Shape b) {
    std::erase(a, 1U);
    std::erase(b, 1U);
    return a == b;
}

void check_scalar(const Tensor* tensor, std::uint64_t banks, std::vector<PartFault>& faults) {
    if (tensor == nullptr) return;
    const std::uint64_t count = product(tensor->shape);
    if (count == 1 || count == banks) return;
    faults.push_back(
        shape_fault(*tensor, banks == 1 ? "one number fits" : fmt::format("one number, or {}, fit", banks)));
}

}  // namespace

std::vector<PartFault> check_shapes(const Layout& layout, const FoundParts& found, Module& module) {
    std::vector<PartFault> faults;
    const auto shape = element_shape(layout, *found.payload);
    if (!shape) {
        faults.push_back(shape_fault(
            *found.payload, layout.grouped ? fmt::format("[.., rows, groups, {}] fits", layout.block_columns / 2)
                            : layout.banks ? "experts, rows and columns fit"
                                           : "rows and columns fit"));
        return faults;
    }
    module.columns = shape->back();
    module.rows = (*shape)[shape->size() - 2];
    module.banks = product(std::span(*shape).first(shape->size() - 2));
    if (layout.fp4() && module.columns % layout.block_columns != 0) {
        faults.push_back(shape_fault(*found.payload, fmt::format("{} columns are no whole number of blocks of {}",
                                                                 module.columns, layout.block_columns)));
        return faults;
    }
    const Shape wanted = scale_shape(layout, *shape);
    // FP8 blocks come as [rows, 1, columns, 1] and as [rows, columns].
    const bool fits = found.scale->shape == wanted ||
                      (layout.element == Element::e4m3 && same_but_for_ones(found.scale->shape, wanted));
    if (!fits)
        faults.push_back(shape_fault(*found.scale, fmt::format("{} fits the weight of {}", shape_text(wanted),
                                                               shape_text(found.payload->shape))));
    check_scalar(found.global, module.banks, faults);
    check_scalar(found.input_scale, module.banks, faults);
    return faults;
}

std::string shape_text(std::span<const std::uint64_t> shape) {
    constexpr std::size_t most = 16;  // a hostile header has millions
    if (shape.size() <= most) return fmt::format("[{}]", fmt::join(shape, ", "));
    return fmt::format("[{}, .. {} axes]", fmt::join(shape.first(most), ", "), shape.size());
}

}  // namespace assay::checkpoints
