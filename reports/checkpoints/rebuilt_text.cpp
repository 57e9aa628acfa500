#include <fmt/format.h>

#include <algorithm>

#include "reports/checkpoints/rebuilt_report.hpp"
#include "reports/terminal/numbers.hpp"
#include "reports/terminal/visible.hpp"

namespace assay::reports {
namespace {

std::string number(std::uint64_t value) { return thousands(static_cast<std::int64_t>(value)); }

template <class Digests, class Name>
std::string lines(const Digests& digests, const char* what, const Name& name) {
    std::string out;
    for (std::size_t i = 0; i < std::min(digests.size(), RebuiltReport::most_shown); ++i)
        out += fmt::format("{}  {}\n", digests[i].sha256, visible(name(digests[i])));
    if (digests.size() > RebuiltReport::most_shown)
        out += fmt::format("and {} more {}; --write-digests FILE writes all\n",
                           number(digests.size() - RebuiltReport::most_shown), what);
    return out;
}

}  // namespace

std::string rebuilt_text(const RebuiltReport& report) {
    const checkpoints::RebuiltDigests& made = report.digests;
    std::string out = fmt::format("rebuilt source  {} / {} NVFP4 weights undone   files {} / {}", number(made.undone),
                                  number(made.weights), number(made.files_rebuilt), number(made.files));
    if (!made.list.fingerprint.empty())
        out += fmt::format("   fingerprint {}   of this checkpoint {}", made.list.fingerprint, made.cast_fingerprint);
    out += '\n';
    if (made.cancelled) out += "interrupted: what follows is of the part that was read\n";
    out += lines(made.list.files, "files", [](const auto& one) -> const std::string& { return one.file; });
    out += lines(made.list.tensors, "tensors", [](const auto& one) -> const std::string& { return one.tensor; });
    return out;
}

std::string rebuilt_last_line(const RebuiltReport& report) {
    if (!report.against) return {};
    return fmt::format("source digests  files as given {} / {}   tensors as given {} / {}\n",
                       number(report.against->files_same), number(report.against->files),
                       number(report.against->tensors_same), number(report.against->tensors));
}

}  // namespace assay::reports
