// What tests of the cast command share: running it, and the bytes of every file that came out.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/checkpoints/small_model.hpp"
#include "tests/support/program.hpp"

namespace assay {

inline constexpr auto mxfp4 = support::Dialect::compressed_tensors_mxfp4;

inline std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Bytes of every file below a folder, by relative path.
inline std::map<std::string, std::string> files_in(const std::string& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            files[entry.path().lexically_relative(folder).string()] = text_of(entry.path().string());
    }
    return files;
}

// A folder of its own in memory where there is such a file system: casts sync every file, which takes most of a small one's time.
class FolderInMemory {
public:
    FolderInMemory() {
        const std::filesystem::path shm = "/dev/shm";
        std::error_code trouble;
        const bool there = std::filesystem::is_directory(shm, trouble) && ::access(shm.c_str(), W_OK) == 0;
        path_ = (there ? shm : std::filesystem::temp_directory_path()) / "assay-test-XXXXXX";
        if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder " + path_);
    }
    ~FolderInMemory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    FolderInMemory(const FolderInMemory&) = delete;
    FolderInMemory& operator=(const FolderInMemory&) = delete;
    [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

inline support::Run cast(const std::string& source, const std::string& target, std::vector<std::string> more = {}) {
    std::vector<std::string> args{"cast", source, target};
    args.insert(args.end(), more.begin(), more.end());
    return support::run(args);
}

inline void set_block(support::Weight& weight, std::uint64_t block, std::uint8_t code, std::uint8_t nibble) {
    weight.exponents[block] = code;
    for (std::uint64_t i = 0; i < 32; ++i) weight.nibbles[32 * block + i] = i % 3 == 0 ? 0x8 : nibble;
}

// Scales of 2^-8 to 2^-4 as usual, so that m is -12 and scales down to 2^-21, code 106, are in range.
inline support::SmallModel out_of_range() {
    support::SmallModel model = support::gpt_oss_like();
    model.weights[0].exponents[9] = 123;
    set_block(model.weights[0], 5, 103, 6);  // 4, three binades below: 0.5
    set_block(model.weights[0], 6, 90, 0);   // zeros far below
    set_block(model.weights[0], 7, 104, 4);  // 2, two binades below: 0.5
    set_block(model.weights[1], 0, 0, 8);    // negative zeros under 2^-127
    return model;
}

}  // namespace assay
