// DifferencesFile: one JSON object a line for every block that differs; an interrupted one can be gone on with.
//
// One thread at a time. Errors: assay::Error where the file cannot be opened or written in full.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace assay::runners {

// Throws assay::Error where a file with anything else in it is at `path`: one of the checkpoint, above all, must not be lost to
// a slip of the keyboard.
void require_place_for_differences(const std::string& path);

class DifferencesFile {
public:
    explicit DifferencesFile(std::string path);

    // Cuts it to its first `bytes` and goes on from there; from 0 it begins anew. Once, before the first line.
    void keep(std::uint64_t bytes);
    void add(std::string_view line) { file_ << line; }
    // Its size when all that was added is with the operating system.
    [[nodiscard]] std::uint64_t flushed();
    void finish();

private:
    std::string path_;
    std::ofstream file_;
};

}  // namespace assay::runners
