// The functions behind the table, one file each.
#pragma once

#include "scorers/multichoice/extractor.hpp"

namespace assay::multichoice {

Extraction extract_nemo_v1(Utf8View text, const Options& options);
Extraction extract_nemo_v2(Utf8View text, const Options& options);
Extraction extract_nemo_v3(Utf8View text, const Options& options);
Extraction extract_nemo_v4(Utf8View text, const Options& options);
Extraction extract_nemo_v6(Utf8View text, const Options& options);
Extraction extract_aa_cascade(Utf8View text, const Options& options);
Extraction extract_simple_evals(Utf8View text, const Options& options);
Extraction extract_gpt_oss(Utf8View text, const Options& options);
Extraction extract_lm_eval_strict(Utf8View text, const Options& options);
Extraction extract_lm_eval_flexible(Utf8View text, const Options& options);
Extraction extract_inspect(Utf8View text, const Options& options);
Extraction extract_evalscope(Utf8View text, const Options& options);
Extraction extract_opencompass(Utf8View text, const Options& options);
Extraction extract_assay(Utf8View text, const Options& options);

}  // namespace assay::multichoice
