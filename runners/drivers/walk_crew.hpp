// Private to the block walk: the workers that read units and hand them to the merger.
#pragma once

#include "runners/drivers/walk_merge.hpp"

namespace assay::runners {

// Goes on from what an earlier process left, to the end of the merger's range or a cancel.
void read_units(const WalkInput& input, const WalkPlan& plan, Merger& merger);

}  // namespace assay::runners
