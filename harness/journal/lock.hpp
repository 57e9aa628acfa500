// Lock: one writer a folder, among all processes (and hosts, where the file system carries locks).
//
// PATH is kept locked with flock() and names its holder: {"format":"assay.lock/1","host":...,"pid":...,...}.
// It stays behind, empty, when the lock is released, so that nobody can lock a file that was unlinked. Where
// the file system has no flock (ENOLCK, EOPNOTSUPP, ENOSYS), PATH.held is created exclusively and removed at
// the end; one left by a process of this host that is gone is taken over.
// Never waits. Threads: one.
#pragma once

#include <memory>
#include <string>

namespace assay::journal {

class Lock {
public:
    enum class Way : unsigned char {
        automatic,
        exclusive_file,  // as if the file system had no flock
    };

    // Throws assay::Error where another process holds it, naming that process, its host and what to do, and
    // where the file cannot be created.
    explicit Lock(const std::string& path, Way way = Way::automatic);
    ~Lock();
    Lock(Lock&&) noexcept;
    Lock& operator=(Lock&&) noexcept;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace assay::journal
