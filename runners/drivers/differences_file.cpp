#include "runners/drivers/differences_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>

#include "harness/error.hpp"
#include "harness/files/path_trouble.hpp"
#include "runners/drivers/own_file.hpp"

namespace assay::runners {

void require_place_for_differences(const std::string& path) {
    require_own_file(path, "--differences", "differences", R"({"format":"assay.difference/)");
}

DifferencesFile::DifferencesFile(std::string path) : path_(std::move(path)) {}

void DifferencesFile::keep(std::uint64_t bytes) {
    std::error_code trouble;
    if (bytes > 0) {
        const std::uint64_t there = std::filesystem::file_size(path_, trouble);
        if (trouble || there < bytes)
            throw Error(fmt::format("{} (--differences) does not hold the {} bytes that were written before the "
                                    "interruption; delete the state (--resume) to begin anew",
                                    path_, bytes));
        std::filesystem::resize_file(path_, bytes, trouble);
        if (trouble) throw Error(fmt::format("cannot write {} (--differences): {}", path_, trouble.message()));
    }
    file_.open(path_, std::ios::binary | (bytes > 0 ? std::ios::app | std::ios::ate : std::ios::trunc));
    if (!file_) throw Error(fmt::format("cannot write {} (--differences): {}", path_, files::path_trouble(errno)));
}

std::uint64_t DifferencesFile::flushed() {
    finish();
    return static_cast<std::uint64_t>(file_.tellp());
}

void DifferencesFile::finish() {
    if (!file_.flush()) throw Error(fmt::format("{} (--differences) could not be written in full", path_));
}

}  // namespace assay::runners
