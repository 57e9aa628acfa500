#include "datasets/questions/hub_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include "harness/error.hpp"

namespace assay::questions {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> folder_from(const char* variable) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return fs::path(value);
}

// The commit that the branch main stood at when it was fetched; empty where the cache does not say.
std::string main_commit(const fs::path& dataset) {
    std::ifstream file(dataset / "refs" / "main");
    std::string commit;
    std::getline(file, commit);
    return commit.find('/') == std::string::npos ? commit : "";
}

std::vector<fs::path> snapshots(const fs::path& dataset) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator entry(dataset / "snapshots", error), end; !error && entry != end; entry.increment(error)) {
        folders.push_back(entry->path());
    }
    std::sort(folders.begin(), folders.end());
    const std::string preferred = main_commit(dataset);
    std::stable_partition(folders.begin(), folders.end(), [&](const fs::path& folder) { return folder.filename() == preferred; });
    return folders;
}

}  // namespace

std::string hub_cache_folder() {
    if (const auto folder = folder_from("HF_HUB_CACHE")) return folder->string();
    if (const auto folder = folder_from("HF_HOME")) return (*folder / "hub").string();
    if (const auto folder = folder_from("XDG_CACHE_HOME")) return (*folder / "huggingface" / "hub").string();
    return (folder_from("HOME").value_or(".") / ".cache" / "huggingface" / "hub").string();
}

std::string gpqa_in_hub_cache(const std::string& subset) {
    const fs::path dataset = fs::path(hub_cache_folder()) / "datasets--Idavidrein--gpqa";
    const std::string name = fmt::format("gpqa_{}.csv", subset);
    for (const fs::path& folder : snapshots(dataset)) {
        std::error_code error;
        if (fs::exists(folder / name, error)) return (folder / name).string();
    }
    throw Error(fmt::format("gpqa:{}: no {} in '{}' (looked in snapshots/*/); the set is gated and assay downloads nothing: accept its terms, fetch "
                            "Idavidrein/gpqa with Hugging Face's tools, set HF_HOME if its cache is elsewhere, or give the path of {} instead of the name",
                            subset, name, dataset.string(), name));
}

}  // namespace assay::questions
