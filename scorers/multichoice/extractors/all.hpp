// The functions behind the table, one file each.
#pragma once

#include "scorers/multichoice/extractor.hpp"

namespace assay::multichoice {

Extraction extract_nemo_v3(Utf8View text, const Options& options);

}  // namespace assay::multichoice
