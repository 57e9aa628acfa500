// CastScales: the global scale of each group of weights that share one, found when it is first asked for.
//
// Block scales are read; elements only where the range of the scales does not settle the matter.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "datasets/cast/plan.hpp"

namespace assay::runners {

struct ScaleChoice {
    int exponent = 0;     // m: the global scale is 2^m
    bool settled = true;  // every block scale fits under it; false: there may be blocks to look at
    bool exact = true;    // every block can be written with its values unchanged
};

class CastScales {
public:
    explicit CastScales(const cast::CastPlan& plan) : plan_(plan), groups_(plan.groups()) {}

    // Threads: any number at once; those that ask for a group in the making wait for it. Throws assay::Error where the
    // source cannot be read.
    [[nodiscard]] ScaleChoice of_module(std::uint32_t module);

private:
    struct Group {
        std::mutex mutex;  // held while the choice is made
        std::optional<ScaleChoice> choice;
    };

    [[nodiscard]] ScaleChoice choose(const std::vector<std::uint32_t>& modules) const;

    const cast::CastPlan& plan_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::mutex mutex_;  // of groups_
};

}  // namespace assay::runners
