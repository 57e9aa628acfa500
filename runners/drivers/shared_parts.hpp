// SharedParts: the parts of a job handed out among its ranks, largest first.
//
// Each rank takes the largest part that nobody has, until none is left; what it makes of it is a file, so the job's result
// does not depend on who did what. With one rank it is a loop. Members are collective: every rank calls them, in this order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/ranks/claims.hpp"
#include "harness/ranks/ranks.hpp"
#include "runners/drivers/block_walk.hpp"

namespace assay::runners {

struct Part {
    std::string name;  // a file name
    std::uint64_t bytes = 0;
};

class SharedParts {
public:
    // `folder`, seen by all ranks, holds the claims. Those that an earlier start left there are removed. `finished` says,
    // on the first rank and before any begins, whether a part is done.
    SharedParts(ranks::Ranks& ranks, const std::string& folder, const std::function<bool(const std::string& part)>& finished);

    // What an earlier start had begun and not finished when it ended, and who. Known to the first rank.
    [[nodiscard]] const std::vector<ranks::Claim>& left_over() const noexcept { return left_over_; }

    // Calls work(i) for each of `parts` that falls to this rank; false from it stops this rank. Sets progress->bytes_total,
    // where given, to what this rank will come to if the rest is shared evenly.
    // Returns, once every rank is through, whether none was stopped.
    [[nodiscard]] bool spread(const std::vector<Part>& parts, const std::function<bool(std::size_t)>& work,
                              WalkProgress* progress);

private:
    ranks::Ranks& ranks_;
    ranks::Claims claims_;
    std::vector<ranks::Claim> left_over_;
};

}  // namespace assay::runners
