#include "tests/support/checkpoints/checkpoint_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace assay::support {

namespace fs = std::filesystem;

StoredTensor& CheckpointFiles::tensor(const std::string& name) {
    for (auto& [file, tensors] : shards) {
        for (StoredTensor& tensor : tensors) {
            if (tensor.name == name) return tensor;
        }
    }
    throw std::out_of_range("no tensor " + name);
}

void CheckpointFiles::remove(const std::string& name) {
    for (auto& [file, tensors] : shards) {
        if (std::erase_if(tensors, [&](const StoredTensor& tensor) { return tensor.name == name; }) != 0) return;
    }
    throw std::out_of_range("no tensor " + name);
}

std::uint64_t total_size(const CheckpointFiles& files) {
    std::uint64_t total = 0;
    for (const auto& [file, tensors] : files.shards) {
        for (const StoredTensor& tensor : tensors) total += tensor.bytes.size();
    }
    return total;
}

std::string index_json(const CheckpointFiles& files) {
    std::vector<std::string> entries;
    for (const auto& [file, tensors] : files.shards) {
        for (const StoredTensor& tensor : tensors)
            entries.push_back(fmt::format("    \"{}\": \"{}\"", tensor.name, file));
    }
    return fmt::format("{{\n  \"metadata\": {{\n    \"total_size\": {}\n  }},\n  \"weight_map\": {{\n{}\n  }}\n}}\n",
                       total_size(files), fmt::join(entries, ",\n"));
}

CheckpointFolder::CheckpointFolder() {
    std::string name = (fs::temp_directory_path() / "assay_checkpoint_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
    folder_ = name;
}

CheckpointFolder::CheckpointFolder(const CheckpointFiles& files) : CheckpointFolder() {
    for (const auto& [file, tensors] : files.shards) write(file, safetensors_file(tensors));
    for (const auto& [file, text] : files.others) write(file, text);
    if (files.with_index) write("model.safetensors.index.json", index_json(files));
}

CheckpointFolder::~CheckpointFolder() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void CheckpointFolder::write(const std::string& name, const std::string& bytes) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path(name));
}

std::string CheckpointFolder::read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace assay::support
