#include "runners/drivers/derived_files.hpp"

#include "harness/files/atomic_file.hpp"
#include "reports/score/score_report.hpp"

namespace assay::runners {

void write_derived_files(const std::string& run, const JudgedRun& judged) {
    files::replace_file(run + "/summary.json", reports::score_json(judged.header, judged.summary));
}

}  // namespace assay::runners
