// Folders: creating them, making what they name durable, and the space left on their file system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace assay::files {

// Creates the folder and those above it, where they are not there. Throws assay::Error, with path and cause,
// where that fails or where a part of the path is something else.
void create_folder(const std::string& path);

// Makes renames and new names in the folder survive a power failure. File systems that cannot are passed over
// in silence: nothing more can be done there.
void sync_folder(const std::string& path) noexcept;

// Bytes that this user may still write on the file system of `path`; unset where it does not say.
[[nodiscard]] std::optional<std::int64_t> free_bytes(const std::string& path) noexcept;

// The folder that names the last part of `path`: "a" of "a/b", "." of "b", "/" of "/b".
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace assay::files
