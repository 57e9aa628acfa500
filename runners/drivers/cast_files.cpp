#include "runners/drivers/cast_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "datasets/checkpoints/json_text.hpp"
#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/byte_reader.hpp"
#include "harness/files/folder.hpp"

namespace assay::runners {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t carried_at_once = std::uint64_t{1} << 20;

bool is_weights(const std::string& name) {
    constexpr std::array<std::string_view, 6> endings{".safetensors", ".gguf", ".bin", ".pt", ".pth", ".onnx"};
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

// Written by a cast itself, under the same name.
bool is_replaced(const std::string& relative) {
    return relative == "config.json" || relative == "hf_quant_config.json" || relative == "assay-cast.json" ||
           relative.ends_with(".safetensors.index.json");
}

bool is_hidden_folder(const std::string& name) { return name == ".git" || name == ".cache" || name == ".assay-cast"; }

}  // namespace

CarriedFiles carried_files(const checkpoints::Checkpoint& source) {
    CarriedFiles files;
    std::error_code trouble;
    const fs::path root(source.folder);
    for (fs::recursive_directory_iterator it(root, trouble), end; !trouble && it != end; it.increment(trouble)) {
        const std::string name = it->path().filename().string();
        if (it->is_directory()) {
            if (is_hidden_folder(name) || name == originals_folder) it.disable_recursion_pending();
            continue;
        }
        if (!it->is_regular_file()) continue;
        const std::string relative = it->path().lexically_relative(root).string();
        const bool shard = std::any_of(source.shards.begin(), source.shards.end(), [&](const checkpoints::Shard& one) {
            return one.indexed && one.file == relative;
        });
        if (shard || is_replaced(relative)) continue;
        (is_weights(name) ? files.left_out : files.carried).push_back(relative);
    }
    if (trouble) throw Error(fmt::format("cannot list {}: {}", source.folder, trouble.message()));
    std::sort(files.carried.begin(), files.carried.end());
    std::sort(files.left_out.begin(), files.left_out.end());
    return files;
}

void carry_files(const std::string& source, const std::string& target, const std::vector<std::string>& files) {
    files::Buffer buffer;
    for (const std::string& relative : files) {
        const auto from = files::open_for_reading(source + "/" + relative);
        const std::string path = target + "/" + relative;
        files::create_folder(files::folder_of(path));
        files::AtomicFile to(path);
        for (std::uint64_t at = 0; at < from->size(); at += carried_at_once) {
            const files::View view =
                from->view(at, static_cast<std::size_t>(std::min(carried_at_once, from->size() - at)), buffer);
            if (!view.whole()) throw Error(fmt::format("cannot read {}: {}", from->path(), view.fault));
            to.write({reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size()});
        }
        to.commit();
    }
}

void write_index(const std::string& path, const std::vector<checkpoints::Tensor>& tensors,
                 const std::vector<checkpoints::Shard>& shards, std::uint64_t total_size) {
    files::AtomicFile file(path);
    std::string text = fmt::format("{{\n  \"metadata\": {{\n    \"total_size\": {}\n  }},\n  \"weight_map\": {{", total_size);
    std::vector<std::string> names;
    for (const checkpoints::Shard& shard : shards) names.push_back(checkpoints::json_text(shard.file));
    bool first = true;
    for (const checkpoints::Tensor& tensor : tensors) {
        fmt::format_to(std::back_inserter(text), "{}\n    {}: {}", first ? "" : ",", checkpoints::json_text(tensor.name),
                       names[tensor.shard]);
        first = false;
        if (text.size() < 64U << 10) continue;
        file.write(text);
        text.clear();
    }
    text += "\n  }\n}\n";
    file.write(text);
    file.commit();
}

}  // namespace assay::runners
