#include "runners/drivers/shared_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "harness/error.hpp"
#include "harness/files/atomic_file.hpp"
#include "harness/files/folder.hpp"
#include "harness/files/read_file.hpp"
#include "runners/drivers/differences_file.hpp"
#include "runners/drivers/shared_parts.hpp"
#include "runners/drivers/walk_crew.hpp"
#include "runners/drivers/walk_identity.hpp"

namespace assay::runners {
namespace {

using namespace checkpoints;
namespace fs = std::filesystem;

class SharedWalk {
public:
    SharedWalk(const Opened& source, const Opened& target, const Pairing& pairing, const SharedWalkOptions& options,
               ranks::Ranks& ranks)
        : options_(options),
          walk_(options.walk),
          pairing_(pairing),
          target_(target),
          plan_(plan_walk(source, target, pairing)),
          input_(source, target, watched(walk_)),
          identity_(identity_of(input_, plan_)),
          ranges_(cut(source, target)),
          ranks_(ranks) {}

    bit_exact::PairAudit run() {
        open_folder();
        SharedParts shared(ranks_, options_.folder + "/claims", [this](const std::string& part) {
            return fs::exists(options_.folder + "/" + part + ".jsonl");
        });
        for (const ranks::Claim& claim : shared.left_over()) say_taken_up(claim);
        std::vector<Part> parts;
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            if (fs::exists(file_of(i, ".jsonl"))) continue;
            parts.push_back({name_of(i), bytes_of(ranges_[i])});
            numbers.push_back(i);
        }
        const auto work = [&](std::size_t part) { return walk_part(numbers[part]); };
        const bool through = shared.spread(parts, work, walk_.progress);
        if (ranks_.rank() == 0) return merged(through);
        bit_exact::PairAudit audit;
        audit.cancelled = !through;
        return audit;
    }

private:
    // Before input_ is made of them: whether differences are wanted decides how many a worker keeps.
    const WalkOptions& watched(WalkOptions& walk) {
        if (walk.state.differences.empty()) return walk;
        walk.on_difference = [this](const bit_exact::LocatedDifference& one) { differences_->add(options_.line_of(one)); };
        walk.state.differences_bytes = [this] { return differences_->flushed(); };
        walk.state.keep_differences = [this](std::uint64_t bytes) { differences_->keep(bytes); };
        return walk;
    }

    // Runs of units of one shard, of about part_bytes: the same whatever the number of ranks.
    std::vector<UnitRange> cut(const Opened& source, const Opened& target) const {
        std::vector<UnitRange> ranges;
        std::pair<bool, std::uint32_t> shard_before;
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; i < plan_.units.size(); ++i) {
            const WalkUnit& unit = plan_.units[i];
            const std::pair<bool, std::uint32_t> shard = shard_of(source, target, unit);
            if (ranges.empty() || shard != shard_before || bytes >= options_.part_bytes) {
                ranges.push_back({i, i});
                bytes = 0;
            }
            ranges.back().end = i + 1;
            bytes += unit.bytes;
            shard_before = shard;
        }
        return ranges;
    }

    // Whether it is the target's, and its number.
    static std::pair<bool, std::uint32_t> shard_of(const Opened& source, const Opened& target, const WalkUnit& unit) {
        const auto of = [](const Opened& side, std::uint32_t tensor) { return side.checkpoint.tensors[tensor].shard; };
        switch (unit.kind) {
            case WalkUnit::Kind::weights: return {false, of(source, source.recognition.modules[unit.source].payload)};
            case WalkUnit::Kind::target_weight: return {true, of(target, target.recognition.modules[unit.target].payload)};
            case WalkUnit::Kind::target_alone: return {true, of(target, unit.target)};
            case WalkUnit::Kind::tensors:
            case WalkUnit::Kind::source_alone: break;
        }
        return {false, of(source, unit.source)};
    }

