#include "tests/support/checkpoints/stored_tensor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace assay::support {

StoredTensor bytes_tensor(std::string name, Dtype dtype, std::vector<std::uint64_t> shape,
                          std::vector<std::uint8_t> bytes) {
    return {std::move(name), dtype, std::move(shape), std::move(bytes)};
}

StoredTensor f32_tensor(std::string name, std::vector<std::uint64_t> shape, const std::vector<float>& values) {
    std::vector<std::uint8_t> bytes(values.size() * 4);
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return {std::move(name), Dtype::F32, std::move(shape), std::move(bytes)};
}

StoredTensor counted_tensor(std::string name, Dtype dtype, std::vector<std::uint64_t> shape, std::uint8_t first) {
    StoredTensor tensor{std::move(name), dtype, std::move(shape), {}};
    tensor.bytes.resize(bytes_needed(tensor));
    for (std::uint8_t& byte : tensor.bytes) byte = first++;
    return tensor;
}

std::uint64_t bytes_needed(const StoredTensor& tensor) {
    std::uint64_t bits = checkpoints::bits_of(tensor.dtype);
    for (const std::uint64_t extent : tensor.shape) bits *= extent;
    return bits / 8;
}

std::string header_json(std::vector<StoredTensor>& tensors, const std::map<std::string, std::string>& metadata) {
    std::sort(tensors.begin(), tensors.end(), [](const StoredTensor& a, const StoredTensor& b) {
        return a.dtype != b.dtype ? a.dtype > b.dtype : a.name < b.name;
    });
    std::vector<std::string> entries;
    if (!metadata.empty()) {
        std::vector<std::string> pairs;
        for (const auto& [key, value] : metadata) pairs.push_back(fmt::format("\"{}\":\"{}\"", key, value));
        entries.push_back(fmt::format("\"__metadata__\":{{{}}}", fmt::join(pairs, ",")));
    }
    std::uint64_t at = 0;
    for (const StoredTensor& tensor : tensors) {
        entries.push_back(fmt::format("\"{}\":{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                                      tensor.name, checkpoints::to_string(tensor.dtype), fmt::join(tensor.shape, ","),
                                      at, at + bytes_needed(tensor)));
        at += bytes_needed(tensor);
    }
    std::string json = fmt::format("{{{}}}", fmt::join(entries, ","));
    while (json.size() % 8 != 0) json += ' ';
    return json;
}

std::string file_with_header(const std::string& json, std::size_t data_bytes) {
    std::string file;
    for (unsigned i = 0; i < 8; ++i) file += static_cast<char>(json.size() >> (8 * i) & 255U);
    file += json;
    file.append(data_bytes, '\0');
    return file;
}

std::string safetensors_file(std::vector<StoredTensor> tensors, const std::map<std::string, std::string>& metadata) {
    std::string file = file_with_header(header_json(tensors, metadata), 0);
    for (const StoredTensor& tensor : tensors)
        file.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
    return file;
}

}  // namespace assay::support
