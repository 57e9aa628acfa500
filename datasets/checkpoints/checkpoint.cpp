#include "datasets/checkpoints/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>

#include "datasets/checkpoints/header.hpp"
#include "harness/error.hpp"
#include "harness/files/open_error.hpp"
#include "harness/files/path_trouble.hpp"

namespace assay::checkpoints {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_text_file = std::uint64_t{1} << 30;

std::string read_text(const fs::path& path) {
    const auto file = files::open_for_reading(path.string());
    if (file->size() > largest_text_file)
        throw Error(fmt::format("{} has {} bytes; more than 1 GiB of JSON is not read", path.string(), file->size()));
    files::Buffer buffer;
    const files::View view = file->view(0, static_cast<std::size_t>(file->size()), buffer);
    if (!view.whole()) throw Error(fmt::format("cannot read {}: {}", path.string(), view.fault));
    return {reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size()};
}

// What there is to read: the folder, the index's name if any, and the safetensors files that lie there.
struct Place {
    fs::path folder;
    std::string index;
    std::vector<std::string> files;
};

// Where a checkpoint lies instead, two folders down at most: a download cache keeps it in snapshots/REVISION.
std::string found_below(const fs::path& folder) {
    constexpr int deepest = 2;
    constexpr int most_looked_at = 10'000;
    int looked_at = 0;
    std::error_code trouble;
    for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, trouble), end;
         !trouble && it != end && looked_at < most_looked_at; it.increment(trouble), ++looked_at) {
        if (it.depth() > deepest) it.disable_recursion_pending();
        if (it->path().extension() == ".safetensors") return it->path().parent_path().string();
    }
    return {};
}

// The message for a folder without a checkpoint: what is there instead, and what to do.
std::string nothing_in(const fs::path& folder, bool gguf, bool pickled) {
    std::string text = fmt::format("{} holds no .safetensors file and no index", folder.string());
    if (gguf) return text + ", only GGUF files, which are not read here";
    if (pickled) return text + ", only PyTorch files (.bin, .pt), which are not read here: they must be converted first";
    const std::string below = found_below(folder);
    return below.empty() ? text + ": give the folder that the weights were downloaded to"
                         : text + "; there are some in " + below;
}

Place look_in_folder(const fs::path& folder) {
    Place place{folder, {}, {}};
    std::vector<std::string> indexes;
    bool gguf = false;
    bool pickled = false;
    std::error_code trouble;
    for (fs::directory_iterator it(folder, trouble), end; !trouble && it != end; it.increment(trouble)) {
        const std::string name = it->path().filename().string();
        if (name.ends_with(".safetensors")) place.files.push_back(name);
        if (name.ends_with(".safetensors.index.json")) indexes.push_back(name);
        gguf = gguf || name.ends_with(".gguf");
        pickled = pickled || name.ends_with(".bin") || name.ends_with(".pt") || name.ends_with(".pth");
    }
    if (trouble) throw Error(fmt::format("cannot list {}: {}", folder.string(), files::path_trouble(trouble.value())));
    std::sort(indexes.begin(), indexes.end());
    const auto usual = std::find(indexes.begin(), indexes.end(), "model.safetensors.index.json");
    if (usual != indexes.end()) {
        place.index = *usual;
    } else if (indexes.size() == 1) {
        place.index = indexes.front();
    } else if (indexes.size() > 1) {
        throw Error(
            fmt::format("{} has {} indexes ({}, {}, ..) and none is model.safetensors.index.json: name the one to read",
                        folder.string(), indexes.size(), indexes[0], indexes[1]));
    }
    if (place.index.empty() && place.files.empty()) throw Error(nothing_in(folder, gguf, pickled));
    std::sort(place.files.begin(), place.files.end());
    return place;
}

[[noreturn]] void refuse(const std::string& path, const std::error_code& trouble) {
    std::error_code ignored;
    if (trouble.value() != ENOENT)
        throw Error(fmt::format("cannot read the checkpoint at {}: {}", path, files::path_trouble(trouble.value())));
    if (fs::is_symlink(fs::symlink_status(path, ignored)))
        throw Error(fmt::format("no checkpoint at {}: it is a symbolic link to {}, which is not there", path,
                                fs::read_symlink(path, ignored).string()));
    throw Error(fmt::format("no checkpoint at {}: a folder, an index or a .safetensors file is expected", path));
}

Place look(const std::string& path) {
    std::error_code trouble;
    const fs::file_status status = fs::status(path, trouble);
    if (!fs::exists(status)) refuse(path, trouble);
    if (fs::is_directory(status)) return look_in_folder(path);
    const fs::path file(path);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (path.ends_with(".json")) {
        if (file.filename() == "config.json" || file.filename() == "hf_quant_config.json")
            throw Error(fmt::format("{} is no index of a checkpoint; give its folder, {}", path, folder.string()));
        Place place{folder, file.filename().string(), {}};
        return place;
    }
    return {folder, {}, {file.filename().string()}};
}

