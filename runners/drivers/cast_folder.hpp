// CastFolder: the folder that a cast is written to, and what lies there while it is being made.
//
//     DEST/.assay-cast/lock           held while a process writes there
//     DEST/.assay-cast/plan.json      what is being made, of which source
//     DEST/.assay-cast/claims/NAME.claim  which process has which shard in hand
//     DEST/.assay-cast/NAME.json      the record of each shard that is finished
//     DEST/assay-cast.json            at the end; the folder above is then removed
#pragma once

#include <optional>
#include <string>

#include "datasets/cast/plan_identity.hpp"
#include "datasets/cast/record.hpp"
#include "harness/journal/lock.hpp"

namespace assay::runners {

class CastFolder {
public:
    // Throws assay::Error where the folder lies in the source or the source in it, holds something that no cast of ours has
    // begun, is a finished cast, is being written by another process, or was begun otherwise than now.
    CastFolder(const std::string& folder, const std::string& source, const cast::PlanIdentity& identity);

    // The folder as another rank sees it that the first has opened: without checks, and without the lock, which that one holds.
    [[nodiscard]] static CastFolder joined(const std::string& folder) { return CastFolder(folder); }

    [[nodiscard]] const std::string& path() const noexcept { return folder_; }
    [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }

    // Throws assay::Error where its file system has less than that many bytes left.
    void require_space(std::uint64_t bytes) const;

    // The record of a shard that an earlier start finished; nothing where there is none, or where it cannot be read.
    [[nodiscard]] std::optional<cast::ShardRecord> record(const std::string& file) const;
    [[nodiscard]] std::string record_text(const std::string& file) const;
    void keep(const cast::ShardRecord& record) const;
    // Takes a record away, so that its shard counts as not written.
    void forget(const std::string& file) const;
    // Removes what is only needed until the end.
    void clear();
    // Where ranks say which shard they have in hand.
    [[nodiscard]] std::string claims() const;

private:
    explicit CastFolder(const std::string& folder);

    std::string folder_;
    std::optional<journal::Lock> lock_;
};

}  // namespace assay::runners
