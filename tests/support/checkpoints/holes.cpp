#include "tests/support/checkpoints/holes.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>

namespace assay::support {

std::uint64_t write_holes(const std::string& path, std::uint64_t tensors) {
    std::string header = "{";
    for (std::uint64_t i = 0; i < tensors; ++i) {
        header += fmt::format(R"({}"{}":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}})", i == 0 ? "" : ",", 100'000 + i, hole_bytes,
                              i * hole_bytes, (i + 1) * hole_bytes);
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::array<char, 8> size{};
    for (std::size_t i = 0; i < size.size(); ++i) size[i] = static_cast<char>(header.size() >> 8 * i & 0xff);
    std::ofstream(path, std::ios::binary).write(size.data(), size.size()) << header;
    const std::uint64_t data = size.size() + header.size();
    std::filesystem::resize_file(path, data + tensors * hole_bytes);
    return data;
}

}  // namespace assay::support
