#include "datasets/runs/format_name.hpp"

#include <fmt/format.h>

#include <charconv>

#include "harness/error.hpp"

namespace assay::runs {

void check_format(std::string_view found, std::string_view kind, int version, const std::string& where) {
    const std::size_t slash = found.rfind('/');
    int number = 0;
    if (slash != std::string_view::npos && found.substr(0, slash) == kind) {
        const char* end = found.data() + found.size();
        if (std::from_chars(found.data() + slash + 1, end, number).ptr != end) number = 0;
    }
    if (number >= 1 && number <= version) return;
    if (number > version) {
        throw Error(fmt::format("'{}' has format {}, newer than {}/{}, the newest this program reads: use a newer assay",
                                where, found, kind, version));
    }
    throw Error(fmt::format("'{}': expected format {}/{}, found '{}'", where, kind, version, found.substr(0, 100)));
}

}  // namespace assay::runs
