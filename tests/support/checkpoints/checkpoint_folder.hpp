// CheckpointFolder: a checkpoint on disk for the length of a test.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/checkpoints/stored_tensor.hpp"

namespace assay::support {

// What goes into a folder: tensors by shard (file name), and other files by name.
struct CheckpointFiles {
    std::map<std::string, std::vector<StoredTensor>> shards;
    std::map<std::string, std::string> others;
    bool with_index = true;

    // The tensor of that name, wherever it is; the test fails where there is none.
    StoredTensor& tensor(const std::string& name);
    void remove(const std::string& name);
};

// Sum of the bytes of all tensors.
[[nodiscard]] std::uint64_t total_size(const CheckpointFiles& files);
[[nodiscard]] std::string index_json(const CheckpointFiles& files);

// A new folder under the temporary directory, removed with the object.
class CheckpointFolder {
public:
    CheckpointFolder();
    explicit CheckpointFolder(const CheckpointFiles& files);
    ~CheckpointFolder();
    CheckpointFolder(const CheckpointFolder&) = delete;
    CheckpointFolder& operator=(const CheckpointFolder&) = delete;

    [[nodiscard]] std::string path() const { return folder_.string(); }
    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& bytes) const;
    [[nodiscard]] std::string read(const std::string& name) const;

private:
    std::filesystem::path folder_;
};

}  // namespace assay::support
