// Several choices a reply (the request's `n`): one reply's pieces repeated under further indexes. Private to this folder.
#pragma once

#include <cstdint>
#include <memory>

#include "harness/simulated/behavior.hpp"

namespace assay::simulated {

// Each event of a choice comes `count` times, once under each index from 0, and not in the order of the indexes: event k
// begins with index k modulo count. A whole body's list of choices becomes `count` long. With `last_unfinished` the choice
// of the last index ends without its finish_reason.
[[nodiscard]] std::unique_ptr<Delivery> interleaved_choices(std::int64_t count, bool last_unfinished);

}  // namespace assay::simulated
