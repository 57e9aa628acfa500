#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "datasets/checkpoints/header_json.hpp"

namespace assay::checkpoints {
namespace {

using Kind = HeaderFaultKind;

std::string bytes_text(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

// Bits that shape and dtype need, or nothing where they pass 2^64.
std::optional<std::uint64_t> bits_needed(const Tensor& tensor) {
    std::uint64_t product = bits_of(tensor.dtype);
    // A zero anywhere makes the product zero only after the other factors were multiplied, as the reference reader does.
    for (const std::uint64_t extent : tensor.shape) {
        if (__builtin_mul_overflow(product, extent, &product)) return std::nullopt;
    }
    return product;
}

void check_size(Header& header, const Tensor& tensor) {
    if (tensor.end < tensor.begin) {
        add_fault(header,
                  {Kind::reversed_offsets,
                   fmt::format("tensor '{}' ends at {}, before it begins at {}", tensor.name, tensor.end, tensor.begin),
                   tensor.name,
                   {},
                   tensor.begin,
                   tensor.begin,
                   tensor.end});
        return;
    }
    const auto bits = bits_needed(tensor);
    if (!bits) {
        add_fault(header, {Kind::shape_overflow,
                           fmt::format("the shape of tensor '{}' multiplies to more than 2^64 bits", tensor.name),
                           tensor.name,
                           {},
                           tensor.begin,
                           0,
                           0});
    } else if (*bits % 8 != 0) {
        add_fault(header, {Kind::misaligned_bits,
                           fmt::format("tensor '{}' of {} takes {} bits, which is no whole number of bytes",
                                       tensor.name, to_string(tensor.dtype), *bits),
                           tensor.name,
                           {},
                           tensor.begin,
                           0,
                           *bits});
    } else if (*bits / 8 != tensor.bytes()) {
        add_fault(header, {Kind::size_mismatch,
        fmt::format("tensor '{}' has {} between its offsets, but its shape and dtype need {}",
                                       tensor.name, bytes_text(tensor.bytes()), *bits / 8),
                           tensor.name,
                           {},
                           tensor.begin,
                           *bits / 8,
                           tensor.bytes()});
    }
}

bool before(const Tensor& a, const Tensor& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
}

// Holes and overlaps, on tensors in the order of their offsets. Compared with the tensor that reaches farthest, so
// that one long tensor over many short ones is named with each.
void check_coverage(Header& header, std::uint64_t data_begin, bool all_placed) {
    std::vector<std::uint32_t> order(header.tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return before(header.tensors[a], header.tensors[b]); });
    std::uint64_t reached = data_begin;
    const Tensor* farthest = nullptr;
    for (const std::uint32_t index : order) {
        const Tensor& tensor = header.tensors[index];
        const std::string other = farthest == nullptr ? std::string{} : farthest->name;
        if (tensor.end < tensor.begin) continue;  // named already
        if (tensor.begin > reached && all_placed) {
            add_fault(header, {Kind::hole,
                               fmt::format("{} at {} belong{} to no tensor: before '{}', after {}",
                                           bytes_text(tensor.begin - reached), reached,
                                           tensor.begin - reached == 1 ? "s" : "", tensor.name,
                                           farthest == nullptr ? "the header" : fmt::format("'{}'", other)),
                               tensor.name, other, reached, reached, tensor.begin});
        } else if (tensor.begin < reached && tensor.end > tensor.begin) {
            add_fault(header, {Kind::overlap,
                               fmt::format("tensors '{}' and '{}' share {} at {}", other, tensor.name,
                                           bytes_text(std::min(reached, tensor.end) - tensor.begin), tensor.begin),
                               tensor.name, other, tensor.begin, reached, tensor.begin});
        } else if (tensor.begin < reached) {
            add_fault(header,
                      {Kind::overlap,
                       fmt::format("the empty tensor '{}' lies inside '{}', at {}", tensor.name, other, tensor.begin),
                       tensor.name, other, tensor.begin, reached, tensor.begin});
        }
        if (tensor.end >= reached) {
            reached = tensor.end;
            farthest = &tensor;
        }
    }
}

void check_end(Header& header, std::uint64_t data_begin, std::uint64_t file_size, bool all_placed) {
    std::uint64_t end = data_begin;
    const Tensor* last = nullptr;
    for (const Tensor& tensor : header.tensors) {
        if (tensor.end < tensor.begin || tensor.end < end) continue;
        end = tensor.end;
        last = &tensor;
    }
    const std::string name = last == nullptr ? std::string{} : last->name;
    if (file_size < end) {
        add_fault(header, {Kind::truncated,
                           fmt::format("the file has {}, but its header needs {}: {} {} missing", bytes_text(file_size),
                                       end, end - file_size, end - file_size == 1 ? "is" : "are"),
                           name,
                           {},
                           file_size,
                           end,
                           file_size});
    } else if (file_size > end && all_placed) {
        add_fault(header, {Kind::trailing_bytes,
                           fmt::format("{} follow{} the last tensor, at {}", bytes_text(file_size - end),
                                       file_size - end == 1 ? "s" : "", end),
                           name,
                           {},
                           end,
                           end,
                           file_size});
    }
}

void drop_duplicates(Header& header) {
    // Sorting indexes by name keeps the file order among equals: the last one is what readers see.
    std::vector<std::uint32_t> order(header.tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto& tensors = header.tensors;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int names = tensors[a].name.compare(tensors[b].name);
        return names != 0 ? names < 0 : a < b;
    });
    std::vector<bool> hidden(tensors.size(), false);
    bool any = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const Tensor& first = tensors[order[i - 1]];
        const Tensor& second = tensors[order[i]];
        if (first.name != second.name) continue;
        hidden[order[i - 1]] = any = true;
        add_fault(
            header,
            {Kind::duplicate_key,
             fmt::format(
                 "tensor '{}' stands in the header twice: data_offsets [{}, {}] and [{}, {}]; readers keep the last",
                 first.name, first.begin, first.end, second.begin, second.end),
             first.name, second.name, 8, 0, 0});
    }
    if (!any) return;
    std::vector<Tensor> kept;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (!hidden[i]) kept.push_back(std::move(header.tensors[i]));
    }
    header.tensors = std::move(kept);
}

}  // namespace

void check_tensors(Header& header, std::uint64_t data_begin, std::uint64_t file_size) {
    // Offsets that would pass 2^64 once moved are pinned to its end: they are far beyond any file.
    for (Tensor& tensor : header.tensors) {
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        tensor.begin = tensor.begin > most - data_begin ? most : tensor.begin + data_begin;
        tensor.end = tensor.end > most - data_begin ? most : tensor.end + data_begin;
        check_size(header, tensor);
    }
    const bool all_placed = header.unread_entries == 0 &&
                            std::all_of(header.tensors.begin(), header.tensors.end(),
                                        [](const Tensor& tensor) { return tensor.begin <= tensor.end; });
    check_coverage(header, data_begin, all_placed);
    check_end(header, data_begin, file_size, all_placed);
    drop_duplicates(header);
    std::sort(header.tensors.begin(), header.tensors.end(), before);
    // Nothing later may compute a negative length.
    for (Tensor& tensor : header.tensors) tensor.end = std::max(tensor.begin, tensor.end);
}

}  // namespace assay::checkpoints
