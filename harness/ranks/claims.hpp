// Claims: who does which part of a job, agreed on through a folder that every rank sees.
//
// A part is claimed by creating its file exclusively, which one of many processes succeeds at, on local disks and
// on NFS (since version 3), Lustre and GPFS. The file says who holds it. Nobody has to answer messages while it
// works, and a claim outlives the rank that made it, so the next start can name what was lost with it.
// A finished part keeps its claim until the job's end: another rank that looks later must not take it again.
//
// Part names are file names: no '/', not empty.
// Threads: any; processes: any. Errors: assay::Error with path and cause.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::ranks {

struct Claim {
    std::string part;
    std::string owner;  // as the claimant named itself; untrusted text; empty where it died before writing it
};

class Claims {
public:
    // Creates the folder where it is not there.
    Claims(std::string folder, std::string owner);

    // Whether the part is now this process's. False: another has it, or this one took it before.
    [[nodiscard]] bool take(std::string_view part);

    // All claims in the folder, by part name. One that is taken or released meanwhile may be among them or not.
    [[nodiscard]] std::vector<Claim> all() const;

    // Gives a part up: for its holder, where it was not finished, and for the one rank that opens a job, while no other
    // takes. Nothing where there is no such claim.
    void release(std::string_view part);

private:
    [[nodiscard]] std::string path_of(std::string_view part) const;

    std::string folder_;
    std::string owner_;
};

}  // namespace assay::ranks
