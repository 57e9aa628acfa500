// The "format" member of documents: "assay.run/1".
#pragma once

#include <string>
#include <string_view>

namespace assay::runs {

// Throws assay::Error, naming both, unless `found` is "<kind>/<version>" with a version from 1 to `version`.
// `where` is the path of the document.
void check_format(std::string_view found, std::string_view kind, int version, const std::string& where);

}  // namespace assay::runs
