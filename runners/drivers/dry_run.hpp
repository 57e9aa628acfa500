// What a run would ask, without asking it.
#pragma once

#include <string>
#include <vector>

#include "datasets/runs/plan.hpp"

namespace assay::runners {

struct DryRun {
    runs::Plan plan;
    std::vector<std::string> endpoints;
    std::vector<int> seeds;
    int questions = 0;
    std::string extractor;
    std::string pacing;  // how many requests at once and a minute
    std::vector<std::string> said;  // where values came from, one line each
    std::string first_body;         // JSON of the first request in dispatch order
};

// For people: the plan, the number of requests and the first request's body. Text from outside is made visible.
[[nodiscard]] std::string dry_run_text(const DryRun& dry_run);
// The same as one object, "format": "assay.dry_run/1".
[[nodiscard]] std::string dry_run_json(const DryRun& dry_run);

}  // namespace assay::runners
