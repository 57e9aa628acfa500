#include "datasets/checkpoints/header_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <iterator>

#include "datasets/checkpoints/header.hpp"
#include "datasets/checkpoints/json_text.hpp"
#include "harness/error.hpp"

namespace assay::checkpoints {
std::uint64_t bytes_needed(const Tensor& tensor) noexcept {
    std::uint64_t bits = bits_of(tensor.dtype);
    for (const std::uint64_t extent : tensor.shape) bits *= extent;
    assert(bits % 8 == 0);
    return bits / 8;
}

std::string header_text(std::vector<Tensor>& tensors, const std::map<std::string, std::string>& metadata) {
    std::sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) {
        return a.dtype != b.dtype ? a.dtype > b.dtype : a.name < b.name;
    });
    std::string text(8, '\0');
    text += '{';
    const auto out = std::back_inserter(text);
    if (!metadata.empty()) {
        text += "\"__metadata__\":{";
        for (const auto& [key, value] : metadata) fmt::format_to(out, "{}:{},", json_text(key), json_text(value));
        text.back() = '}';
        text += ',';
    }
    std::uint64_t at = 0;
    for (Tensor& tensor : tensors) {
        tensor.begin = at;
        at += bytes_needed(tensor);
        tensor.end = at;
        fmt::format_to(out, "{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}},", json_text(tensor.name),
                       to_string(tensor.dtype), fmt::join(tensor.shape, ","), tensor.begin, tensor.end);
    }
    if (text.back() == ',') text.pop_back();
    text += '}';
    text.append((8 - text.size() % 8) % 8, ' ');
    const std::uint64_t length = text.size() - 8;
    if (length > largest_header)
        throw Error(fmt::format("a header of {} bytes passes the limit of {}", length, largest_header));
    for (unsigned i = 0; i < 8; ++i) text[i] = static_cast<char>(length >> (8 * i) & 255U);
    for (Tensor& tensor : tensors) {
        tensor.begin += text.size();
        tensor.end += text.size();
    }
    return text;
}

}  // namespace assay::checkpoints
