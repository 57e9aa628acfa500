// The end of a cast, once every shard is written: what lies beside the shards, the audit of the whole, and the record.
//
// Two steps, since the first needs every name of the source and of what is planned, and the second every name of what was
// made: a large checkpoint's names would take twice the memory if the first were not let go of in between.
#pragma once

#include <vector>

#include "datasets/cast/config.hpp"
#include "datasets/cast/plan.hpp"
#include "datasets/cast/summary.hpp"
#include "runners/drivers/cast_files.hpp"
#include "runners/drivers/cast_folder.hpp"
#include "runners/drivers/cast_run.hpp"
#include "runners/drivers/cast_verify.hpp"

namespace assay::runners {

// What can be refused of that before hours of shards are written.
struct BesidePlan {
    cast::ConfigTexts config;
    CarriedFiles files;
};

// Throws assay::Error where the configuration cannot be said in the dialect, or a file to carry over cannot be opened.
[[nodiscard]] BesidePlan plan_beside(const CastRun& run, const cast::CastPlan& plan);

// Writes configs, index and carried files. Completes the summary, but for what the audit of the whole finds; its `verified`
// is set where every shard was. Throws assay::Error where writing fails.
void write_beside(const CastRun& run, const cast::CastPlan& plan, const BesidePlan& beside, const CastFolder& folder,
                  cast::CastSummary& summary);

// Verifies the whole where that was asked for, writes assay-cast.json, and takes down what a cast keeps until its end; where
// it was cancelled, it says so in the summary and leaves everything as it is. Throws assay::Error where a value differs or
// writing fails.
void finish_cast(const CastRun& run, const std::vector<ShardFiles>& shards, CastFolder& folder, cast::CastSummary& summary);

}  // namespace assay::runners
