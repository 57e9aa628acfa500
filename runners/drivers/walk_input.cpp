#include "runners/drivers/walk_input.hpp"

#include <algorithm>
#include <limits>

namespace assay::runners {

using namespace checkpoints;

WalkInput::WalkInput(const Opened& source, const Opened& target, const WalkOptions& options)
    : source_(source),
      target_(target),
      options_(options),
      source_readers_(reopened(source, options)),
      target_readers_(reopened(target, options)),
      roles_(target) {
    workers_ = std::max(1U, options.threads);
    if (waits_for_disk()) workers_ = std::min(256U, 4 * workers_);
    // A worker holds packed bytes of both sides, and at most an eighth as many scales of each.
    constexpr std::uint64_t all = std::uint64_t{256} << 20;
    constexpr std::uint64_t largest = std::uint64_t{8} << 20;
    window_bytes_ = std::clamp<std::uint64_t>(all / workers_ * 4 / 9, std::uint64_t{256} << 10, largest);
}

WalkInput::Readers WalkInput::reopened(const Opened& side, const WalkOptions& options) {
    // A quarter of a GiB of packed bytes mapped by all workers; of scales a few pages in each such stretch, or as many
    // again in an eighth.
    constexpr std::size_t all = std::size_t{256} << 20;
    constexpr std::size_t largest = std::size_t{64} << 20;
    const std::size_t at_once = std::min(largest, all / 2 / std::max(1U, options.threads));
    Readers readers;
    for (const Shard& shard : side.checkpoint.shards)
        readers.push_back(shard.reader ? files::reopen(*shard.reader, options.io, at_once) : nullptr);
    return readers;
}

// Under `map` the kernel reads ahead of the worker; a file that is in memory is not waited for.
bool WalkInput::waits_for_disk() const {
    if (options_.io == files::Io::map) return false;
    if (options_.io == files::Io::direct) return true;
    double sum = 0;
    std::size_t count = 0;
    for (const Readers* readers : {&source_readers_, &target_readers_}) {
        const std::size_t step = std::max<std::size_t>(1, readers->size() / 16);
        for (std::size_t i = 0; i < readers->size(); i += step) {
            if ((*readers)[i] == nullptr) continue;
            sum += files::resident_share(*(*readers)[i]);
            ++count;
        }
    }
    constexpr double most = 0.9;
    return count != 0 && sum / static_cast<double>(count) < most;
}

std::size_t WalkInput::most_differences() const {
    return options_.on_difference ? std::numeric_limits<std::size_t>::max() : options_.most_differences;
}

}  // namespace assay::runners
