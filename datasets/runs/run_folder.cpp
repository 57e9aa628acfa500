#include "datasets/runs/run_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "harness/error.hpp"
#include "harness/files/read_file.hpp"

namespace assay::runs {
namespace {

constexpr std::uint64_t max_run_json_bytes = 16U << 20;

bool starts_with(const std::string& text, std::string_view start) { return text.rfind(start, 0) == 0; }

}  // namespace

FolderKind kind_of_folder(const std::string& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) return FolderKind::missing;
    if (error) throw Error(fmt::format("cannot read '{}': {}", path, error.message()));
    if (!std::filesystem::is_directory(status)) return FolderKind::file;
    FolderKind kind = FolderKind::empty;
    for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name == "run.json") return FolderKind::run;
        if (name == "journal.jsonl") {
            kind = FolderKind::journal_only;
        } else if (kind != FolderKind::journal_only) {
            const bool ours = name == "lock" || name == "lock.held" || starts_with(name, ".run.json.");
            const bool nemo = starts_with(name, "output") && at->path().extension() == ".jsonl";
            if (nemo) kind = FolderKind::nemo_results;
            if (!ours && kind == FolderKind::empty) kind = FolderKind::other;
        }
    }
    if (error) throw Error(fmt::format("cannot read the folder '{}': {}", path, error.message()));
    return kind;
}

std::string run_json_path(const std::string& run) { return run + "/run.json"; }
std::string journal_path(const std::string& run) { return run + "/journal.jsonl"; }
std::string lock_path(const std::string& run) { return run + "/lock"; }

RunDocument read_run_document(const std::string& run) {
    switch (kind_of_folder(run)) {
        case FolderKind::missing:
            throw Error(fmt::format("there is no run at '{}': expected the folder that --out named", run));
        case FolderKind::file:
            throw Error(fmt::format("'{}' is no folder: expected the folder of a run, which --out named", run));
        case FolderKind::empty:
            throw Error(fmt::format("'{}' is an empty folder: expected a run, with run.json in it, or NeMo-Skills' results (output-rs0.jsonl, ...)", run));
        case FolderKind::journal_only:
            throw Error(fmt::format("'{}' holds journal.jsonl but no run.json, which says what was asked: put it back", run));
        case FolderKind::nemo_results:
            throw Error(fmt::format("'{}' holds results of NeMo-Skills and is no run of this program", run));
        case FolderKind::other:
            throw Error(fmt::format("'{}' is no run: there is no run.json in it, nor are there NeMo-Skills' results (output-rs0.jsonl, ...)", run));
        case FolderKind::run: break;
    }
    const std::string path = run_json_path(run);
    return parse_run_json(files::read_file(path, max_run_json_bytes), path);
}

}  // namespace assay::runs
