#include "runners/drivers/walk_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/read_file.hpp"
#include "runners/drivers/walk_identity.hpp"
#include "runners/drivers/walk_record.hpp"

namespace assay::runners {
namespace {

const std::string& name_of(const WalkInput& in, const WalkUnit& unit) {
    switch (unit.kind) {
        case WalkUnit::Kind::weights: return in.opened(Of::source).recognition.modules[unit.source].name;
        case WalkUnit::Kind::target_weight: return in.opened(Of::target).recognition.modules[unit.target].name;
        case WalkUnit::Kind::target_alone: return in.tensor(Of::target, unit.target).name;
        case WalkUnit::Kind::tensors:
        case WalkUnit::Kind::source_alone: break;
    }
    return in.tensor(Of::source, unit.source).name;
}

}  // namespace

WalkState::WalkState(const WalkInput& input, const WalkPlan& plan, UnitRange range, std::string path, std::string identity)
    : in_(input),
      plan_(plan),
      range_(range),
      path_(std::move(path)),
      header_(std::move(identity)),
      units_(range.begin),
      start_(std::chrono::steady_clock::now()),
      written_(start_) {}

std::vector<SavedUnit> WalkState::load() {
    std::vector<SavedUnit> saved;
    if (!kept() || !std::filesystem::exists(path_)) return saved;
    const std::string text = files::read_file(path_);
    std::size_t begin = 0;
    for (std::size_t line = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view words = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        if (line == 0) {
            if (words != header_)
                throw Error(fmt::format("cannot go on from {}: {}; delete it to begin anew (--resume)", path_,
                                        change_between(std::string(words), header_)));
            continue;
        }
        try {
            if (line > range_.end - range_.begin) throw std::runtime_error("too many lines");
            saved.push_back(unit_from(words, range_.begin + line - 1));
        } catch (const std::exception&) {
            throw Error(fmt::format("{} is damaged in line {}; delete it to begin anew (--resume)", path_, line + 1));
        }
    }
    const std::size_t first_line = std::min(text.find('\n') + 1, text.size());
    lines_ = text.substr(first_line);
    units_ = range_.begin + saved.size();
    return saved;
}

void WalkState::add(const WalkUnit& unit, const UnitResult& result,
                    const std::vector<bit_exact::BlockDifference>& shown, std::uint64_t written) {
    if (!kept()) return;
    lines_ += record_of(units_++, name_of(in_, unit), result, shown, written);
    lines_ += '\n';
    changed_ = true;
}

void WalkState::write_when_due() {
    if (!kept()) return;
    using std::chrono::seconds;
    const auto now = std::chrono::steady_clock::now();
    const auto every = std::clamp<std::chrono::steady_clock::duration>((now - start_) / 20, seconds(1), seconds(60));
    if (now - written_ >= every) write();
}

void WalkState::write() {
    if (!kept() || !changed_) return;
    files::AtomicFile file(path_);
    file.write(header_);
    file.write("\n");
    file.write(lines_);
    file.commit();
    changed_ = false;
    written_ = std::chrono::steady_clock::now();
}

}  // namespace assay::runners
