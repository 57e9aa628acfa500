// The end of a cast, once every shard is written: what lies beside the shards, the audit of the whole, and the record.
#pragma once

#include "datasets/cast/plan.hpp"
#include "datasets/cast/summary.hpp"
#include "runners/drivers/cast_folder.hpp"
#include "runners/drivers/cast_run.hpp"

namespace assay::runners {

struct FinishedShards {
    const CastRun& run;
    const checkpoints::Opened& source;
    const cast::CastPlan& plan;
};

// Writes configs, index, carried files and assay-cast.json, verifies the whole where that was asked for, and takes down
// what a cast keeps until its end. Completes the summary. Throws assay::Error where a value differs or writing fails.
void finish_cast(const FinishedShards& shards, CastFolder& folder, cast::CastSummary& summary);

}  // namespace assay::runners
