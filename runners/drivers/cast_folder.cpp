#include "runners/drivers/cast_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/placed_file.hpp"
#include "harness/files/read_file.hpp"

namespace assay::runners {
namespace {

namespace fs = std::filesystem;

constexpr const char* work = ".assay-cast";

// Symbolic links are followed as far as they can be looked at; the path does not have to exist.
fs::path real_path(const std::string& path) {
    std::error_code trouble;
    const fs::path absolute = fs::absolute(path);
    fs::path real = fs::weakly_canonical(absolute, trouble);
    return trouble ? absolute.lexically_normal() : real;
}

// Whether `inner` is `outer` or lies below it.
bool lies_in(const std::string& inner, const std::string& outer) {
    const fs::path a = real_path(inner);
    const fs::path b = real_path(outer);
    auto part = a.begin();
    for (const fs::path& wanted : b) {
        if (wanted.empty()) continue;  // of a trailing slash
        if (part == a.end() || *part != wanted) return false;
        ++part;
    }
    return true;
}

bool is_empty(const std::string& folder) {
    std::error_code trouble;
    const bool empty = fs::is_empty(folder, trouble);
    if (trouble) throw Error(fmt::format("cannot list {}: {}", folder, trouble.message()));
    return empty;
}

}  // namespace

CastFolder::CastFolder(const std::string& folder) : folder_(folder) {
    while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
}

std::string CastFolder::claims() const { return fmt::format("{}/{}/claims", folder_, work); }

CastFolder::CastFolder(const std::string& folder, const std::string& source, const cast::PlanIdentity& identity)
    : CastFolder(folder) {
    if (lies_in(folder_, source))
        throw Error(fmt::format("{} lies in the source {}, where nothing is written: name another folder", folder_,
                                source));
    if (lies_in(source, folder_))
        throw Error(fmt::format("the source {} lies in {}: name another folder", source, folder_));
    files::create_folder(folder_);
    const std::string plan = path(work) + "/plan.json";
    if (fs::exists(path("assay-cast.json")) && !fs::exists(plan))
        throw Error(fmt::format("{} holds a finished cast (assay-cast.json): name another folder, or check this one with "
                                "assay audit {} --source {}",
                                folder_, folder_, source));
    const bool begun = fs::exists(path(work));
    if (!begun && !is_empty(folder_))
        throw Error(fmt::format("{} is not empty, and what is there was not begun by assay cast: name another folder",
                                folder_));
    files::create_folder(path(work));
    lock_.emplace(path(work) + "/lock");
    if (!fs::exists(plan)) {
        files::replace_file(plan, to_json(identity));
        return;
    }
    const cast::PlanIdentity before = cast::parse_plan_identity(files::read_file(plan), plan);
    const std::string difference = first_difference(before, identity);
    if (!difference.empty())
        throw Error(fmt::format("{} was begun otherwise: {}; remove it, or name another folder", folder_, difference));
}

void CastFolder::require_space(std::uint64_t bytes) const {
    const auto left = files::free_bytes(folder_);
    if (!left || static_cast<std::uint64_t>(std::max<std::int64_t>(0, *left)) >= bytes) return;
    throw Error(fmt::format("{} needs {:.3f} GB and its file system has {:.3f} GB left: make room, or name another folder",
                            folder_, static_cast<double>(bytes) / 1e9, static_cast<double>(*left) / 1e9));
}

std::optional<cast::ShardRecord> CastFolder::record(const std::string& file) const {
    const std::string path = fmt::format("{}/{}/{}.json", folder_, work, file);
    if (!fs::exists(path)) return std::nullopt;
    return cast::parse_record(files::read_file(path), path);
}

std::string CastFolder::record_text(const std::string& file) const {
    return files::read_file(fmt::format("{}/{}/{}.json", folder_, work, file));
}

void CastFolder::keep(const cast::ShardRecord& record) const {
    files::replace_file(fmt::format("{}/{}/{}.json", folder_, work, record.file), to_json(record));
}

void CastFolder::forget(const std::string& file) const {
    std::error_code ignored;
    fs::remove(fmt::format("{}/{}/{}.json", folder_, work, file), ignored);
}

void CastFolder::clear() {
    std::error_code ignored;
    // The plan goes last but one: without it the folder counts as finished.
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(".") && name.ends_with(".partial")) fs::remove(entry.path(), ignored);
    }
    fs::remove(path(work) + "/plan.json", ignored);
    lock_.reset();
    fs::remove_all(path(work), ignored);
    files::sync_folder(folder_);
}

}  // namespace assay::runners
