// AtomicFile: replaces a file as a whole. Whoever opens the path sees the old bytes or the new, never a part.
//
// Written to a hidden sibling, then fsync, rename, and fsync of the folder. What is not committed is removed.
// The path itself is replaced, never written through: a symbolic link, folder or device there is refused, so
// that a link planted in a shared folder leads nowhere.
// Threads: one. Errors: assay::Error with the path and the cause.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace assay::files {

class AtomicFile {
public:
    explicit AtomicFile(std::string path);
    ~AtomicFile();  // without commit(): the path keeps what it had
    AtomicFile(AtomicFile&&) noexcept;
    AtomicFile& operator=(AtomicFile&&) noexcept;

    void write(std::string_view bytes);  // appends; buffered
    void commit();                       // once

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// The whole file at once.
void replace_file(const std::string& path, std::string_view bytes);

}  // namespace assay::files
