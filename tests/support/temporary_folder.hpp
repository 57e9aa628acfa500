// TemporaryFolder: an empty folder of its own for one test, removed with everything in it at the end.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace assay::support {

class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    // The path of the folder, or of `name` in it.
    [[nodiscard]] std::string path(const std::string& name = "") const;
    // Writes the bytes to the file `name`, making folders on the way, and gives its path.
    std::string write(const std::string& name, std::string_view bytes) const;

private:
    std::filesystem::path root_;
};

}  // namespace assay::support