void read_configs(Checkpoint& checkpoint) {
    const fs::path folder(checkpoint.folder);
    const auto text_of = [&](const char* name) -> std::string {
        // A link to nowhere, or a name that cannot be looked up, is not the same as none.
        std::error_code trouble;
        if (fs::symlink_status(folder / name, trouble).type() == fs::file_type::not_found) return {};
        try {
            return read_text(folder / name);
        } catch (const files::OpenError& error) {
            if (!error.lies_with_path()) throw;  // it may say anything
            checkpoint.config_troubles.emplace_back(error.what());
            return {};
        } catch (const Error& error) {
            checkpoint.config_troubles.emplace_back(error.what());
            return {};
        }
    };
    const auto take = [&](const std::string& config, const std::string& hf) {
        try {
            Configs configs = parse_configs(config, hf);
            std::move(configs.quantization.begin(), configs.quantization.end(), std::back_inserter(checkpoint.configs));
            if (configs.model.present) checkpoint.model = std::move(configs.model);
        } catch (const Error& error) {
            checkpoint.config_troubles.emplace_back(error.what());
        }
    };
    take(text_of("config.json"), {});
    take({}, text_of("hf_quant_config.json"));
}

Shard open_shard(const fs::path& folder, const std::string& name, bool indexed, Header& header) {
    Shard shard;
    shard.file = name;
    shard.indexed = indexed;
    // An index is untrusted: what it names must lie in the folder.
    if (name.empty() || name.find('/') != std::string::npos || name == "." || name == "..") {
        shard.present = false;
        shard.trouble = "the name leads out of the folder";
        return shard;
    }
    try {
        shard.reader = files::open_for_reading((folder / name).string());
    } catch (const Error& error) {
        const auto* const unopened = dynamic_cast<const files::OpenError*>(&error);
        shard.present = false;
        shard.withheld = unopened != nullptr && !unopened->lies_with_path();
        shard.trouble = error.what();
        return shard;
    }
    shard.bytes = shard.reader->size();
    header = read_header(*shard.reader);
    shard.header_bytes = header.readable ? 8 + header.length : 0;
    shard.metadata = std::move(header.metadata);
    shard.faults = std::move(header.faults);
    shard.fault_count = header.fault_count;
    return shard;
}

// Leaves one tensor a name: the one in the shard that the index gives, else the last.
void settle_names(Checkpoint& checkpoint) {
    auto& tensors = checkpoint.tensors;
    std::stable_sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
    const auto repeated = std::adjacent_find(tensors.begin(), tensors.end(),
                                             [](const Tensor& a, const Tensor& b) { return a.name == b.name; });
    if (repeated == tensors.end()) return;
    std::vector<Tensor> kept;
    kept.reserve(tensors.size());
    for (std::size_t first = 0, end = 0; first < tensors.size(); first = end) {
        while (end < tensors.size() && tensors[end].name == tensors[first].name) ++end;
        std::size_t chosen = end - 1;
        if (end - first > 1 && checkpoint.index) {
            const IndexEntry* entry = find_entry(*checkpoint.index, tensors[first].name);
            for (std::size_t i = first; entry != nullptr && i < end; ++i) {
                if (checkpoint.shards[tensors[i].shard].file == checkpoint.index->files[entry->file]) chosen = i;
            }
        }
        for (std::size_t i = first; i < end; ++i) {
            if (i != chosen) checkpoint.shadowed.push_back({tensors[i], tensors[chosen].shard});
        }
        kept.push_back(std::move(tensors[chosen]));
    }
    tensors = std::move(kept);
}

}  // namespace

const Tensor* Checkpoint::find(std::string_view name) const noexcept {
    const auto place =
        std::lower_bound(tensors.begin(), tensors.end(), name,
                         [](const Tensor& tensor, std::string_view wanted) { return tensor.name < wanted; });
    return place != tensors.end() && place->name == name ? &*place : nullptr;
}

bool Checkpoint::headers_whole() const noexcept {
    return std::all_of(shards.begin(), shards.end(), [](const Shard& shard) { return !shard.indexed || (shard.present && shard.fault_count == 0); });
}

Checkpoint open_checkpoint(const std::string& path) {
    const Place place = look(path);
    Checkpoint checkpoint;
    checkpoint.folder = place.folder.string();
    std::set<std::string> names(place.files.begin(), place.files.end());
    std::set<std::string> indexed;
    if (!place.index.empty()) {
        checkpoint.index = parse_index(read_text(place.folder / place.index), place.index);
        indexed.insert(checkpoint.index->files.begin(), checkpoint.index->files.end());
        names.insert(indexed.begin(), indexed.end());
        // What grows by doubling would hold large checkpoints more than twice.
        checkpoint.tensors.reserve(checkpoint.index->entries.size());
    }
    for (const std::string& name : names) {
        const bool is_indexed = place.index.empty() || indexed.count(name) != 0;
        Header header;
        checkpoint.shards.push_back(open_shard(place.folder, name, is_indexed, header));
        auto& into = is_indexed ? checkpoint.tensors : checkpoint.unindexed;
        for (Tensor& tensor : header.tensors) {
            tensor.shard = static_cast<std::uint32_t>(checkpoint.shards.size() - 1);
            into.push_back(std::move(tensor));
        }
    }
    if (checkpoint.shards.size() == 1 && !checkpoint.shards[0].faults.empty() &&
        checkpoint.shards[0].faults[0].kind == HeaderFaultKind::gguf_file) {
        throw Error(fmt::format("{}: {}", path, checkpoint.shards[0].faults[0].message));
    }
    settle_names(checkpoint);
    read_configs(checkpoint);
    return checkpoint;
}

}  // namespace assay::checkpoints