    static std::string name_of(std::size_t part) { return fmt::format("part-{:05}", part); }
    [[nodiscard]] std::string file_of(std::size_t part, const char* ending) const {
        return fmt::format("{}/{}{}", options_.folder, name_of(part), ending);
    }
    [[nodiscard]] std::uint64_t bytes_of(const UnitRange& range) const {
        double bytes = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) bytes += static_cast<double>(plan_.units[i].bytes);
        return static_cast<std::uint64_t>(bytes * (walk_.sample ? walk_.sample->fraction : 1));
    }

    // The first rank makes it ready, for all.
    void open_folder() const {
        if (ranks_.rank() == 0) {
            std::error_code trouble;
            if (fs::exists(options_.folder, trouble) && !fs::is_directory(options_.folder, trouble))
                throw Error(fmt::format("{} (--resume) is a file, and ranks share a folder", options_.folder));
            files::create_folder(options_.folder);
            const std::string path = options_.folder + "/audit.jsonl";
            if (fs::exists(path)) {
                std::string then = files::read_file(path);
                if (then.ends_with('\n')) then.pop_back();
                if (then != identity_)
                    throw Error(fmt::format("cannot go on from {}: {}; delete the folder to begin anew (--resume)",
                                            options_.folder, change_between(then, identity_)));
            } else {
                if (!fs::is_empty(options_.folder))
                    throw Error(fmt::format("{} (--resume) holds files, but no audit that was begun", options_.folder));
                files::replace_file(path, identity_ + "\n");
            }
        }
        ranks_.wait_for_all();
        wait_until_seen(options_.folder + "/audit.jsonl");
    }

    // Network file systems remember for up to a minute that a file was not there.
    void wait_until_seen(const std::string& path) const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(90);
        while (!fs::exists(path)) {
            if (std::chrono::steady_clock::now() > end)
                throw Error(fmt::format("{} does not see {}: --resume must be a folder that every rank sees", ranks_.name(), path));
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
    }

    void say_taken_up(const ranks::Claim& claim) const {
        if (!options_.on_taken_up) return;
        options_.on_taken_up(claim.owner.empty() ? claim.part : claim.part + ", which " + claim.owner + " had in hand");
    }

    bool walk_part(std::size_t part) {
        walk_.state.path = file_of(part, ".begun.jsonl");
        if (!walk_.state.differences.empty()) differences_.emplace(file_of(part, ".differences.jsonl"));
        Merger merger(input_, plan_, ranges_[part], identity_);
        read_units(input_, plan_, merger);
        if (!merger.close()) return false;
        if (differences_) differences_->finish();
        std::error_code trouble;
        fs::rename(walk_.state.path, file_of(part, ".jsonl"), trouble);
        if (trouble) throw Error(fmt::format("cannot write {}: {}", file_of(part, ".jsonl"), trouble.message()));
        return true;
    }

    bit_exact::PairAudit merged(bool through) {
        walk_.state.path.clear();
        Merger merger(input_, plan_, plan_.all(), "");
        std::optional<DifferencesFile> whole;
        if (!walk_.state.differences.empty()) {
            whole.emplace(walk_.state.differences);
            whole->keep(0);
        }
        for (std::size_t part = 0; part < ranges_.size(); ++part) {
            std::string path = file_of(part, ".jsonl");
            if (!through && !fs::exists(path)) path = file_of(part, ".begun.jsonl");
            if (through) wait_until_seen(path);
            std::vector<SavedUnit> saved = WalkState(input_, plan_, ranges_[part], path, identity_).load();
            if (through && saved.size() != ranges_[part].end - ranges_[part].begin)
                throw Error(fmt::format("{} does not hold all of its part; delete it to have that walked anew (--resume)", path));
            if (whole && !saved.empty()) append(file_of(part, ".differences.jsonl"), saved.back().written, *whole);
            merger.take_saved(ranges_[part].begin, std::move(saved));
        }
        if (whole) whole->finish();
        rules::ScalarFacts facts;
        bit_exact::PairAudit audit = merger.finish(pairing_, facts);
        audit.cancelled = !through;
        if (walk_.target_facts != nullptr) {
            if (through && !walk_.sample)
                survey_scales_of(target_, plan_.unsurveyed, walk_.threads, walk_.cancel, facts);
            *walk_.target_facts = std::move(facts);
        }
        return audit;
    }

    static void append(const std::string& path, std::uint64_t bytes, DifferencesFile& whole) {
        std::ifstream file(path, std::ios::binary);
        std::string piece;
        while (bytes > 0) {
            piece.resize(std::min<std::uint64_t>(bytes, std::uint64_t{1} << 20));
            if (!file.read(piece.data(), static_cast<std::streamsize>(piece.size())))
                throw Error(fmt::format("{} does not hold the differences of its part; delete the folder to begin anew "
                                        "(--resume)", path));
            whole.add(piece);
            bytes -= piece.size();
        }
    }

    const SharedWalkOptions& options_;
    WalkOptions walk_;  // of the part in hand
    const Pairing& pairing_;
    const Opened& target_;
    WalkPlan plan_;
    std::optional<DifferencesFile> differences_;  // of the part in hand
    WalkInput input_;
    std::string identity_;
    std::vector<UnitRange> ranges_;  // by part
    ranks::Ranks& ranks_;
};

}  // namespace

bit_exact::PairAudit walk_blocks_shared(const Opened& source, const Opened& target, const Pairing& pairing,
                                        const SharedWalkOptions& options, ranks::Ranks& ranks) {
    return SharedWalk(source, target, pairing, options, ranks).run();
}

}  // namespace assay::runners
